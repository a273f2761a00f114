// A contact sheet: many small pictures side by side, on which a person fixes the odd one out.

const sheets = new WeakMap();

function render({ data, parentElement, setTriggerValue }) {
  if (!sheets.has(parentElement)) sheets.set(parentElement, new ContactSheet(parentElement));
  sheets.get(parentElement).update(data, setTriggerValue);
}

class ContactSheet {
  constructor(parent) {
    this.root = element("div", { class: "contact", tabindex: "-1" });
    parent.append(this.root);
    Object.assign(this, { outbox: new Outbox(this.root, "edit", { again_ms: 8000 }), selected: 0, suit: null });
    const keys = (event) => this.root.isConnected ? this.key(event) : window.removeEventListener("keydown", keys, true);
    window.addEventListener("keydown", keys, true);
  }

  send(event) { this.outbox.send(event); }

  update(data, trigger) {
    this.outbox.trigger = trigger;
    this.outbox.answered(data.ack);
    if (differs(this.root, data)) {
      if (this.data?.sheet !== data.sheet) Object.assign(this, { selected: 0, suit: null });
      this.data = data;
      this.render();
      showNote(this.root);
    }
    this.outbox.next();
  }

  // Keys

  key(event) {
    if (this.root.querySelector("dialog[open]")) return;
    const target = event.composedPath()[0];
    if (target?.matches?.("input, textarea, select") && event.key !== "Escape") return;
    if (isForFocus(event, this.root) || (event.key === "Enter" && target?.matches?.(".tool:focus-visible"))) return;
    const act = this.command(event);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  command({ key, ctrlKey, metaKey, altKey }) {
    if ((ctrlKey || metaKey) && key.toLowerCase() === "z") return () => this.send({ do: "undo" });
    if (ctrlKey || metaKey || altKey) return null;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns(), ArrowDown: this.columns() }[key];
    if (step) return () => this.select(clamped(this.selected + step, this.data.cells.length));
    if (key === "Enter") return () => this.open(this.selected);
    if (["PageDown", "."].includes(key)) return () => this.turn(1);
    if (["PageUp", ","].includes(key)) return () => this.turn(-1);
    if (!this.data.fixable) return null;
    if (this.suit && /^[0-9]$/.test(key)) return () => this.fix(`${key}${this.suit}`);
    if (/^[mpszfq]$/.test(key)) return () => { this.suit = key; this.render(); };
    if (key === "b") return () => this.fix("back");
    if (["x", "Delete", "Backspace"].includes(key)) return () => this.fix("");
    if (key === "Escape") return () => { this.suit = null; this.render(); };
    return null;
  }

  columns() {
    const cells = [...this.root.querySelectorAll(".shot")];
    const next = cells.findIndex((cell) => cell.offsetTop > cells[0].offsetTop);
    return next > 0 ? next : cells.length || 1;
  }

  select(at) {
    this.selected = at;
    this.suit = null;
    this.render();
    this.root.querySelectorAll(".shot")[at]?.scrollIntoView({ block: "nearest" });
  }

  fix(tile) {
    this.suit = null;
    const cell = this.data.cells[this.selected];
    if (!cell || (tile && !(tile in this.data.names))) return this.render();
    this.send({ do: "fix", at: this.selected, tile });
    return this.select(clamped(this.selected + 1, this.data.cells.length));
  }

  open(at) { if (this.data.cells[at]) this.send({ do: "open", at }); }

  turn(step) { if (step > 0 ? this.data.more : this.data.before) this.send({ do: "turn", step }); }

  // Drawing

  render() {
    const { data } = this;
    const { words } = data;
    const choose = data.choice && element("select", { "aria-label": data.choice.label, onchange: (event) => {
      this.send({ do: "choose", value: event.target.value });
      this.root.focus({ preventScroll: true });
    } }, ...data.choice.options.map(([value, text]) => element("option", { value, selected: value === data.choice.value }, text)));
    const tool = (icon, label, act, more = {}) => element("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: act, ...more }, icon);
    const bar = element("div", { class: "top" }, choose, element("b", {}, data.title), element("span", { class: "space" }),
      this.suit ? element("span", { class: "typing", role: "status" }, words.rank.replace("{suit}", this.suit)) : null,
      data.note ? element("span", { class: "note", role: "alert" }, data.note) : null,
      data.fixable ? tool("↶", words.undo, () => this.send({ do: "undo" }), { disabled: !data.undo }) : null,
      tool("‹", words.before, () => this.turn(-1), { disabled: !data.before }), element("span", { class: "quiet" }, data.place),
      tool("›", words.more, () => this.turn(1), { disabled: !data.more }));
    const cells = element("div", { class: data.fixable ? "shots" : "shots wide" }, ...data.cells.map((cell, at) => this.cell(cell, at)));
    this.root.replaceChildren(bar, data.cells.length ? cells : element("p", { class: "quiet" }, data.empty), element("p", { class: "quiet" }, data.how));
  }

  cell(cell, at) {
    const { data } = this;
    const classes = ["shot", at === this.selected && "selected", cell.state].filter(Boolean).join(" ");
    const small = cell.face ? element("img", { class: "face", src: data.faces[cell.face], alt: data.names[cell.face] }) : null;
    const caption = element("small", {}, cell.caption);
    return element("button", { type: "button", class: classes, tabindex: "-1", title: cell.title, "data-at": at,
      onclick: () => { if (this.selected === at && data.fixable) this.pick(at); else { this.select(at); if (!data.fixable) this.open(at); } },
      ondblclick: () => this.open(at) }, element("img", { src: cell.url, alt: cell.title, loading: "lazy" }), small, caption);
  }

  // A second tap opens all faces to choose from.
  pick(at) {
    const { data } = this;
    const cell = data.cells[at];
    openPicker(this.root, data, { title: data.names[cell.tile] ?? (cell.tile || "?"), current: cell.tile, guesses: cell.guesses, remove: () => this.fix(""),
      roles: [{ label: data.words.open, act: () => this.open(at) }], choose: (tile) => this.fix(tile), closed: () => this.root.focus({ preventScroll: true }) });
  }
}

function clamped(at, count) { return Math.max(0, Math.min(count - 1, at)); }
