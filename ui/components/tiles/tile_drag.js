// Dragging a tile of the strip to another place or into another part of the hand: with the mouse at once, with a finger after holding it for
// a moment, so that the page can still be scrolled. The sheet does the same for those who cannot drag.

const HOLD_MS = 220;
const SLACK = 8; // CSS pixels of movement that are no drag

function movable(canvas, button, at) {
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  draggable(button, (down) => {
    if (down.button || canvas.mode) return null;
    const tile = canvas.byPlace.get(at);
    return { hold_ms: down.pointerType === "touch" ? HOLD_MS : 0, begin: () => new Drag(canvas, button, tile, down) };
  });
}

// Lets a node be dragged: by a mouse at once, by a finger that has rested for `hold_ms`, or at once if that is 0. `begin` gives
// what takes the moves and the end.
function draggable(node, plan) {
  let drag = null;
  // Safari heeds these only if they listen before the finger comes (WebKit bug 184250).
  for (const kind of ["touchmove", "touchend"]) {
    node.addEventListener(kind, (event) => { if (drag) event.preventDefault(); }, { passive: false });
  }
  node.addEventListener("pointerdown", (down) => {
    drag = null; // the end of a touch comes after that of its pointer
    const planned = plan(down);
    if (!planned) return;
    const { hold_ms: rest, begin } = planned;
    const hold = rest ? setTimeout(() => { drag = begin({ held: true }); }, rest) : null;
    const listeners = new AbortController(), { signal } = listeners;
    const leave = (event) => {
      clearTimeout(hold);
      listeners.abort();
      drag?.end(event.type === "pointerup");
    };
    const move = (event) => {
      const away = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK;
      if (!drag && away && rest) leave(event); // a finger that moves at once scrolls
      else if (!drag && away) drag = begin({ held: false });
      drag?.move(event);
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", leave, { signal });
    window.addEventListener("pointercancel", leave, { signal });
  });
}

// Ignores the click that ends a gesture, until the returned function is called; if none comes, the next click counts.
function ignoreClick(node) {
  const swallow = (event) => event.stopImmediatePropagation();
  node.addEventListener("click", swallow, { capture: true });
  return () => setTimeout(() => node.removeEventListener("click", swallow, { capture: true }));
}

class Drag {
  constructor(canvas, button, tile, down) {
    Object.assign(this, { canvas, button, tile, at: tile.at, target: null });
    this.ghost = element("img", { class: "ghost", src: button.querySelector("img").src, alt: "" });
    this.drops = element("div", { class: "drops", "aria-hidden": "true" }, ...this.places());
    canvas.root.append(this.drops, this.ghost);
    button.classList.add("dragged");
    this.heed = ignoreClick(button);
    this.move(down);
  }

  places() {
    const { canvas: { data: { words, photo } }, tile } = this;
    const bonus = /[fq]$/.test(tile.tile);
    const parts = bonus ? ["bonus"] : ["concealed", "winning", ...(tile.sets.length ? ["meld"] : []), ...(tile.aside ? ["bonus"] : [])];
    return [...parts, ...(photo ? ["other"] : ["gone"])].map((part) =>
      element("span", { class: `drop ${part}`, "data-drop": part }, part === "gone" ? words.remove : words[part]));
  }

  move({ clientX: x, clientY: y }) {
    this.ghost.style.translate = `${x}px ${y}px`;
    const found = this.canvas.root.getRootNode().elementFromPoint(x, y);
    this.mark(found?.closest(".group.concealed .tile[data-at]"), x);
    const under = found?.closest("[data-drop]") ?? null;
    if (under === this.target) return;
    this.target?.classList.remove("over");
    under?.classList.add("over");
    this.target = under;
  }

  // Marks the gap of the row into which the tile would go.
  mark(neighbour, x) {
    this.gap?.node.classList.remove("before", "after");
    this.gap = null;
    if (!neighbour || neighbour === this.button || this.tile.role !== "concealed") return;
    const box = neighbour.getBoundingClientRect();
    this.gap = { node: neighbour, after: x > box.left + box.width / 2 };
    neighbour.classList.add(this.gap.after ? "after" : "before");
  }

  // The tile before which the gap is; null for the end of the row.
  before() {
    const row = [...this.canvas.root.querySelectorAll(".group.concealed .tile[data-at]")].filter((node) => node !== this.button);
    const next = row[row.indexOf(this.gap.node) + Number(this.gap.after)];
    return next ? Number(next.dataset.at) : null;
  }

  end(dropped) {
    this.ghost.remove();
    this.drops.remove();
    this.button.classList.remove("dragged");
    this.target?.classList.remove("over");
    this.gap?.node.classList.remove("before", "after");
    this.heed();
    const still = this.canvas.byPlace.get(this.at)?.tile === this.tile.tile // another hand may have come meanwhile
      && this.gap?.node.isConnected !== false;
    const event = dropped && still && this.target ? this.event(this.target.dataset) : null;
    if (event) this.canvas.send(event);
  }

  event({ drop, members }) {
    const { at, tile } = this;
    if (drop === "gone") return { do: "remove", at };
    if (this.gap) return { do: "move", at, before: this.before() };
    if (drop === "meld" && members) {
      const joined = members.split(" ").map(Number);
      return joined.includes(at) ? null : { do: "meld", members: [...joined, at] };
    }
    if (drop === "meld") return { do: "meld", members: tile.sets[0] };
    return drop === tile.role ? null : { do: "role", at, role: drop };
  }
}
