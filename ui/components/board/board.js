// Table mode: standing and last score on the whole screen. The device stays awake; a booking rings quietly where wished.

const SOUND = "tilescore.sound";
const NOTES = [[659, 0], [880, .14]]; // hertz, seconds
const boards = new WeakMap();

function render({ data, parentElement }) {
  if (!boards.has(parentElement)) boards.set(parentElement, new Board(parentElement));
  boards.get(parentElement).update(data);
}

class Board {
  constructor(parent) {
    this.opener = element("button", { type: "button", class: "open", onclick: () => this.open() });
    this.sheet = element("dialog", { class: "board" });
    this.sheet.addEventListener("close", () => this.leave());
    this.awake = screenKeeper(() => this.sheet.open);
    document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && this.wide) this.sheet.close(); });
    parent.append(this.opener, this.sheet);
  }

  get rings() { return localStorage.getItem(SOUND) === "on"; }

  open() {
    openSheet(this.sheet);
    this.sheet.requestFullscreen?.().then(() => { this.wide = true; }, () => {}); // a phone may have none: the page is the screen
    this.awake();
  }

  leave() {
    this.wide = false;
    this.awake();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  ring() {
    this.audio ??= new AudioContext();
    this.audio.resume().catch(() => {}); // a phone stops it for a call
    for (const [pitch, after] of NOTES) {
      const note = new OscillatorNode(this.audio, { frequency: pitch }), loud = new GainNode(this.audio, { gain: 0 });
      const at = this.audio.currentTime + after;
      loud.gain.setValueAtTime(0, at);
      loud.gain.linearRampToValueAtTime(.06, at + .02);
      loud.gain.exponentialRampToValueAtTime(.0001, at + .5);
      note.connect(loud).connect(this.audio.destination);
      note.start(at);
      note.stop(at + .5);
    }
    this.sheet.dataset.rang = String(Number(this.sheet.dataset.rang ?? 0) + 1);
  }

  update(data) {
    if (!differs(this.sheet, data)) return;
    const isNews = this.event !== undefined && this.event !== data.event;
    this.event = data.event;
    const { words } = data;
    this.opener.textContent = words.open;
    this.sheet.setAttribute("aria-label", words.open);
    const sound = element("button", { type: "button", class: "tool", "aria-pressed": String(this.rings), onclick: () => {
      localStorage.setItem(SOUND, this.rings ? "off" : "on");
      sound.setAttribute("aria-pressed", String(this.rings));
      if (this.rings) this.ring();
    } }, words.sound);
    const close = element("button", { type: "button", class: "tool", "aria-label": words.close, onclick: () => this.sheet.close() }, "✕");
    this.sheet.replaceChildren(
      element("header", {}, element("strong", {}, data.title), ...data.lines.map((line) => element("span", {}, line)),
        element("div", { class: "tools" }, sound, close)),
      element("div", { class: "seats", style: `--seats: ${data.seats.length}` }, ...data.seats.map((seat) => this.seat(seat))),
      element("p", { class: "last", role: "status" }, data.last));
    if (isNews && this.sheet.open && this.rings) this.ring();
  }

  seat(seat) {
    return element("div", { class: `seat ${seat.dealer ? "dealer" : ""} ${seat.first ? "first" : ""}` },
      element("div", { class: "inside" },
        element("div", { class: "who" }, element("img", { src: seat.face, alt: seat.wind }), element("span", { class: "name", dir: "auto" }, seat.name),
          element("span", { class: `change ${seat.change.startsWith("+") ? "gets" : "pays"}` }, seat.change)),
        element("b", { class: "points" }, seat.points)));
  }
}
