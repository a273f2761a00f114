// The photo with its boxes, the hand as a strip of tiles, and the tools to correct both.
// Draws what Python sends and reports what a person does; it changes no tile by itself.

const LEAST_WIDE = 40; // CSS pixels of a tile that a finger meets and an eye reads
const REACH = 26; // a tap within this distance of a box, in CSS pixels, selects it
const views = new WeakMap();

function render(component) {
  const { data, parentElement, setTriggerValue } = component;
  if (!views.has(parentElement)) views.set(parentElement, new Canvas(parentElement));
  views.get(parentElement).update(data, setTriggerValue);
}

class Canvas {
  constructor(parent) {
    this.root = element("div", { class: "canvas" });
    parent.append(this.root);
    Object.assign(this, { mode: null, view: null, selected: null, picked: new Set(), outbox: new Outbox(this.root, "edit") });
    this.root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.root);
  }

  send(event) {
    this.picked.clear();
    this.outbox.send({ ...event, hand: this.data.of });
  }

  update(data, trigger) {
    if (this.data?.photo?.url !== data.photo?.url) Object.assign(this, { view: null, chosen: false, mode: null, picked: new Set() });
    this.outbox.trigger = trigger;
    this.outbox.answered(data.ack);
    this.outbox.next();
    if (!differs(this.root, { ...data, ack: 0 })) return;
    if (this.data && this.data.of !== data.of) this.root.querySelector("dialog")?.close(); // it is about a tile of another hand
    this.data = data;
    this.root.dataset.hand = data.of;
    this.byPlace = new Map(data.tiles.map((tile) => [tile.at, tile]));
    this.hand = data.groups.flatMap((group) => group.members);
    this.picked = new Set([...this.picked].filter((at) => this.byPlace.has(at)));
    this.render();
    this.answer?.(data.looked);
  }

  // A screen that was turned may have room for another view.
  resized() {
    const before = this.drawnWide;
    if (!this.data?.photo || !before || before === this.wide()) return;
    if (!this.chosen) this.view = null;
    this.render();
  }

  render() {
    this.drawnWide = this.wide();
    const sheet = this.root.querySelector("dialog");
    const focus = this.root.getRootNode().activeElement?.dataset?.focus ?? this.left;
    this.left = null;
    const picture = this.data.photo && this.photo();
    const parts = [element("h2", { class: "ts-said" }, this.data.words.hand), picture, this.bar(), this.hint(), this.strip(), picture && peek(this, picture)].filter(Boolean);
    for (const child of [...this.root.children]) if (child !== sheet) child.remove();
    this.root.prepend(...parts);
    if (sheet?.dataset.keep === "true") sheet.querySelector("h2").textContent = this.addTitle();
    if (!sheet && focus) this.goOn(focus);
    const hint = this.root.querySelector(".hint p")?.textContent ?? "";
    if (hint && hint !== this.said) announce(hint);
    this.said = hint;
  }

  // The focus stays where it was; with a tool that has nothing more to do, it goes to the last one that has.
  goOn(focus) {
    const part = this.root.querySelector(`[data-focus="${focus}"]:not(:disabled)`) ?? [...this.root.querySelectorAll(".bar .tool:not(:disabled)")].at(-1);
    part?.focus({ preventScroll: true });
  }

  // The photo

  photo() {
    const { photo, tiles, offers, words } = this.data;
    const order = [...this.hand, ...tiles.map((tile) => tile.at).filter((at) => !this.hand.includes(at))]
      .filter((at) => this.byPlace.get(at).box);
    const views = viewsOf(this).filter((view) => view !== "lines" || this.mode !== "add"); // a place is drawn on the photo as it is
    if (!views.includes(this.view)) [this.view] = views;
    const indicators = tiles.filter((tile) => /_indicator$/.test(tile.role)).map((tile) => tile.at);
    const lines = this.view === "lines" ? linesOf(this, [...this.hand, ...indicators]) : null;
    const [x, y, width, height] = this.shown = lines ? [0, 0, this.wide(), lines.high] : frameOf(this, this.view);
    this.first = order.includes(this.selected) ? this.selected : order[0];
    this.svg = drawn("svg", { class: ["photo", this.view, this.mode].filter(Boolean).join(" "), viewBox: [x, y, width, height].join(" "),
      role: "group", "aria-label": words.photo, style: `--ratio:${width / height}` });
    if (lines) this.svg.append(...lines.nodes);
    else {
      this.svg.append(drawn("image", { href: photo.url, width: photo.w, height: photo.h }), ...order.map((at) => this.box(this.byPlace.get(at))));
      for (const offer of offers) for (const members of offer.outlines) this.svg.append(this.outline(members, offer.number));
    }
    this.svg.addEventListener("click", (event) => this.tap(event));
    this.svg.addEventListener("pointerdown", (event) => this.startBox(event));
    selectable(this, this.svg);
    return element("div", { class: `frame ${this.view}` }, this.badges(), this.svg);
  }

  // The corners of the photo: the count of doubts, and the switch of the zoom.
  badges() {
    const { tiles, words } = this.data;
    const doubts = tiles.filter((tile) => tile.doubt);
    const views = viewsOf(this);
    const next = views[(views.indexOf(this.view) + 1) % views.length];
    const label = { seen: words.zoom_seen, hand: words.zoom_in, lines: words.zoom_in, whole: words.zoom_out }[next];
    return element("div", { class: "badges" },
      doubts.length ? this.tool("check", "?", words.check, () => this.open(doubts[0].at)) : element("span"),
      views.length > 1 ? this.tool("zoom", next === "whole" ? "⤢" : "⤡", label, () => { Object.assign(this, { view: next, chosen: true }); this.render(); }) : null);
  }

  boxesOf(places) {
    return places.map((at) => this.byPlace.get(at).box).filter(Boolean);
  }

  // The width of the photo on the screen, CSS pixels.
  wide() {
    return this.root.clientWidth || innerWidth - 24;
  }

  // A line around tiles that belong together; a tap takes the offer.
  outline(members, number) {
    const boxes = this.boxesOf(members), margin = this.size() * 0.22;
    const [x0, y0] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - margin);
    const [x1, y1] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + margin);
    const radius = this.size() * 0.36;
    return drawn("g", { class: "outline", "aria-hidden": "true" },
      drawn("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: margin }),
      ...(number ? [drawn("circle", { cx: x0, cy: y0, r: radius }),
        drawn("text", { x: x0, y: y0, "font-size": radius * 1.3 }, String(number))] : []));
  }

  // The usual length of the longer side of a tile, photo pixels.
  size() {
    const sides = this.data.tiles.filter((tile) => tile.box)
      .map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
    return sides[sides.length >> 1] ?? 80;
  }

  // A tile with its outline and its name; `place` is where it is drawn if not at its box, turned by so many degrees.
  box(tile, place = tile.box, turned = 0) {
    const { data } = this;
    const [x0, y0, x1, y1] = place;
    const [width, height] = [x1 - x0, y1 - y0];
    const lit = data.lit.includes(tile.at);
    const classes = ["box", tile.role, tile.doubt && "doubt", lit && "lit", data.lit.length > 0 && !lit && "dim",
      tile.at === this.selected && "selected", this.picked.has(tile.at) && "picked"].filter(Boolean).join(" ");
    const outline = { x: x0, y: y0, width, height, rx: Math.min(width, height) * 0.12 };
    const group = drawn("g", { class: classes, role: "button", tabindex: tile.at === this.first ? 0 : -1, "data-at": tile.at,
      "data-focus": `box${tile.at}`, "aria-label": this.label(tile), transform: turned ? `rotate(${turned} ${(x0 + x1) / 2} ${(y0 + y1) / 2})` : null },
    drawn("rect", { class: "halo", ...outline }), drawn("rect", { class: "edge", ...outline }));
    if (tile.role !== "other") {
      const label = this.view === "lines" ? Math.min(width, height * 0.75) * 0.66 : Math.min(width, height * 0.78, this.size() * 0.62);
      const above = this.view === "lines" || y0 - label * 1.42 > this.shown[1];
      group.append(drawn("image", { class: "name", href: data.faces[tile.tile], width: label, height: label * 4 / 3,
        x: (x0 + x1 - label) / 2, y: above ? y0 - label * 1.42 : y1 + label * 0.08 }));
    }
    return group;
  }

  label(tile) {
    const { names, words } = this.data;
    const nowhere = this.data.photo && !tile.box ? words.unseen : null;
    return [names[tile.tile], tile.hidden ? words.hidden_kong : words[tile.role], tile.doubt, nowhere].filter(Boolean).join(", ");
  }

  tap(event) {
    if (this.mode === "add") return;
    const nearest = this.at(event);
    const offer = this.data.offers.find(({ outlines }) => outlines.some((members) => members.includes(nearest)));
    if (offer && !this.picked.size && !this.mode) this.send(offer.event);
    else if (nearest !== null) this.open(nearest);
  }

  // The tile under a finger or a mouse, or close to it.
  at({ clientX: x, clientY: y }) {
    const away = ({ left, top, right, bottom }) => Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
      + 1e-3 * Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
    const [nearest] = this.drawnBoxes().map(({ at, box }) => ({ at, away: away(box) })).sort((a, b) => a.away - b.away);
    return nearest && nearest.away < REACH ? nearest.at : null;
  }

  // The tiles of the photo as they stand on the screen.
  drawnBoxes() {
    return [...this.svg.querySelectorAll(".box")].map((node) => ({ at: Number(node.dataset.at), box: node.querySelector(".edge").getBoundingClientRect() }));
  }

  // Adding: draw a box, or tap where the tile's middle is.
  startBox(event) {
    if (this.mode !== "add" || event.button) return;
    event.preventDefault();
    const rubber = new Rubber(this.svg, event);
    this.svg.setPointerCapture(event.pointerId);
    // Without this the click of the finger would fall on the sheet that opens under it.
    this.svg.addEventListener("touchend", (lifted) => lifted.preventDefault(), { once: true, passive: false });
    const listeners = new AbortController(), { signal } = listeners;
    const stop = () => { listeners.abort(); rubber.node.remove(); };
    this.svg.addEventListener("pointermove", (moved) => rubber.stretch(moved), { signal });
    this.svg.addEventListener("pointercancel", stop, { signal });
    this.svg.addEventListener("pointerup", () => {
      stop();
      ignoreClick(this.svg)();
      const { box, start } = rubber, least = 12 / this.svg.getScreenCTM().a;
      this.add(box && box[2] - box[0] > least && box[3] - box[1] > least ? box : this.around(start));
    }, { signal });
  }

  around([x, y]) {
    const [half, tall] = [this.size() * 0.37, this.size() * 0.5];
    return [x - half, y - tall, x + half, y + tall];
  }

  // A place beside the last tile, for those who cannot draw.
  beside() {
    const boxes = this.boxesOf(this.hand);
    const last = boxes.sort((a, b) => b[2] - a[2])[0] ?? [0, 0, 0, this.size()];
    return this.around([last[2] + this.size() * 0.4, (last[1] + last[3]) / 2]);
  }

  // Tools

  tool(name, icon, label, act, more = {}) {
    return element("button", { type: "button", class: `tool ${name}`, "data-focus": name, "aria-label": label, title: label,
      onclick: act, ...more }, element("span", { class: "icon", "aria-hidden": "true" }, icon), element("span", { class: "label" }, label));
  }

  bar() {
    const { words, can, photo } = this.data;
    if (this.picked.size) return pickedBar(this);
    const mode = (name, icon, label) => this.tool(name, icon, this.mode === name ? words.cancel : label,
      () => { this.mode = this.mode === name ? null : name; this.render(); }, { "aria-pressed": String(this.mode === name) });
    return element("div", { class: "bar", role: "toolbar", "aria-label": words.tools },
      this.tool("add", "＋", this.mode === "add" ? words.cancel : words.add, (event) => this.startAdding(event),
        { "aria-pressed": String(this.mode === "add") }),
      photo ? mode("select", "⬚", words.select) : null,
      this.hand.length ? mode("win", "★", words.winning) : null,
      element("span", { class: "space" }),
      this.tool("undo", "↶", words.undo, () => this.send({ do: "undo" }), { disabled: !can.undo }),
      this.tool("redo", "↷", words.redo, () => this.send({ do: "redo" }), { disabled: !can.redo }));
  }

  startAdding(event) {
    if (!this.data.photo) return this.add(null);
    if (event.detail === 0) return this.add(this.beside()); // the keyboard cannot draw a box
    this.mode = this.mode === "add" ? null : "add";
    this.render();
    if (this.mode) this.root.querySelector(".frame").scrollIntoView({ block: "nearest" });
  }

  hint() {
    const { hint, offers, words } = this.data;
    const picked = this.picked.size ? words.selected[Math.min(this.picked.size, words.selected.length - 1)] : null;
    const doing = picked ?? { add: words.how_add, win: words.how_win, select: words.how_select }[this.mode];
    const buttons = doing ? [] : offers.map((offer, index) => element("button", { type: "button", class: "chip offer",
      "data-focus": `offer${index}`, onclick: () => this.send(offer.event) }, offer.label));
    if (!doing && !hint && !buttons.length) return null;
    return element("div", { class: `hint ${doing ? "doing" : ""}` },
      doing || hint ? element("p", {}, doing ?? hint) : null,
      buttons.length ? element("div", { class: "offers" }, ...buttons) : null);
  }

  // The hand as tiles

  strip() {
    const { groups, lit, words } = this.data;
    const strip = element("div", { class: "strip", role: "group", "aria-label": words.hand });
    for (const group of groups) {
      const tiles = group.members.map((at) => {
        const tile = this.byPlace.get(at);
        const state = [at === group.turned && "turned", this.data.photo && !tile.box && "unseen", this.picked.has(at) && "picked", tile.doubt && "doubt", lit.includes(at) && "lit",
          lit.length && !lit.includes(at) && "dim"].filter(Boolean).join(" ");
        const button = tileButton(this.data, tile.tile, { class: `tile ${state}`, "data-at": at, "data-focus": `tile${at}`,
          "aria-label": this.label(tile), onclick: () => this.open(at) });
        movable(this, button, at);
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
    if (this.mode === "select" || this.picked.size) return pick(this, [at], { toggle: true });
    const { data } = this, tile = this.byPlace.get(at);
    if (!tile) return; // pressed in the drawing before
    const role = (name) => ({ label: data.words[name], active: tile.role === name && !tile.kong,
      act: () => this.send({ do: "role", at, role: name }) });
    const bonus = /[fq]$/.test(tile.tile);
    const roles = bonus ? [role("bonus")] : [role("winning"), role("concealed"), ...(tile.aside ? [role("bonus")] : [])];
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
    if (data.photo && data.indicators && !bonus) roles.push(role("dora_indicator"), role("ura_indicator"));
    if (data.photo) roles.push(role("other"));
    const row = data.rows.find((members) => members.includes(at));
    const asHand = row && !row.every((other) => this.hand.includes(other));
    if (asHand) roles.unshift({ label: data.words.row_is_hand[Math.min(row.length, data.words.row_is_hand.length - 1)],
      act: () => this.send({ do: "hand", members: row }) });
    this.select(at);
    openPicker(this.root, data, { title: data.names[tile.tile], note: tile.doubt ?? (tile.hidden ? data.words.hidden_kong : data.words[tile.role]), current: tile.tile, crop: this.crop(tile),
      guesses: tile.guesses, doubt: tile.doubt, roles, remove: () => this.send({ do: "remove", at }), closed: () => this.select(null),
      allowed: (face) => Boolean(data.photo) || face !== "back",
      choose: (face) => face === tile.tile && !tile.doubt ? null : this.send({ do: "tile", at, tile: face }) });
  }

  add(box) {
    this.mode = null;
    const sheet = openPicker(this.root, this.data, { title: this.addTitle(), note: this.data.words.how_choose, keep: !box,
      crop: box && this.crop({ box }), allowed: (face) => Boolean(box) || face !== "back",
      choose: (tile) => this.send({ do: "add", tile, ...(box ? { box } : {}) }),
      closed: () => { this.answer = null; this.left = "add"; this.render(); } });
    if (!box) return;
    this.answer = (looked) => {
      if (!looked || String(looked.box) !== String(box)) return;
      this.answer = null;
      sheet.offer(looked.guesses);
    };
    this.send({ do: "look", box });
  }

  addTitle() {
    return this.data.photo ? this.data.words.add : this.data.words.count;
  }

  crop(tile) {
    return this.data.photo && tile.box ? cropOf(this.data.photo, tile.box, 1.25) : null;
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
    else if (event.key === "Escape" && (this.mode || this.picked.size)) { this.mode = null; this.picked.clear(); this.render(); }
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
