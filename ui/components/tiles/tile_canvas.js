// The photo with its boxes, the hand as a strip of tiles, and the tools to correct both.
// Draws what Python sends and reports what a person does; it changes no tile by itself.

const SVG = "http://www.w3.org/2000/svg";
const REACH = 26; // a tap within this distance of a box, in CSS pixels, selects it
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  if (!views.has(parentElement)) views.set(parentElement, new Canvas(parentElement));
  views.get(parentElement).update(data, setTriggerValue);
}

function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

class Canvas {
  constructor(parent) {
    this.root = element("div", { class: "canvas" });
    parent.append(this.root);
    Object.assign(this, { mode: null, whole: false, selected: null, queue: [] });
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  // Events go to Python one at a time: the next one follows when the last is acknowledged. One that is not acknowledged goes
  // again, for the connection may be down or the server restarting; Python applies each event once.
  send(event) {
    this.queue.push({ ...event, id: nextId() });
    if (this.queue.length === 1) this.flush();
  }

  flush() {
    clearTimeout(this.timer);
    if (!this.queue.length) return;
    this.timer = setTimeout(() => this.flush(), 4000);
    try { this.trigger("edit", this.queue[0]); } catch { /* no connection: it goes again */ }
  }

  update(data, trigger) {
    if (this.data?.photo?.url !== data.photo?.url) Object.assign(this, { whole: false, mode: null });
    this.trigger = trigger;
    const done = this.queue.length > 0 && data.ack >= this.queue[0].id;
    if (done) this.queue.shift();
    if (done) this.flush();
    if (!differs(this.root, { ...data, ack: 0 })) return;
    this.data = data;
    this.byPlace = new Map(data.tiles.map((tile) => [tile.at, tile]));
    this.hand = data.groups.flatMap((group) => group.members);
    this.render();
  }

  render() {
    const sheet = this.root.querySelector("dialog");
    const focus = this.root.getRootNode().activeElement?.dataset?.focus;
    const parts = [this.data.photo && this.photo(), this.bar(), this.hint(), this.strip()].filter(Boolean);
    for (const child of [...this.root.children]) if (child !== sheet) child.remove();
    this.root.prepend(...parts);
    if (sheet?.dataset.keep) sheet.querySelector("h2").textContent = this.addTitle();
    if (!sheet && focus) this.root.querySelector(`[data-focus="${focus}"]`)?.focus({ preventScroll: true });
  }

  // The photo

  photo() {
    const { photo, tiles, lit, words } = this.data;
    const [x, y, width, height] = this.view = this.frame();
    this.svg = drawn("svg", { class: `photo ${this.mode ?? ""}`, viewBox: [x, y, width, height].join(" "), role: "group",
      "aria-label": words.photo, style: `--ratio:${width / height}` });
    this.svg.append(drawn("image", { href: photo.url, width: photo.w, height: photo.h }));
    const order = [...this.hand, ...tiles.map((tile) => tile.at).filter((at) => !this.hand.includes(at))];
    const first = order.includes(this.selected) ? this.selected : order[0];
    for (const at of order) this.svg.append(this.box(this.byPlace.get(at), at === first, lit.length > 0));
    this.svg.addEventListener("click", (event) => this.tap(event));
    this.svg.addEventListener("pointerdown", (event) => this.startBox(event));
    return element("div", { class: "frame" }, this.svg, this.badges());
  }

  // The corners of the photo: the count of doubts, and the switch of the zoom.
  badges() {
    const { tiles, words } = this.data;
    const doubts = tiles.filter((tile) => tile.doubt);
    const zoomed = this.hand.length > 0;
    return element("div", { class: "badges" },
      doubts.length ? this.tool("check", "?", words.check, () => this.open(doubts[0].at)) : element("span"),
      zoomed ? this.tool("zoom", this.whole ? "⤡" : "⤢", this.whole ? words.zoom_in : words.zoom_out,
        () => { this.whole = !this.whole; this.render(); }) : null);
  }

  // The visible part of the photo: the hand with some table around it, or everything.
  frame() {
    const { photo } = this.data;
    const boxes = this.hand.map((at) => this.byPlace.get(at).box).filter(Boolean);
    if (this.whole || !boxes.length) return [0, 0, photo.w, photo.h];
    const low = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])));
    const high = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])));
    const margin = this.size() * 1.1;
    let [width, height] = [high[0] - low[0] + margin, high[1] - low[1] + 2.6 * margin];
    if (width / height > 2.1) height = width / 2.1;
    if (width / height < 1.1) width = height * 1.1;
    width = Math.min(width, photo.w);
    height = Math.min(height, photo.h);
    const place = (middle, length, limit) => Math.max(0, Math.min(middle - length / 2, limit - length));
    return [place((low[0] + high[0]) / 2, width, photo.w), place((low[1] + high[1]) / 2 - height * 0.12, height, photo.h), width, height];
  }

  // The usual length of the longer side of a tile, photo pixels.
  size() {
    const sides = this.data.tiles.filter((tile) => tile.box)
      .map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
    return sides[sides.length >> 1] ?? 80;
  }

  box(tile, reachable, dimming) {
    const { data } = this;
    const [x0, y0, x1, y1] = tile.box;
    const [width, height] = [x1 - x0, y1 - y0];
    const lit = data.lit.includes(tile.at);
    const classes = ["box", tile.role, tile.doubt && "doubt", lit && "lit", dimming && !lit && "dim",
      tile.at === this.selected && "selected"].filter(Boolean).join(" ");
    const place = { x: x0, y: y0, width, height, rx: Math.min(width, height) * 0.12 };
    const group = drawn("g", { class: classes, role: "button", tabindex: reachable ? 0 : -1, "data-at": tile.at,
      "data-focus": `box${tile.at}`, "aria-label": this.label(tile) }, drawn("rect", { class: "halo", ...place }), drawn("rect", { class: "edge", ...place }));
    if (tile.role !== "other") {
      const label = Math.min(width, height * 0.78, this.size() * 0.62);
      const above = y0 - label * 1.42 > this.view[1];
      group.append(drawn("image", { class: "name", href: data.faces[tile.tile], width: label, height: label * 4 / 3,
        x: (x0 + x1 - label) / 2, y: above ? y0 - label * 1.42 : y1 + label * 0.08 }));
    }
    return group;
  }

  label(tile) {
    const { names, words } = this.data;
    return [names[tile.tile], words[tile.role], tile.doubt].filter(Boolean).join(", ");
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  tap(event) {
    if (this.mode === "add") return;
    const [x, y] = this.point(event);
    const reach = REACH / this.svg.getScreenCTM().a;
    const away = ({ box: [x0, y0, x1, y1] }) => Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1))
      + 1e-3 * Math.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y);
    const nearest = this.data.tiles.filter((tile) => tile.box).sort((a, b) => away(a) - away(b))[0];
    if (nearest && away(nearest) < reach) this.open(nearest.at);
  }

  // Adding: draw a box, or tap where the tile's middle is.
  startBox(event) {
    if (this.mode !== "add" || event.button) return;
    event.preventDefault();
    const start = this.point(event);
    const rubber = drawn("rect", { class: "rubber" });
    this.svg.append(rubber);
    this.svg.setPointerCapture(event.pointerId);
    // Without this the click of the finger would fall on the sheet that opens under it.
    this.svg.addEventListener("touchend", (lifted) => lifted.preventDefault(), { once: true, passive: false });
    let box = null;
    const move = (moved) => {
      const end = this.point(moved);
      box = [0, 1].map((i) => Math.min(start[i], end[i])).concat([0, 1].map((i) => Math.max(start[i], end[i])));
      const [x, y] = box;
      for (const [name, value] of Object.entries({ x, y, width: box[2] - x, height: box[3] - y })) rubber.setAttribute(name, value);
    };
    const stop = () => {
      this.svg.removeEventListener("pointermove", move);
      rubber.remove();
      const least = 12 / this.svg.getScreenCTM().a;
      const drawnBox = box && box[2] - box[0] > least && box[3] - box[1] > least;
      this.add(drawnBox ? box : this.around(start));
    };
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", stop, { once: true });
    this.svg.addEventListener("pointercancel", () => { this.svg.removeEventListener("pointermove", move); rubber.remove(); }, { once: true });
  }

  around([x, y]) {
    const [half, tall] = [this.size() * 0.37, this.size() * 0.5];
    return [x - half, y - tall, x + half, y + tall];
  }

  // A place beside the last tile, for those who cannot draw.
  beside() {
    const boxes = this.hand.map((at) => this.byPlace.get(at).box);
    const last = boxes.sort((a, b) => b[2] - a[2])[0] ?? [0, 0, 0, this.size()];
    return this.around([last[2] + this.size() * 0.4, (last[1] + last[3]) / 2]);
  }

  // Tools

  tool(name, icon, label, act, more = {}) {
    return element("button", { type: "button", class: `tool ${name}`, "data-focus": name, "aria-label": label, title: label,
      onclick: act, ...more }, element("span", { class: "icon", "aria-hidden": "true" }, icon), element("span", { class: "label" }, label));
  }

  bar() {
    const { words, can } = this.data;
    const toggle = () => { this.mode = this.mode === "win" ? null : "win"; this.render(); };
    return element("div", { class: "bar", role: "toolbar", "aria-label": words.tools },
      this.tool("add", "＋", this.mode === "add" ? words.cancel : words.add, (event) => this.startAdding(event),
        { "aria-pressed": String(this.mode === "add") }),
      this.hand.length ? this.tool("winner", "★", this.mode === "win" ? words.cancel : words.winning, toggle,
        { "aria-pressed": String(this.mode === "win") }) : null,
      element("span", { class: "space" }),
      this.tool("undo", "↶", words.undo, () => this.send({ do: "undo" }), { disabled: !can.undo }),
      this.tool("redo", "↷", words.redo, () => this.send({ do: "redo" }), { disabled: !can.redo }));
  }

  startAdding(event) {
    if (!this.data.photo) return this.add(null);
    if (event.detail === 0) return this.add(this.beside()); // the keyboard cannot draw a box
    this.mode = this.mode === "add" ? null : "add";
    this.render();
  }

  hint() {
    const { hint, words } = this.data;
    const text = { add: words.how_add, win: words.how_win }[this.mode] ?? hint;
    return text ? element("p", { class: `hint ${this.mode ? "doing" : ""}`, role: "status" }, text) : null;
  }

  // The hand as tiles

  strip() {
    const { groups, lit, words } = this.data;
    const strip = element("div", { class: "strip", role: "group", "aria-label": words.hand });
    for (const group of groups) {
      const tiles = group.members.map((at) => {
        const tile = this.byPlace.get(at);
        const state = [at === group.turned && "turned", tile.doubt && "doubt", lit.includes(at) && "lit",
          lit.length && !lit.includes(at) && "dim"].filter(Boolean).join(" ");
        const button = tileButton(this.data, tile.tile, { class: `tile ${state}`, "data-at": at, "data-focus": `tile${at}`,
          "aria-label": this.label(tile), onclick: () => this.open(at) });
        draggable(this, button, at);
        return button;
      });
      const title = group.hidden ? words.hidden_kong : words[group.role];
      const place = { class: `group ${group.role}`, "data-drop": group.role, "data-members": group.members.join(" ") };
      strip.append(element("div", place, element("div", { class: "tiles" }, ...tiles),
        group.role === "concealed" ? null : element("span", { class: "caption" }, title)));
    }
    return strip.children.length ? strip : null;
  }

  // The sheet

  open(at) {
    if (this.mode === "win") { this.mode = null; return this.send({ do: "role", at, role: "winning" }); }
    const { data } = this;
    const tile = this.byPlace.get(at);
    const role = (name, label) => ({ label: label ?? data.words[name], active: tile.role === name && !tile.kong,
      act: () => this.send({ do: "role", at, role: name }) });
    const bonus = /[fq]$/.test(tile.tile);
    const roles = bonus ? [role("bonus")] : [role("winning"), role("concealed")];
    for (const members of tile.role === "concealed" ? tile.sets : []) {
      roles.push({ label: data.words.meld, tiles: members.map((other) => this.byPlace.get(other).tile),
        act: () => this.send({ do: "meld", members }) });
    }
    if (tile.kong) {
      for (const concealed of [false, true]) {
        roles.push({ label: concealed ? data.words.hidden_kong : data.words.open_kong, active: tile.hidden === concealed,
          act: () => this.send({ do: "kong", at, concealed }) });
      }
    }
    if (tile.role === "meld" && !tile.kong) roles.push({ label: data.words.meld, active: true, act: () => {} });
    if (data.photo) roles.push(role("other"));
    this.select(at);
    openPicker(this.root, data, { title: data.names[tile.tile], note: tile.doubt ?? data.words[tile.role], current: tile.tile, crop: this.crop(tile),
      guesses: tile.guesses, roles, remove: () => this.send({ do: "remove", at }), closed: () => this.select(null),
      allowed: (face) => Boolean(data.photo) || face !== "back",
      choose: (face) => face === tile.tile && !tile.doubt ? null : this.send({ do: "tile", at, tile: face }) });
  }

  add(box) {
    this.mode = null;
    openPicker(this.root, this.data, { title: this.addTitle(), note: this.data.words.how_choose, keep: !box,
      crop: box && this.crop({ box }), allowed: (face) => Boolean(box) || face !== "back",
      choose: (tile) => this.send({ do: "add", tile, ...(box ? { box } : {}) }), closed: () => this.render() });
  }

  addTitle() {
    return this.data.photo ? this.data.words.add : this.data.words.count;
  }

  // The tile cut out of the photo, larger.
  crop(tile) {
    const { photo } = this.data;
    if (!photo || !tile.box) return null;
    const [x0, y0, x1, y1] = tile.box;
    const side = Math.max(x1 - x0, y1 - y0) * 1.25;
    const view = [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side];
    return drawn("svg", { class: "crop", viewBox: view.join(" "), "aria-hidden": "true" },
      drawn("image", { href: photo.url, width: photo.w, height: photo.h }));
  }

  select(at) {
    this.selected = at;
    for (const node of this.root.querySelectorAll("[data-at]")) node.classList.toggle("selected", node.dataset.at === String(at));
  }

  key(event) {
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    const box = event.target.closest?.(".box");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (undo) this.send({ do: event.shiftKey ? "redo" : "undo" });
    else if (event.key === "Escape" && this.mode) { this.mode = null; this.render(); }
    else if (box && (event.key === "Enter" || event.key === " ")) this.open(Number(box.dataset.at));
    else if (box && step) {
      const all = [...this.svg.querySelectorAll(".box")];
      const next = all[(all.indexOf(box) + step + all.length) % all.length];
      box.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
  }
}
