// A sheet to choose a tile from, shared by all components: top guesses first, then all 46 faces.
// On a phone it rises from the bottom edge, elsewhere it stands in the middle; <dialog> keeps focus and closes on Escape.

const SUIT_ROWS = [
  "1m 2m 3m 4m 5m 6m 7m 8m 9m 0m", "1p 2p 3p 4p 5p 6p 7p 8p 9p 0p", "1s 2s 3s 4s 5s 6s 7s 8s 9s 0s",
  "1z 2z 3z 4z 5z 6z 7z", "1f 2f 3f 4f 1q 2q 3q 4q back",
].map((row) => row.split(" "));

// A tile as a picture that is a button.
function tileButton(deck, tile, attributes = {}, ...extra) {
  const picture = element("img", { src: deck.faces[tile], alt: "", draggable: "false" });
  return element("button", { type: "button", class: "tile", "aria-label": deck.names[tile], title: deck.names[tile],
    "data-tile": tile, ...attributes }, picture, ...extra);
}

// Opens the sheet in `root`. `ask`: title, crop (element), current, guesses [[tile, percent]], roles [{label, active, act}],
// remove (function), allowed (function of a tile), choose (function of a tile),
// keep (stay open for the next tile), closed (function). Returns the sheet, whose `offer(guesses)` puts guesses that come later on top.
function openPicker(root, deck, ask) {
  root.querySelector("dialog")?.remove();
  const sheet = element("dialog", { class: "sheet", "aria-label": ask.title, "data-keep": String(Boolean(ask.keep)) });
  const done = (act) => () => { act(); sheet.close(); };
  const choose = (tile) => ask.keep ? () => ask.choose(tile) : done(() => ask.choose(tile));
  const face = (tile, ...extra) => tileButton(deck, tile, { onclick: choose(tile), class:
    `tile${tile === ask.current ? " current" : ""}`, "aria-pressed": ask.current ? String(tile === ask.current) : null }, ...extra);
  const head = element("header", {}, ask.crop ?? null,
    element("div", { class: "titles" }, element("h2", {}, ask.title), ask.note ? element("p", {}, ask.note) : null),
    element("button", { type: "button", class: "plain close", "aria-label": deck.words.close, onclick: () => sheet.close() }, "✕"));
  sheet.append(head);
  if (ask.roles?.length || ask.remove) {
    const roles = (ask.roles ?? []).map((role) => element("button", { type: "button", class: "chip",
      "aria-pressed": String(Boolean(role.active)), onclick: done(role.act) },
      ...(role.tiles ?? []).map((tile) => element("img", { src: deck.faces[tile], alt: "" })), role.label));
    const remove = ask.remove && element("button", { type: "button", class: "chip danger", onclick: done(ask.remove) }, deck.words.remove);
    sheet.append(element("div", { class: "chips", role: "group", "aria-label": deck.words.part }, ...roles, remove ?? null));
  }
  const body = element("div", { class: "faces" });
  const guessed = (guesses) => element("div", { class: "guesses", role: "group", "aria-label": deck.words.guesses },
    ...guesses.map(([tile, share]) => face(tile, element("small", {}, percent(share / 100)))));
  if (ask.guesses?.length > (ask.doubt ? 0 : 1)) body.append(guessed(ask.guesses));
  sheet.offer = (guesses) => { if (guesses.length) body.prepend(guessed(guesses)); };
  const suit = ask.current && SUIT_ROWS.findIndex((row) => row.includes(ask.current));
  const rows = suit > 0 && suit < 3 ? [SUIT_ROWS[suit], ...SUIT_ROWS.filter((_, index) => index !== suit)] : SUIT_ROWS;
  for (const row of rows) {
    const shown = row.filter(ask.allowed ?? (() => true));
    if (shown.length) body.append(element("div", { class: "suit" }, ...shown.map((tile) => face(tile))));
  }
  sheet.append(body);
  sheet.addEventListener("click", (event) => {
    const box = sheet.getBoundingClientRect();
    const outside = event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
    if (event.target === sheet && outside) sheet.close();
  });
  sheet.addEventListener("keydown", keysOf(sheet));
  sheet.addEventListener("close", () => { sheet.remove(); ask.closed?.(); });
  root.append(sheet);
  openSheet(sheet);
  return sheet;
}

// The keys of the sheet: arrows go from face to face; a suit and a rank, in either order, choose a tile, as in `m 5`.
function keysOf(sheet) {
  let typed = "";
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^(Arrow\w+|[mpszfq0-9])$/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const faces = [...sheet.querySelectorAll(".faces .tile")];
    if (event.key.startsWith("Arrow")) {
      neighbour(faces, faces.indexOf(sheet.getRootNode().activeElement), event.key)?.focus();
      return;
    }
    const isSuit = (letter) => /[a-z]/.test(letter);
    typed = typed && isSuit(typed) !== isSuit(event.key) ? typed + event.key : event.key;
    if (typed.length < 2) return;
    const tile = isSuit(typed) ? [...typed].sort().join("") : typed;
    typed = "";
    faces.find((face) => face.dataset.tile === tile)?.click();
  };
}

// The face beside the one at that place; without one the chosen face, or the first.
function neighbour(faces, at, key) {
  if (at < 0) return faces.find((face) => face.ariaPressed === "true") ?? faces[0];
  if (key === "ArrowLeft" || key === "ArrowRight") return faces[at + (key === "ArrowRight" ? 1 : -1)];
  const from = faces[at].getBoundingClientRect(), down = key === "ArrowDown";
  const far = (face) => {
    const box = face.getBoundingClientRect();
    return 100 * Math.abs(box.top - from.top) + Math.abs(box.left - from.left);
  };
  const beyond = faces.filter((face) => {
    const step = face.getBoundingClientRect().top - from.top;
    return down ? step > from.height / 2 : step < -from.height / 2;
  });
  return beyond.sort((one, other) => far(one) - far(other))[0];
}
