// The list of the lines of a ruleset: a search field, a choice of the worth, and a rule with an example for each line.
// The search stays in the browser; an opened line is reported, so that the address can name it.

const lists = new WeakMap();

function render({ data, parentElement, setTriggerValue }) {
  if (!lists.has(parentElement)) lists.set(parentElement, new FanList(parentElement));
  lists.get(parentElement).update(data, (event) => setTriggerValue("act", { ...event, id: nextId() }));
}

class FanList {
  constructor(parent) {
    this.root = element("div", { class: "fans" });
    parent.append(this.root);
  }

  update(data, report) {
    this.report = report;
    if (!differs(this.root, { ...data, open: null })) return this.follow(data.open);
    const fresh = this.data?.name !== data.name;
    this.data = data;
    if (fresh) Object.assign(this, { kind: null, text: "" });
    this.render();
    return this.follow(data.open);
  }

  // Opens the line that the address names, once.
  follow(key) {
    if (key === this.open) return;
    this.open = key;
    this.show(key);
  }

  show(key) {
    const item = key && this.items.get(key);
    if (!item) return;
    if (item.hidden) { this.kind = null; this.field.value = this.text = ""; this.filter(); }
    item.open = true;
    item.scrollIntoView({ block: "start" });
  }

  render() {
    const { data } = this;
    this.field = element("input", { type: "search", placeholder: data.words.search, "aria-label": data.words.search, autocomplete: "off",
      oninput: () => { this.text = this.field.value; this.filter(); } });
    this.field.value = this.text;
    const chip = (kind, label) => element("button", { type: "button", class: "chip", "data-kind": kind ?? "",
      onclick: () => { this.kind = kind; this.filter(); } }, label);
    this.chips = element("div", { class: "kinds", role: "group", "aria-label": data.words.worth },
      chip(null, data.words.all), ...data.kinds.map(([kind, label]) => chip(kind, label)));
    this.items = new Map(data.fans.map((fan) => [fan.key, this.item(fan)]));
    this.none = element("p", { class: "none", role: "status" });
    this.root.replaceChildren(this.field, this.chips, element("div", { class: "list" }, ...this.items.values()), this.none);
    this.filter();
  }

  filter() {
    const wanted = folded(this.text).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const fan of this.data.fans) {
      const item = this.items.get(fan.key);
      item.hidden = (this.kind !== null && fan.kind !== this.kind) || !wanted.every((word) => fan.found_by.includes(word));
      found += !item.hidden;
    }
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(chip.dataset.kind === (this.kind ?? "")));
    this.none.textContent = found ? "" : this.data.words.none;
  }

  item(fan) {
    const { words } = this.data;
    const name = element("span", { class: "what" }, element("span", { class: "name" }, fan.name),
      fan.native ? element("span", { class: "native", lang: fan.lang }, fan.native) : null);
    const head = element("summary", {}, fan.number ? element("span", { class: "number" }, fan.number) : null, name,
      element("span", { class: "worth" }, fan.worth));
    const item = element("details", { class: "fan", "data-key": fan.key }, head);
    item.addEventListener("toggle", () => {
      if (item.open && item.children.length === 1) item.append(this.body(fan));
      if (item.open && this.open !== fan.key) this.report({ open: (this.open = fan.key) });
    });
    return item;
  }

  body(fan) {
    const { words, names } = this.data;
    const body = element("div", { class: "body" });
    if (fan.text) body.append(element("p", {}, fan.text));
    if (fan.worth_note) body.append(element("p", { class: "quiet" }, fan.worth_note));
    for (const [label, keys] of [[words.over, fan.over], [words.under, fan.under]]) {
      if (keys.length) body.append(element("p", { class: "others" }, element("span", { class: "quiet" }, label),
        ...keys.map((key) => element("button", { type: "button", class: "other", onclick: () => { this.show(key); this.items.get(key)?.querySelector("summary").focus({ preventScroll: true }); } }, names[key] ?? key))));
    }
    if (fan.alone) body.append(element("p", { class: "quiet" }, words.alone));
    if (fan.example) body.append(this.example(fan));
    return body;
  }

  example(fan) {
    const { words, faces } = this.data;
    const groups = fan.example.groups.map((group) => element("span", { class: `group ${group.role}` },
      ...group.tiles.map(([tile, lit], place) => {
        const hidden = group.hidden && (place === 0 || place === 3);
        return element("img", { src: faces[hidden ? "back" : tile], alt: this.data.tiles[tile], class: lit ? "lit" : "" });
      })));
    return element("figure", {}, element("div", { class: "hand" }, ...groups),
      element("figcaption", {}, element("span", {}, fan.example.how), element("b", {}, fan.example.total)),
      element("button", { type: "button", class: "chip", onclick: () => this.report({ score: fan.key }) }, words.score));
  }
}
