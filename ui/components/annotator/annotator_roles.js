// What the tiles are in the hand: several tiles are chosen with taps, a frame or keys, and one key gives all of them a
// role. Python proposes roles by the layout of the marks; a person corrects them, and the picture counts as judged.

const ROLES = [
  { key: "h", role: "concealed" }, { key: "w", role: "winning" }, { key: "m", role: "meld" },
  { key: "k", role: "meld", concealed: true, word: "concealed_kong" }, { key: "f", role: "bonus" },
  { key: "i", role: "dora_indicator" }, { key: "o", role: "other" },
];
const FULL_HAND = 13; // fewer tiles are a hand that is cut off; a kong counts as three

// The text form of a part, as tilescore.datasets.parts writes it.
function partText({ role, meld, concealed, turned }) {
  return [role, meld || "", concealed ? "concealed" : "", turned ? "turned" : ""].filter(Boolean).join(" ");
}

function parsePart(text) {
  const words = text.split(" ").filter(Boolean);
  const role = ROLES.some((each) => each.role === words[0]) ? words.shift() : "";
  return { role, meld: Number(words.find((word) => /^\d+$/.test(word)) ?? 0), concealed: words.includes("concealed"), turned: words.includes("turned") };
}

class RoleDesk {
  constructor(owner) { Object.assign(this, { owner, on: false, chosen: new Set() }); }

  toggle() {
    this.on = !this.on;
    this.chosen.clear();
    if (this.on) { this.owner.selected = null; this.proposeFirst(); }
    this.owner.render();
  }

  // Another picture: the mode stays, the choice does not.
  turn() {
    this.chosen.clear();
    if (this.on) { this.owner.selected = null; this.proposeFirst(); }
  }

  proposeFirst() {
    const { owner } = this;
    if (!owner.hand && owner.marks.length && owner.marks.every((mark) => !mark.part.role)) this.propose();
  }

  propose() { this.owner.ask("propose"); }

  // Choosing tiles

  flip(at) {
    if (at === null || at === undefined) return;
    if (!this.chosen.delete(at)) this.chosen.add(at);
    this.owner.selected = at;
    this.owner.render();
  }

  frame([x0, y0, x1, y1]) {
    this.owner.marks.forEach(({ box }, at) => {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) this.chosen.add(at);
    });
    this.owner.render();
  }

  arrow([dx, dy], extend) {
    const { owner } = this;
    if (extend && owner.selected !== null) this.chosen.add(owner.selected);
    owner.neighbour(dx, dy);
    if (extend && owner.selected !== null) this.chosen.add(owner.selected);
    owner.render();
  }

  clear() {
    const had = this.chosen.size > 0 || this.owner.selected !== null;
    this.chosen.clear();
    this.owner.selected = null;
    if (!had) this.on = false;
    this.owner.render();
  }

  // Giving roles

  meant() {
    const { marks, selected } = this.owner;
    const all = this.chosen.size ? [...this.chosen] : selected === null ? [] : [selected];
    return all.filter((at) => marks[at]).map((at) => marks[at]);
  }

  give({ role, concealed = false }) {
    const some = this.meant();
    if (!some.length) return;
    this.owner.change(() => {
      const others = this.owner.marks.filter((mark) => !some.includes(mark));
      const used = new Set(others.map((mark) => mark.part.meld));
      let meld = 0;
      if (role === "meld") for (meld = 1; used.has(meld); meld += 1);
      if (role === "winning") others.filter((mark) => mark.part.role === role).forEach((mark) => { mark.part = { ...mark.part, role: "concealed" }; });
      some.forEach((mark) => { mark.part = { role, meld, concealed, turned: mark.part.turned }; });
      this.owner.hand = this.kind();
      this.chosen.clear();
    });
  }

  turnSideways() {
    const some = this.meant();
    if (!some.length) return;
    this.owner.change(() => {
      const turned = some.some((mark) => !mark.part.turned);
      some.forEach((mark) => { mark.part = { ...mark.part, turned }; });
      this.owner.hand = this.kind();
      this.chosen.clear();
    });
  }

  noHand() {
    this.owner.change(() => {
      this.owner.marks.forEach((mark) => { mark.part = { role: "other", meld: 0, concealed: false, turned: mark.part.turned }; });
      this.owner.hand = "no_hand";
      this.chosen.clear();
    });
  }

  // The roles are right as they are shown; on to the next picture.
  confirm() {
    this.owner.change(() => { this.owner.hand = this.kind(); });
    this.owner.go("unjudged");
  }

  // What the roles make of the picture.
  kind() {
    const parts = this.owner.marks.map((mark) => mark.part);
    const loose = parts.filter(({ role }) => role === "concealed" || role === "winning").length;
    const sets = new Set(parts.filter(({ role }) => role === "meld").map(({ meld }) => meld)).size;
    if (!loose && !sets) return "no_hand";
    return loose + 3 * sets >= FULL_HAND ? "hand" : "partial";
  }

  // Keys of this mode; nothing for any other key, which keeps its usual meaning.
  command({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    if (ctrlKey || metaKey || altKey) return null;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (arrow) return () => this.arrow(arrow, shiftKey);
    const given = ROLES.find((each) => each.key === key);
    if (given) return () => this.give(given);
    const { owner } = this;
    return {
      " ": () => this.flip(owner.selected), Enter: () => this.confirm(), Escape: () => this.clear(),
      a: () => { owner.marks.forEach((_, at) => this.chosen.add(at)); owner.render(); },
      t: () => this.turnSideways(), n: () => this.noHand(), p: () => this.propose(),
    }[key] ?? null;
  }
}

// The panel beside the picture

function rolePanel(owner) {
  const { words } = owner.data;
  const desk = owner.roles;
  const some = desk.meant();
  const button = (key, text, act, { kind = "", swatch = "", pressed = null, needs = true } = {}) => iconButton(owner, "", text, key, act,
    { class: `role ${kind}`, disabled: needs && !some.length, "aria-pressed": pressed });
  const row = (key, text, act, more = {}) => {
    const made = button(key, text, act, more);
    made.append(...[more.swatch && element("i", { class: `swatch ${more.swatch}` }), text, element("kbd", {}, key === "Enter" ? "⏎" : key)].filter(Boolean));
    return made;
  };
  const roles = ROLES.map((each) => row(each.key, words[each.word ?? each.role], () => desk.give(each), { swatch: each.role }));
  const state = element("p", { class: `judged ${owner.hand || "open"}`, role: "status" }, words[`shows_${owner.hand || "open"}`]);
  return [
    ...notesOf(owner), state, element("p", { class: "quiet" }, some.length ? words.chosen.replace("{n}", some.length) : words.choose_tiles),
    element("section", { class: "roles" }, ...roles, row("t", words.turned, () => desk.turnSideways())),
    element("section", { class: "roles" },
      row("Enter", words.roles_right, () => desk.confirm(), { kind: "finish", needs: false }),
      row("n", words.no_hand, () => desk.noHand(), { needs: false }), row("p", words.propose, () => desk.propose(), { needs: false }),
      row("r", words.roles_done, () => desk.toggle(), { needs: false })),
  ];
}

// What the picture says of a mark's role: the number of its set, and whether it lies sideways.
function roleBadge(mark) {
  const { role, meld, concealed, turned } = mark.part;
  return [role === "meld" ? `${meld || "?"}${concealed ? "×" : ""}` : "", turned ? "↷" : ""].filter(Boolean).join(" ");
}
