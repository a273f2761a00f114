// Labels a picture: every action has a key, and many have a mouse gesture. The marks live here while a person works, so
// that nothing waits; each change goes to Python, one at a time, which acknowledges it when it is on the disk.

const views = new WeakMap();
const SURE = 0.85;
const LEAST = 5; // a drawn box below this size, in screen pixels, is a click

function render({ data, parentElement, setTriggerValue }) {
  if (!views.has(parentElement)) views.set(parentElement, new Annotator(parentElement));
  views.get(parentElement).update(data, setTriggerValue);
}

const clone = (marks) => marks.map((mark) => ({ ...mark, box: [...mark.box] })); // parts are never changed in place
const marksOf = ({ marks, guesses }) => marks.map(([tile, x0, y0, x1, y1, part, source, score], at) =>
  ({ tile, box: [x0, y0, x1, y1], part: parsePart(part), source, score, guesses: guesses[at] }));

// Their marks with what is new, changed or gone in mine since both were alike; a mark is known by its box.
function joined(before, mine, theirs) {
  const place = ({ box }) => box.join(), of = (marks) => new Map(marks.map((mark) => [place(mark), mark]));
  const same = (one, other) => one && other && one.tile === other.tile && partText(one.part) === partText(other.part) && one.source === other.source;
  const [old, own] = [of(before), of(mine)], all = of(theirs.filter((mark) => own.has(place(mark)) || !old.has(place(mark))));
  for (const mark of mine) if (!same(mark, old.get(place(mark)))) all.set(place(mark), mark);
  return clone([...all.values()]);
}
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

class Annotator {
  constructor(parent) {
    this.root = element("div", { class: "annotator", tabindex: "-1" });
    parent.append(this.root);
    // The version that a change starts from is that which the last answer gave.
    const begin = (event) => ({ ...event, state: { ...event.state, version: this.version } });
    Object.assign(this, { outbox: new Outbox(this.root, "edit", { begin, again_ms: 8000 }), later: [], marks: [], past: [], future: [], selected: null,
      suit: null, only: null, most: 1, byClass: false, pointers: new Map(), stage: new Stage(this),
      hand: "", rejected: "", roles: new RoleDesk(this) });
    // Keys work wherever the focus is, except in a field or in an open dialog.
    const keys = (event) => this.root.isConnected ? this.key(event) : window.removeEventListener("keydown", keys, true);
    window.addEventListener("keydown", keys, true);
    window.addEventListener("beforeunload", (event) => { if (this.root.isConnected && this.busy) event.preventDefault(); });
  }

  // To Python and back

  get busy() { return this.outbox.queue.length > 0; }

  // Python makes the marks that come next: what is pressed meanwhile waits for them.
  get waiting() { return this.outbox.queue.some((event) => event.do !== "save" && event.do !== "follow"); }

  // Of several changes that wait for the disk only the last is sent, which holds all; undo keeps the others here.
  send(event) {
    const { queue } = this.outbox, last = queue.at(-1);
    if (event.do === "save" && last?.do === "save" && !last.id) queue.pop();
    this.outbox.send({ ...event, key: this.data.key });
    this.showSaved();
  }

  flush() {
    this.outbox.next();
    this.showSaved();
  }

  update(data, trigger) {
    this.outbox.trigger = trigger;
    const done = this.outbox.answered(data.ack);
    if (!differs(this.root, data)) return this.flush();
    const turned = this.data?.key !== data.key;
    const refused = data.refused && data.refused !== this.refused, known = this.data;
    this.data = data;
    this.version = data.version;
    if (turned) this.turn();
    else if (refused) this.giveWay(known);
    else this.settle();
    if (done) this.arrive();
    this.render();
    showNote(this.root);
    return this.flush();
  }

  // Somebody else has changed the picture: what a person changed since the state that both knew waits as one step of redo,
  // also while they change more.
  giveWay(known) {
    const mine = this.refusedSteps().reduce((state, step) => this.stateOf(step, state), this.snapshot());
    this.future = [{ ...mine, known }];
    this.outbox.queue = this.outbox.queue.filter((event) => event.id); // only what is on its way
    Object.assign(this, { refused: this.data.refused, said: this.data.note, later: [], past: [], gaveWay: true });
    this.roles.chosen.clear();
    this.adopt();
  }

  refusedSteps() { return this.future.filter((step) => step.known); }

  // The state to which a step leads: one that was refused joins what the picture shows now.
  stateOf(step, now = this.snapshot()) {
    if (!step.known) return step;
    const kept = (name) => step[name] === (step.known[name] ?? "") ? now[name] : step[name];
    return { marks: joined(marksOf(step.known), step.marks, now.marks), checked: kept("checked"), hand: kept("hand"), rejected: kept("rejected") };
  }

  adopt() {
    const { checked, hand, rejected = "" } = this.data;
    this.marks = marksOf(this.data);
    Object.assign(this, { checked, hand, rejected });
    if (this.selected !== null && this.selected >= this.marks.length) this.selected = null;
  }

  // Shows what Python has kept, once no change of ours is on its way and no gesture holds a mark.
  settle() { if (!this.busy && !this.stage.drag) this.adopt(); }

  turn() {
    this.stage.cancel();
    Object.assign(this, { past: [], future: [], selected: null, suit: null, gaveWay: false });
    this.adopt();
    this.stage.frame();
    this.selected = this.doubtful()[0] ?? null;
    this.roles.turn();
  }

  // What is pressed while the next marks are on their way belongs to them.
  soon(act) {
    this.later.push(act);
    this.arrive();
  }

  // Once one of them opens a dialog, the rest was meant for its field: it must not change marks behind the question.
  arrive() { while (this.later.length && !this.waiting) { this.later.shift()(); if (this.asking) this.later = []; } }
  get asking() { return this.root.querySelector("dialog[open]") !== null; }

  go(to, more = {}) { this.send({ do: "go", to, ...more }); }

  // Python changes the marks; undo leads back to the present ones.
  ask(what) {
    this.past.push(this.snapshot());
    this.future = this.refusedSteps();
    this.send({ do: what });
  }

  // Changing marks

  snapshot() {
    this.stage.cancel();
    return { marks: clone(this.marks), checked: this.checked, hand: this.hand, rejected: this.rejected };
  }

  change(act) {
    this.past.push(this.snapshot());
    this.future = this.refusedSteps();
    act();
    this.save();
    this.render();
  }

  save() {
    const marks = this.marks.map(({ tile, box, part, source, score }) => [tile, ...box, partText(part), source, score]);
    this.send({ do: "save", state: { marks, checked: this.checked, hand: this.hand, rejected: this.rejected } });
  }

  step(from, to) {
    if (!from.length) {
      if (from === this.past && this.data.rewind && !this.gaveWay) { to.push(this.snapshot()); this.send({ do: "rewind" }); }
      return;
    }
    to.push(this.snapshot());
    const { marks, checked, hand, rejected } = this.stateOf(from.pop());
    Object.assign(this, { marks: clone(marks), checked, hand, rejected });
    this.roles.chosen.clear();
    if (this.selected >= marks.length) this.selected = null;
    this.save();
    this.render();
  }

  mark() { return this.marks[this.selected]; }

  name(tile) {
    if (!this.mark()) return;
    this.change(() => Object.assign(this.mark(), { tile, source: "person", score: 1 }));
  }

  accept() {
    const mark = this.mark();
    if (mark && mark.source !== "person") this.change(() => Object.assign(mark, { source: "person", score: 1 }));
    if (this.doubtful().length) this.nextDoubt(1);
  }

  acceptAll() { this.marks.forEach((mark) => Object.assign(mark, { source: "person", score: 1 })); }

  finish() {
    if (!this.checked || this.marks.some((mark) => mark.source !== "person")) {
      this.change(() => { this.acceptAll(); this.checked = true; this.rejected = ""; });
    }
    this.go("unchecked");
  }

  // All is right in this frame of a film; the boxes of the frames around it follow.
  follow() {
    if (!this.data.follows) return;
    this.change(() => { this.acceptAll(); this.checked = true; this.rejected = ""; });
    this.send({ do: "follow" });
  }

  // Nobody shall learn from the picture; a second press takes that back.
  reject() {
    if (this.rejected) this.change(() => { this.rejected = ""; });
    else askWhy(this, (why) => { this.change(() => { this.rejected = why; this.checked = false; }); this.go("unchecked"); });
  }

  remove() {
    const gone = this.roles.meant();
    if (!gone.length) return;
    this.change(() => {
      this.marks = this.marks.filter((mark) => !gone.includes(mark));
      this.roles.chosen.clear();
      this.selected = this.roles.on ? null : this.doubtful()[0] ?? null;
    });
  }

  // A new box; without a name Python asks the model for one.
  add(box, like = {}) {
    this.change(() => {
      this.marks.push({ tile: "", part: parsePart(""), source: "model", score: 0, guesses: [], ...like, box: this.inside(box) });
      this.selected = this.marks.length - 1;
    });
  }

  // Adds a box beside the selected tile, along its row.
  duplicate() {
    const mark = this.mark();
    if (!mark) return;
    const [x0, y0, x1, y1] = mark.box;
    const [dx, dy] = this.step_along(mark);
    this.add([x0 + dx, y0 + dy, x1 + dx, y1 + dy], { tile: mark.tile, part: mark.part, source: "person", score: 1 });
  }

  // The step from this tile to the emptier neighbouring place in its row.
  step_along(mark) {
    const [w, h] = [mark.box[2] - mark.box[0], mark.box[3] - mark.box[1]];
    const ways = [[w * 1.04, 0], [-w * 1.04, 0], [0, h * 1.04], [0, -h * 1.04]];
    const { w: wide, h: high } = this.data.photo;
    const blocked = ([dx, dy]) => {
      const [x, y] = [(mark.box[0] + mark.box[2]) / 2 + dx, (mark.box[1] + mark.box[3]) / 2 + dy];
      return x < 0 || y < 0 || x > wide || y > high
        || this.marks.some(({ box }) => x > box[0] && x < box[2] && y > box[1] && y < box[3]);
    };
    return ways.find((way) => !blocked(way)) ?? ways[0];
  }

  insert() {
    const boxes = this.marks.map((mark) => mark.box);
    const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? null;
    const w = middle(boxes.map((box) => box[2] - box[0])) ?? this.data.photo.w / 14;
    const h = middle(boxes.map((box) => box[3] - box[1])) ?? w * 1.35;
    const [x, y] = this.stage.centre();
    this.add([x - w / 2, y - h / 2, x + w / 2, y + h / 2]);
  }

  inside([x0, y0, x1, y1]) {
    const { w, h } = this.data.photo;
    const [left, top] = [clamp(Math.min(x0, x1), 0, w - 2), clamp(Math.min(y0, y1), 0, h - 2)];
    return [left, top, clamp(Math.max(x0, x1), left + 2, w), clamp(Math.max(y0, y1), top + 2, h)];
  }

  // Moves the edges [left, top, right, bottom] that are set; a moved box keeps its size at the edge of the picture.
  shift(dx, dy, edges) {
    const mark = this.mark();
    if (!mark) return;
    this.change(() => { mark.box = this.shifted(mark.box, dx, dy, edges); });
  }

  shifted(box, dx, dy, edges = [1, 1, 1, 1]) {
    const { w, h } = this.data.photo;
    if (edges.every(Boolean)) { dx = clamp(dx, -box[0], w - box[2]); dy = clamp(dy, -box[1], h - box[3]); }
    return this.inside(box.map((value, side) => value + (edges[side] ? (side % 2 ? dy : dx) : 0)));
  }

  // The doubtful marks, the least trusted first

  trust(mark) {
    if (mark.source === "person") return 1;
    if (mark.source === "model") return mark.score;
    return mark.guesses.find(([tile]) => tile === mark.tile)?.[1] ?? 0;
  }

  ranked() { return this.marks.map((_, at) => at).sort((a, b) => this.trust(this.marks[a]) - this.trust(this.marks[b]) || a - b); }

  doubtful() { return this.checked ? [] : this.ranked().filter((at) => this.trust(this.marks[at]) < SURE); }

  nextDoubt(step) {
    const all = this.doubtful();
    const place = all.indexOf(this.selected);
    const next = place < 0 ? (step > 0 ? all[0] : all[all.length - 1]) : all[place + step];
    if (next === undefined) return step > 0 && !all.length ? this.go("doubtful") : this.select(all[step > 0 ? 0 : all.length - 1] ?? null);
    return this.select(next);
  }

  select(at) { this.selected = at; this.suit = null; this.stage.reveal(at); this.render(); }

  // The nearest mark in that direction.
  neighbour(dx, dy) {
    const middle = ({ box }) => [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const from = this.mark() && middle(this.mark());
    if (!this.mark()) return this.select(this.marks.map((_, at) => at).sort((a, b) => this.along(a, dx, dy) - this.along(b, dx, dy))[0] ?? null);
    const away = (at) => {
      const [x, y] = middle(this.marks[at]).map((value, side) => value - from[side]);
      const ahead = x * dx + y * dy;
      return ahead > 1 ? ahead + 3 * Math.abs(x * dy) + 3 * Math.abs(y * dx) : Infinity;
    };
    const best = this.marks.map((_, at) => at).sort((a, b) => away(a) - away(b))[0];
    if (away(best) < Infinity) this.select(best);
  }

  // The distance of a mark from the start of that direction.
  along(at, dx, dy) { return this.marks[at].box[0] * dx + this.marks[at].box[1] * dy; }

  // Keys

  key(event) {
    const target = event.composedPath()[0];
    if (this.asking) return;
    if (target?.matches?.("input, textarea, select, [contenteditable]") && event.key !== "Escape") return;
    if (isForFocus(event, this.root)) return;
    if (!this.command(event) && !(this.waiting && /^[0-9]$/.test(event.key))) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Streamlit has keys of its own
    this.stage.svg.scrollIntoView({ block: "nearest" });
    this.soon(() => this.command(event)?.()); // a digit names a tile only after the suit before it
  }

  // The action of a key as a function; nothing for any other key.
  command({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    const held = ctrlKey || metaKey;
    if (shiftKey && key === "Tab") return null; // the way out
    const given = this.roles.on && this.roles.command({ key, ctrlKey, metaKey, altKey, shiftKey });
    if (given) return given;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (arrow) return () => this.arrow(arrow, { shiftKey, grow: held || altKey });
    if (held && key.toLowerCase() === "z") return () => shiftKey ? this.step(this.future, this.past) : this.step(this.past, this.future);
    if (held && key.toLowerCase() === "y") return () => this.step(this.future, this.past);
    if (held || altKey) return null;
    if (this.suit && /^[0-9]$/.test(key)) return () => this.rank(key);
    if (key === "b") return () => this.choose("back");
    if (/^[mpszfq]$/.test(key)) return () => { this.suit = { suit: key, why: this.suit?.why }; this.render(); };
    const act = this.commands()[key];
    return act ? () => { this.suit = null; act(); } : null;
  }

  commands() {
    return {
      Tab: () => this.nextDoubt(1), n: () => this.nextDoubt(1), N: () => this.nextDoubt(-1),
      Enter: () => this.accept(), a: () => this.change(() => this.acceptAll()), " ": () => this.finish(),
      c: () => this.change(() => { this.checked = !this.checked; if (this.checked) this.rejected = ""; }), R: () => this.reject(), F: () => this.follow(),
      Delete: () => this.remove(), Backspace: () => this.remove(), x: () => this.remove(),
      d: () => this.duplicate(), i: () => this.insert(),
      v: () => this.ask("copy"),
      ".": () => this.go("next"), ",": () => this.go("previous"), PageDown: () => this.go("next"), PageUp: () => this.go("previous"),
      Home: () => this.go("first"), End: () => this.go("last"), u: () => this.go("unchecked"), U: () => this.go("doubtful"),
      "+": () => this.stage.zoom(1.3), "=": () => this.stage.zoom(1.3), "-": () => this.stage.zoom(1 / 1.3), 0: () => this.stage.fit(true),
      e: () => this.stage.close(this.selected),
      h: () => this.stage.pan(-0.15, 0), l: () => this.stage.pan(0.15, 0), k: () => this.stage.pan(0, -0.15), j: () => this.stage.pan(0, 0.15),
      g: () => { if (this.only) { this.only = null; } else this.suit = { why: "show" }; this.render(); },
      "[": () => { this.most = this.most > 0.5 ? this.most - 0.25 : 1; this.render(); },
      t: () => { this.byClass = !this.byClass; this.render(); },
      w: () => this.root.querySelector("select")?.focus(), r: () => this.roles.toggle(),
      Escape: () => { Object.assign(this, { selected: null, suit: null, only: null, most: 1 }); this.root.focus({ preventScroll: true }); this.render(); },
      "?": () => this.help(), F1: () => this.help(),
    };
  }

  arrow([dx, dy], { shiftKey, grow }) {
    const reach = this.stage.scale() * 2; // two screen pixels
    if (grow) this.shift(dx * reach, dy * reach, shiftKey ? [1, 1, 0, 0] : [0, 0, 1, 1]);
    else if (shiftKey) this.shift(dx * reach, dy * reach, [1, 1, 1, 1]);
    else this.neighbour(dx, dy);
  }

  rank(digit) {
    const tile = `${digit}${this.suit.suit}`;
    if (tile in this.data.names) this.choose(tile);
    else { this.suit = null; this.render(); }
  }

  choose(tile) {
    const show = this.suit?.why === "show";
    this.suit = null;
    if (show) { this.only = tile; this.render(); } else this.name(tile);
  }

  // Drawing; annotator_panels.js has the parts

  render() { drawPanels(this); }

  showSaved() {
    const light = this.root.querySelector(".saved");
    if (!light) return;
    light.classList.toggle("busy", this.busy);
    light.textContent = this.busy ? this.data.words.saving : this.data.words.saved;
  }

  help() { openHelp(this); }
}
