// The picture with its boxes: drawing, moving, resizing, zoom and pan with mouse, fingers or keys.

const EDGES = { nw: [1, 1, 0, 0], n: [0, 1, 0, 0], ne: [0, 1, 1, 0], e: [0, 0, 1, 0], se: [0, 0, 1, 1], s: [0, 0, 0, 1], sw: [1, 0, 0, 1], w: [1, 0, 0, 0] };

class Stage {
  constructor(owner) {
    this.owner = owner;
    this.svg = drawn("svg", { class: "stage", role: "group" });
    this.image = drawn("image");
    this.layer = drawn("g");
    this.svg.append(this.image, this.layer);
    this.pointers = new Map();
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) this.svg.addEventListener(name, (event) => this.up(event));
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  // The visible part of the picture: [left, top, width, height] in its pixels

  fit(drawIt = false) {
    const { w, h } = this.owner.data.photo;
    this.view = [0, 0, w, h];
    if (drawIt) this.draw();
  }

  // Shows all tiles with room for two more around them, or the whole picture where that is hardly larger.
  frame() {
    this.fit();
    const { w, h } = this.owner.data.photo;
    const boxes = this.owner.marks.map((mark) => mark.box);
    if (!boxes.length) return;
    const room = 2 * Math.max(...boxes.map(([x0, y0, x1, y1]) => Math.max(x1 - x0, y1 - y0)));
    const [left, top] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - room);
    const [right, bottom] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + room);
    const wide = Math.max(right - left, (bottom - top) * w / h);
    if (wide < 0.8 * w) this.setView((left + right - wide) / 2, (top + bottom - wide * h / w) / 2, wide, wide * h / w);
  }

  centre() { return [this.view[0] + this.view[2] / 2, this.view[1] + this.view[3] / 2]; }

  // Picture pixels in one screen pixel.
  scale() {
    const { clientWidth, clientHeight } = this.svg;
    return Math.max(this.view[2] / (clientWidth || 1), this.view[3] / (clientHeight || 1));
  }

  zoom(factor, [x, y] = this.centre()) {
    const { w, h } = this.owner.data.photo;
    const wide = clamp(this.view[2] / factor, w / 40, w);
    const real = this.view[2] / wide;
    this.setView(x - (x - this.view[0]) / real, y - (y - this.view[1]) / real, wide, wide * h / w);
  }

  pan(dx, dy) { this.setView(this.view[0] + dx * this.view[2], this.view[1] + dy * this.view[3], this.view[2], this.view[3]); }

  setView(x, y, width, height) {
    const { w, h } = this.owner.data.photo;
    this.view = [clamp(x, 0, w - width), clamp(y, 0, h - height), width, height];
    this.draw();
  }

  // Zooms in on one tile, so that its face fills a good part of the view.
  close(at) {
    const mark = this.owner.marks[at];
    if (!mark) return;
    const { w, h } = this.owner.data.photo;
    const wide = clamp(Math.max(mark.box[2] - mark.box[0], mark.box[3] - mark.box[1]) * 4, w / 40, w);
    const [x, y] = [(mark.box[0] + mark.box[2]) / 2, (mark.box[1] + mark.box[3]) / 2];
    this.setView(x - wide / 2, y - wide * h / w / 2, wide, wide * h / w);
  }

  // Moves the view if the tile is not in it.
  reveal(at) {
    const mark = this.owner.marks[at];
    if (!mark || !this.view) return;
    const [left, top, width, height] = this.view;
    const [x, y] = [(mark.box[0] + mark.box[2]) / 2, (mark.box[1] + mark.box[3]) / 2];
    if (x < left || y < top || x > left + width || y > top + height) this.setView(x - width / 2, y - height / 2, width, height);
  }

  // Drawing

  draw() {
    const { owner } = this;
    if (!owner.data || !this.view) return;
    const { photo } = owner.data;
    if (this.image.getAttribute("href") !== photo.url) this.image.setAttribute("href", photo.url);
    for (const [name, value] of Object.entries({ width: photo.w, height: photo.h })) this.image.setAttribute(name, value);
    this.svg.setAttribute("viewBox", this.view.join(" "));
    this.svg.setAttribute("aria-label", owner.data.words.photo);
    const order = owner.marks.map((_, at) => at).filter((at) => at !== owner.selected);
    if (owner.mark()) order.push(owner.selected);
    this.layer.replaceChildren(...order.map((at) => this.box(at)), ...(owner.mark() && !owner.roles.on ? this.handles() : []));
  }

  box(at) {
    const { owner } = this;
    const mark = owner.marks[at];
    const [x0, y0, x1, y1] = mark.box;
    const trust = owner.trust(mark);
    const hidden = (owner.only && mark.tile !== owner.only) || trust > owner.most;
    const classes = ["mark", mark.source, at === owner.selected && "selected", !owner.checked && trust < SURE && "doubt", hidden && "dim",
      ...(owner.roles.on ? ["part", mark.part.role, owner.roles.chosen.has(at) && "chosen"] : [])];
    const place = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    const size = Math.min((x1 - x0) * 0.4, 30 * this.scale());
    const percent = mark.source === "model" && mark.tile && trust < 0.95 ? drawn("text", { x: x0 + 3 * this.scale(), y: y1 - 4 * this.scale(), "font-size": 12 * this.scale() },
      `${Math.round(100 * mark.score)}`) : null;
    const face = owner.data.faces[mark.tile] && drawn("image", { class: "face", href: owner.data.faces[mark.tile], x: x0, y: Math.max(0, y0 - size * 0.9), width: size, height: size * 4 / 3 });
    const unknown = mark.tile.startsWith("?") && drawn("text", { class: "unknown", x: x0 + 3 * this.scale(), y: y0 + 14 * this.scale(), "font-size": 13 * this.scale() }, mark.tile);
    const badge = owner.roles.on && roleBadge(mark) && drawn("text", { class: "badge", x: (x0 + x1) / 2, y: y1 - 4 * this.scale(), "font-size": 15 * this.scale(), "text-anchor": "middle" },
      roleBadge(mark));
    return drawn("g", { class: classes.filter(Boolean).join(" "), "data-at": at, role: "img", "aria-label": owner.data.names[mark.tile] ?? (mark.tile || "?") },
      drawn("rect", { class: "halo", ...place }), drawn("rect", { class: "edge", ...place }), ...[face, unknown, percent, badge].filter(Boolean));
  }

  handles() {
    const [x0, y0, x1, y1] = this.owner.mark().box;
    const half = Math.min(4.5 * this.scale(), (x1 - x0) / 8, (y1 - y0) / 8); // the tile shows between them
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const places = { nw: [x0, y0], n: [x, y0], ne: [x1, y0], e: [x1, y], se: [x1, y1], s: [x, y1], sw: [x0, y1], w: [x0, y] };
    return Object.entries(places).map(([name, [left, top]]) => drawn("rect", { class: `handle ${name}`, "data-edge": name,
      x: left - half, y: top - half, width: 2 * half, height: 2 * half, rx: half / 3 }));
  }

  // Mouse and fingers

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * 0.0015), pointIn(this.svg, event));
  }

  down(event) {
    this.owner.root.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    event.preventDefault();
    this.cancel();
    if (this.pointers.size > 1) { this.drag = { kind: "pan" }; this.draw(); return; }
    if (this.owner.waiting) return; // other marks are on their way
    const start = pointIn(this.svg, event);
    const edge = event.target.dataset?.edge;
    const at = event.target.closest?.(".mark")?.dataset.at;
    if (event.button || event.shiftKey) this.drag = { kind: "pan" };
    else if (this.owner.roles.on) this.drag = { kind: "frame", start, at };
    else if (edge) this.take(start, EDGES[edge]);
    else if (at !== undefined && !event.altKey) {
      this.owner.select(Number(at));
      this.take(start, [1, 1, 1, 1]);
    } else this.drag = { kind: "draw", start };
  }

  // These edges of the selected box follow the pointer.
  take(start, edges) { this.drag = { start, edges, mark: this.owner.mark(), box: this.owner.mark().box }; }

  // Ends a gesture without its change.
  cancel() {
    if (this.drag?.mark) this.drag.mark.box = this.drag.box;
    this.drag = null;
    this.layer.querySelector(".rubber")?.remove();
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.drag) return;
    if (this.drag.kind === "pan") return this.slide(event, before);
    const now = pointIn(this.svg, event);
    const [dx, dy] = [now[0] - this.drag.start[0], now[1] - this.drag.start[1]];
    if (!this.drag.moved && Math.hypot(dx, dy) < LEAST * this.scale()) return undefined;
    this.drag.moved = true;
    const { mark } = this.drag;
    this.drag.now = mark ? this.owner.shifted(this.drag.box, dx, dy, this.drag.edges) : this.owner.inside([...this.drag.start, ...now]);
    if (mark) { mark.box = this.drag.now; return this.draw(); }
    this.layer.querySelector(".rubber")?.remove();
    const [x0, y0, x1, y1] = this.drag.now;
    this.layer.append(drawn("rect", { class: "rubber", x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
    return undefined;
  }

  // One pointer moves the view; two also zoom by the change of their distance.
  slide(event, before) {
    const now = [event.clientX, event.clientY];
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    const share = other ? 0.5 : 1;
    const scale = this.scale();
    this.view = [this.view[0] - (now[0] - before[0]) * scale * share, this.view[1] - (now[1] - before[1]) * scale * share, ...this.view.slice(2)];
    const apart = (from) => Math.hypot(from[0] - other[0], from[1] - other[1]) || 1;
    this.zoom(other ? apart(now) / apart(before) : 1, pointIn(this.svg, event));
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    const { drag, owner } = this;
    if (!drag || this.pointers.size) return;
    this.cancel();
    if (drag.kind === "frame") {
      if (drag.moved) owner.roles.frame(drag.now);
      else if (drag.at === undefined) owner.roles.clear();
      else owner.roles.flip(Number(drag.at));
    } else if (drag.kind === "draw") {
      const [x0, y0, x1, y1] = drag.now ?? [0, 0, 0, 0]; // outside the picture hardly anything is left of a box
      if (Math.min(x1 - x0, y1 - y0) >= LEAST * this.scale()) owner.add(drag.now);
      else owner.select(null);
    } else if (drag.moved && drag.mark) owner.change(() => { drag.mark.box = drag.now; });
    owner.settle();
    owner.render();
  }
}
