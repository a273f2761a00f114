// Selecting several tiles of the photo: a mouse draws a rectangle, a finger is held first; then taps add single tiles.
// The bar in the place of the tools says what the selected tiles are.

const PRESS_MS = 350;

function pick(canvas, places, { toggle = false } = {}) {
  for (const at of places) if (!(toggle && canvas.picked.delete(at))) canvas.picked.add(at);
  canvas.render();
}

function pickedBar(canvas) {
  const { words } = canvas.data;
  const members = [...canvas.picked];
  const flowers = members.every((at) => /[fq]$/.test(canvas.byPlace.get(at).tile));
  const act = (event) => () => { canvas.mode = null; canvas.send(event); canvas.render(); };
  const roles = [flowers ? ["bonus", words.flowers] : ["concealed", words.my_hand], ["meld", words.meld], ["other", words.not_mine]];
  return element("div", { class: "bar picks", role: "toolbar", "aria-label": words.part },
    ...roles.map(([role, label]) => element("button", { type: "button", class: `tool pick ${role}`, "data-focus": `pick-${role}`,
      onclick: act(role === "meld" ? { do: "meld", members } : { do: "roles", members, role }) }, label)),
    canvas.tool("unpick", "✕", words.cancel, () => { canvas.mode = null; canvas.picked.clear(); canvas.render(); }));
}

function selectable(canvas, svg) {
  svg.addEventListener("contextmenu", (event) => { if (event.pointerType === "touch") event.preventDefault(); });
  draggable(svg, (down) => {
    if (down.button || canvas.mode === "add" || canvas.mode === "win") return null;
    return { hold_ms: down.pointerType === "touch" && canvas.mode !== "select" ? PRESS_MS : 0,
      begin: ({ held }) => { if (held) navigator.vibrate?.(12); return new Rectangle(canvas, svg, down, held); } };
  });
}

// The rectangle that a pointer draws from where it went down.
class Rubber {
  constructor(svg, down) {
    Object.assign(this, { svg, start: pointIn(svg, down), box: null, node: drawn("rect", { class: "rubber" }) });
    svg.append(this.node);
  }

  stretch(event) {
    const end = pointIn(this.svg, event), { start } = this;
    this.box = [0, 1].map((i) => Math.min(start[i], end[i])).concat([0, 1].map((i) => Math.max(start[i], end[i])));
    const [x, y, right, bottom] = this.box;
    for (const [name, value] of Object.entries({ x, y, width: right - x, height: bottom - y })) this.node.setAttribute(name, value);
  }
}

class Rectangle {
  constructor(canvas, svg, down, held) {
    Object.assign(this, { canvas, held, down, under: canvas.at(down), rubber: new Rubber(svg, down), heed: ignoreClick(svg) });
  }

  move(event) {
    this.rubber.stretch(event);
    this.last = event;
  }

  end(done) {
    this.rubber.node.remove();
    this.heed();
    if (!done) return;
    const places = this.rubber.box ? this.inside() : [];
    if (places.length) pick(this.canvas, places);
    else if (this.held && this.under !== null) pick(this.canvas, [this.under]);
  }

  // The tiles whose middle lies in the rectangle, without those of walls.
  inside() {
    const { canvas, down, last } = this, between = (one, end, other) => (one - end) * (one - other) < 0;
    return canvas.drawnBoxes().filter(({ at, box }) => between((box.left + box.right) / 2, down.clientX, last.clientX)
      && between((box.top + box.bottom) / 2, down.clientY, last.clientY)).map(({ at }) => at)
      .filter((at) => { const { tile, role } = canvas.byPlace.get(at); return tile !== "back" || role !== "other"; });
  }
}
