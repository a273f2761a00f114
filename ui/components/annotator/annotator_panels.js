// The panels around the picture: the place in the folder, the selected tile, the list of tiles, the neighbours, the help.

function drawPanels(owner) {
  const { data, root } = owner;
  if (!root.querySelector(".desk")) {
    root.append(element("div", { class: "top" }), element("div", { class: "desk" }, owner.stage.svg, element("aside")), element("nav", { class: "film" }));
  }
  root.classList.toggle("judging", owner.roles.on);
  root.querySelector(".top").replaceChildren(...topBar(owner));
  root.querySelector("aside").replaceChildren(...inspector(owner));
  root.querySelector(".film").replaceChildren(...data.film.map((entry) => filmCell(owner, entry)));
  owner.stage.draw();
  owner.showSaved();
  for (const url of data.ahead) new Image().src = url;
}

function iconButton(owner, icon, text, key, act, more = {}) {
  const { class: kind = "", ...rest } = more;
  return element("button", { type: "button", class: `tool ${kind}`, title: `${text} (${key})`, "aria-label": text, "aria-keyshortcuts": key, tabindex: "-1",
    onclick: () => { owner.root.focus({ preventScroll: true }); owner.soon(act); }, ...rest }, icon);
}

function topBar(owner) {
  const { data } = owner;
  const { words } = data;
  const run = (name) => owner.commands()[name];
  const progress = element("div", { class: "progress", role: "progressbar", "aria-valuenow": data.counts.checked, "aria-valuemin": 0, "aria-valuemax": data.counts.pictures, "aria-label": words.checked },
    element("i", { style: `width:${100 * data.counts.checked / Math.max(1, data.counts.pictures)}%` }));
  return [
    iconButton(owner, "‹", words.previous, ",", run(",")), iconButton(owner, "›", words.next, ".", run(".")),
    element("div", { class: "where" }, element("b", {}, element("bdi", {}, data.title)), element("span", {}, data.place)),
    element("div", { class: "how" }, progress, element("span", {}, data.progress)),
    ...data.choices.map((choice, at) => chooser(owner, choice, at)),
    element("span", { class: "space" }),
    element("span", { class: "saved", role: "status" }),
    iconButton(owner, "↶", words.undo, "Ctrl+Z", () => owner.step(owner.past, owner.future), { disabled: !owner.past.length && !data.rewind }),
    iconButton(owner, "↷", words.redo, "Ctrl+Y", () => owner.step(owner.future, owner.past), { disabled: !owner.future.length }),
    iconButton(owner, `♟ ${words.roles}`, words.roles, "r", run("r"), { "aria-pressed": String(owner.roles.on) }),
    iconButton(owner, "❐", words.copy, "v", run("v"), { class: "naming" }),
    data.follows && iconButton(owner, `▶ ${words.follow}`, words.follow, "⇧F", run("F"), { class: "naming" }),
    iconButton(owner, `✓ ${words.accept_all}`, words.accept_all, "a", run("a"), { class: "naming", disabled: owner.marks.every((mark) => mark.source === "person") }),
    iconButton(owner, `⊘ ${owner.rejected ? words.rejected : words.reject}`, owner.rejected ? words.rejected : words.reject, "⇧R", run("R"),
      { "aria-pressed": String(Boolean(owner.rejected)), class: "reject naming" }),
    iconButton(owner, owner.checked ? `★ ${words.checked}` : `☆ ${words.finish}`, owner.checked ? words.checked : words.finish, owner.checked ? "c" : "␣",
      owner.checked ? run("c") : run(" "), { "aria-pressed": String(owner.checked), class: "finish naming" }),
    iconButton(owner, "?", words.help, "?", run("?")),
  ].filter(Boolean);
}

function chooser(owner, choice, at) {
  const select = element("select", { "aria-label": choice.label, title: choice.label, onchange: (event) => {
    owner.go("choice", { choice: at, value: event.target.value });
    owner.root.focus({ preventScroll: true });
  } }, ...choice.options.map(([value, text]) => element("option", { value, selected: value === choice.value }, text)));
  select.value = choice.value;
  return select;
}

function notesOf(owner) {
  const { data } = owner, note = data.note || (owner.refusedSteps().length && owner.said);
  return [note && element("p", { class: "note", role: "alert" }, note),
    owner.rejected && element("p", { class: "note rejected" }, data.words.rejected_why.replace("{why}", () => owner.rejected)),
    owner.suit && element("p", { class: "typing", role: "status" }, owner.suit.suit ? data.words.rank.replace("{suit}", owner.suit.suit) : data.words.which)].filter(Boolean);
}

function inspector(owner) {
  const { data } = owner;
  if (owner.roles.on) return rolePanel(owner);
  const mark = owner.mark();
  return [...notesOf(owner), mark ? selectedTile(owner, mark) : element("p", { class: "quiet" }, data.words.nothing), tileList(owner)];
}

function selectedTile(owner, mark) {
  const { data } = owner;
  const source = { model: data.words.by_model, file: data.words.by_file, person: data.words.by_person, film: data.words.by_film }[mark.source];
  const head = element("div", { class: "chosen" }, cropOf(data.photo, mark.box, 1.3),
    data.faces[mark.tile] ? tileButton(data, mark.tile, { class: "tile big", tabindex: "-1", onclick: () => pick(owner, mark) }) : element("button", { type: "button", class: "tile big none", tabindex: "-1", onclick: () => pick(owner, mark) }, "?"),
    element("div", {}, element("b", {}, data.names[mark.tile] ?? (mark.tile || "?")), element("small", {}, source)));
  const guesses = element("div", { class: "guesses" }, ...mark.guesses.slice(0, 5).map(([tile, share]) =>
    tileButton(data, tile, { tabindex: "-1", class: `tile ${tile === mark.tile ? "current" : ""}`, onclick: () => owner.name(tile) },
      element("small", {}, percent(share)))));
  return element("section", {}, head, guesses,
    element("div", { class: "chips" }, ...[["✓", "accept", "Enter"], ["✕", "remove", "x"], ["⊞", "duplicate", "d"]].map(([icon, name, key]) =>
      iconButton(owner, `${icon} ${data.words[name]}`, data.words[name], key, owner.commands()[key]))));
}

function pick(owner, mark) {
  openPicker(owner.root, owner.data, { title: owner.data.names[mark.tile], current: mark.tile, guesses: mark.guesses.map(([tile, share]) => [tile, Math.round(100 * share)]),
    choose: (tile) => owner.name(tile), closed: () => owner.root.focus({ preventScroll: true }) });
}

// All tiles of the picture, the least trusted first or class by class.
function tileList(owner) {
  const { data } = owner;
  const order = owner.ranked();
  if (owner.byClass) order.sort((a, b) => owner.marks[a].tile.split("").reverse().join("").localeCompare(owner.marks[b].tile.split("").reverse().join("")));
  const cells = order.map((at) => {
    const mark = owner.marks[at];
    const trust = owner.trust(mark);
    const classes = ["tile", mark.source, at === owner.selected && "current", !owner.checked && trust < SURE && "doubt"].filter(Boolean).join(" ");
    const label = data.names[mark.tile] ?? (mark.tile || "?");
    const face = data.faces[mark.tile] ? element("img", { src: data.faces[mark.tile], alt: "" }) : "?";
    return element("button", { type: "button", class: classes, tabindex: "-1", "aria-label": label, title: label, onclick: () => owner.select(at) }, face,
      element("small", {}, mark.source === "person" ? "✓" : `${Math.round(100 * trust)}`));
  });
  const sort = element("button", { type: "button", class: "plain sort", tabindex: "-1", title: "t", onclick: () => owner.commands().t() },
    owner.byClass ? data.words.by_class : data.words.by_doubt);
  return element("section", { class: "all" }, element("header", {}, element("b", {}, data.tiles), sort), element("div", { class: "list" }, ...cells));
}

function filmCell(owner, entry) {
  const classes = ["cell", entry.key === owner.data.key && "current", entry.checked && "checked", entry.doubtful && "doubtful", entry.rejected && "rejected"].filter(Boolean).join(" ");
  return element("button", { type: "button", class: classes, tabindex: "-1", title: entry.key, "aria-label": entry.key, onclick: () => owner.go("key", { to_key: entry.key }) },
    entry.url ? element("img", { src: entry.url, alt: "" }) : null);
}

// Asks in a dialog why the picture is rejected; `done` gets the words.
function askWhy(owner, done) {
  const { words } = owner.data;
  const field = element("input", { type: "text", maxlength: "200", required: true, "aria-label": words.reject_why });
  const sheet = element("dialog", { class: "sheet why", "aria-label": words.reject_why });
  const form = element("form", { method: "dialog", onsubmit: (event) => {
    event.preventDefault();
    const why = field.value.trim();
    if (!why) return;
    sheet.close();
    done(why);
  } }, element("label", {}, words.reject_why, field), element("div", {},
    element("button", { type: "submit", class: "tool" }, words.reject), element("button", { type: "button", class: "tool", onclick: () => sheet.close() }, words.close)));
  sheet.append(form);
  sheet.addEventListener("keydown", (event) => event.stopPropagation());
  sheet.addEventListener("close", () => { sheet.remove(); owner.root.focus({ preventScroll: true }); });
  owner.root.append(sheet);
  openSheet(sheet);
  field.focus();
}

function openHelp(owner) {
  const { words, keys } = owner.data;
  const sheet = element("dialog", { class: "sheet help", "aria-label": words.help });
  const groups = keys.map(([title, rows]) => element("section", {}, element("h3", {}, title), element("dl", {},
    ...rows.flatMap(([pressed, text]) => [element("dt", {}, ...pressed.split(" ").map((one) => element("kbd", {}, one))), element("dd", {}, text)]))));
  sheet.append(element("header", {}, element("div", { class: "titles" }, element("h2", {}, words.help)),
    element("button", { type: "button", class: "plain close", "aria-label": words.close, onclick: () => sheet.close() }, "✕")),
  element("div", { class: "columns" }, ...groups));
  sheet.addEventListener("keydown", (event) => { event.stopPropagation(); if (["?", "F1"].includes(event.key)) { event.preventDefault(); sheet.close(); } });
  sheet.addEventListener("close", () => { sheet.remove(); owner.root.focus({ preventScroll: true }); });
  owner.root.append(sheet);
  openSheet(sheet);
}
