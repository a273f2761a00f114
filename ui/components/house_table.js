// The lines of a game with what they are worth as printed and at the table of a person. The search stays in the browser;
// what is typed goes to Python a moment after the last key, and Python says at once what no line can be worth.

const tables = new WeakMap();
const PAUSE_MS = 300;
const PATIENCE_MS = 4000;

function render({ data, parentElement, setTriggerValue }) {
  if (!tables.has(parentElement)) tables.set(parentElement, new HouseTable(parentElement));
  tables.get(parentElement).update(data, (event) => setTriggerValue("type", event));
}

class HouseTable {
  constructor(parent) {
    this.root = element("div", { class: "house" });
    parent.append(this.root);
    this.pending = new Map(); // line to what was typed and is not answered yet
    walkInDialog(parent, () => [this.search, ...[...this.rows.values()].filter(({ node }) => !node.hidden).map(({ field }) => field)]);
  }

  update(data, send) {
    this.send = send;
    for (const [line, typed] of this.pending) if (typed.id && typed.id <= data.ack) this.pending.delete(line);
    if (this.data?.name !== data.name) this.build(data);
    this.data = data;
    for (const row of data.rows) this.show(row, data.wrong[row.key] ?? "");
  }

  build(data) {
    this.pending.clear();
    this.search = element("input", { type: "search", placeholder: data.words.search, "aria-label": data.words.search,
      autocomplete: "off", oninput: () => this.filter() });
    const own = (row) => row.ours !== "";
    this.rows = new Map([...data.rows.filter(own), ...data.rows.filter((row) => !own(row))].map((row) => [row.key, this.row(row, data.words)]));
    this.none = element("p", { class: "quiet", role: "status" });
    const head = element("div", { class: "row head", "aria-hidden": "true" }, element("span"),
      element("span", {}, data.words.printed), element("span", {}, data.words.ours));
    this.root.replaceChildren(this.search, head, element("div", { class: "lines" }, ...[...this.rows.values()].map((row) => row.node)), this.none);
    if (matchMedia("(hover: hover) and (pointer: fine)").matches) this.search.focus();
  }

  row(row, words) {
    const wrong = element("p", { class: "wrong", id: `wrong.${row.key}`, role: "alert" });
    const field = element("input", { type: "text", "aria-label": `${row.name}: ${words.ours}`, "aria-describedby": wrong.id,
      placeholder: row.printed, maxlength: "6", autocomplete: "off", inputmode: "text",
      oninput: () => this.typed(row.key, field, PAUSE_MS), onchange: () => this.typed(row.key, field, 0) });
    field.value = row.ours;
    const node = element("div", { class: "row" }, element("span", { class: "name" }, row.name), element("span", { class: "printed" }, row.printed), field, wrong);
    return { node, field, wrong, name: row.found_by };
  }

  // Shows what holds and what is wrong; a field that a person writes in keeps its text.
  show({ key, ours }, message) {
    const { field, wrong } = this.rows.get(key);
    const writes = this.pending.has(key) || field.getRootNode().activeElement === field;
    if (!writes && !message) field.value = ours;
    if (this.pending.has(key)) return;
    field.setAttribute("aria-invalid", String(Boolean(message)));
    if (wrong.textContent !== message) wrong.textContent = message;
  }

  typed(line, field, pause_ms) {
    if (this.pending.get(line)?.text === field.value && pause_ms) return;
    this.pending.set(line, { text: field.value });
    this.later(pause_ms);
  }

  later(pause_ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), pause_ms);
  }

  // All that is not answered goes at once; what gets no answer goes again: the connection may be down.
  flush() {
    if (!this.pending.size || !this.root.isConnected) return;
    const id = nextId();
    for (const typed of this.pending.values()) typed.id = id;
    this.later(PATIENCE_MS);
    try { this.send({ id, typed: Object.fromEntries([...this.pending].map(([line, { text }]) => [line, text])) }); } catch { /* no connection */ }
  }

  filter() {
    const wanted = folded(this.search.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { node, name } of this.rows.values()) {
      node.hidden = !wanted.every((word) => name.includes(word));
      found += !node.hidden;
    }
    this.none.textContent = found ? "" : this.data.words.none;
  }
}
