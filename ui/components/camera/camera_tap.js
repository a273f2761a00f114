// The camera's picture, and its frames for Python. A frame is sent when the one before is answered, and none while
// Python knows the hand and the picture stays the same. Frames go to the server of this page and nowhere else.

const LONG_SIDE = 1280, QUALITY = 0.82;
const ANSWER_MS = 6000, LONGEST_MS = 60_000; // an answer that takes longer counts as lost; then the next one may take twice as long
const CHECK_MS = 60; // time between two checks whether a frame is to be sent
const CALM_MS = 5000; // time after which a frame of a still table is sent all the same
const CHANGED = 14; // grey levels
const SLOW = 6, COUNTED_MS = 4000; // frames a second below which a hand is recognised late
let tap = null; // the one of the page
const awake = screenKeeper(() => Boolean(tap?.stream) && tap.root.isConnected); // a phone that watches a table sleeps otherwise
navigator.mediaDevices?.addEventListener("devicechange", () => tap?.devices());
setInterval(() => tap?.tick(), CHECK_MS);

function render({ data, parentElement, setTriggerValue }) {
  if (tap?.parent !== parentElement) {
    tap?.stop();
    tap = new CameraTap(parentElement);
  }
  const own = tap;
  own.update(data, setTriggerValue);
  return () => { if (!parentElement.isConnected) own.stop(); };
}

class CameraTap {
  constructor(parent) {
    Object.assign(this, { parent, waiting: null, patience: ANSWER_MS, sent: null, stream: null, wanted: false, trouble: null, slow: false });
    this.video = element("video", { playsinline: true, muted: true, autoplay: true });
    this.video.muted = true;
    this.picker = element("select", { hidden: true, onchange: () => this.start(this.picker.value) });
    this.button = element("button", { type: "button", class: "switch", onclick: () => (this.wanted ? this.halt() : this.start()) });
    this.statusLine = element("p", { class: "status-line", role: "status", "aria-live": "polite" });
    this.stage = element("div", { class: "stage" }, this.video, this.statusLine);
    this.note = element("p", { class: "note", role: "status" });
    this.heading = element("h2", { class: "ts-said" });
    this.root = element("div", { class: "tap" }, this.heading, this.stage, element("div", { class: "tools" }, this.button, this.picker), this.note);
    parent.append(this.root);
    this.canvas = document.createElement("canvas");
    this.small = document.createElement("canvas");
    Object.assign(this.small, { width: 64, height: 36 });
  }

  update(data, trigger) {
    Object.assign(this, { data, trigger });
    if (data.ack === this.waiting?.id) {
      this.patience = Math.max(ANSWER_MS, 2 * (performance.now() - this.waiting.at));
      this.waiting = null;
    }
    this.draw();
  }

  draw() {
    const { words, state, line } = this.data;
    this.root.dataset.state = this.trouble ? "trouble" : this.stream ? state : "off";
    this.button.textContent = this.wanted ? words.stop : words.start;
    this.heading.textContent = words.camera;
    this.picker.setAttribute("aria-label", words.camera);
    this.video.setAttribute("aria-label", words.picture);
    this.note.textContent = this.stream && this.slow ? words.slow : "";
    this.statusLine.textContent = this.trouble ? words[this.trouble] : this.stream ? line : words.hint;
  }

  async start(id = null) {
    this.stop();
    const asked = this.asked = {};
    this.wanted = true;
    this.draw();
    try {
      if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
      const size = { width: { ideal: LONG_SIDE }, height: { ideal: 720 } };
      const video = id ? { ...size, deviceId: { exact: id } } : { ...size, facingMode: { ideal: "environment" } };
      const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
      if (this.asked !== asked) return end(stream); // stopped, left or asked for another camera meanwhile
      this.stream = stream;
      this.trouble = null;
      const [track] = this.stream.getVideoTracks();
      track.addEventListener("ended", () => this.lost());
      this.video.srcObject = this.stream;
      awake();
      await this.video.play();
      await this.devices();
      this.count();
    } catch (error) {
      if (this.asked !== asked) return;
      const named = { NotAllowedError: "refused", NotFoundError: "none", OverconstrainedError: "none", SecurityError: "insecure" };
      this.stop();
      this.trouble = named[error.name] ?? "busy";
      if (this.trouble === "refused" || this.trouble === "insecure") this.wanted = false;
      else this.again();
    }
    this.draw();
  }

  // Counts the pictures of the camera, to explain a slow answer: in the dark some cameras give few.
  count() {
    const { stream, video } = this;
    if (!video.requestVideoFrameCallback) return;
    let before = null, since = 0;
    const next = (now, { presentedFrames }) => {
      if (this.stream !== stream) return;
      if (before === null || now - since >= COUNTED_MS) {
        const seen = before !== null && now - since < 2 * COUNTED_MS; // a page in the background sees none
        const slow = seen && (presentedFrames - before) / (now - since) * 1000 < SLOW;
        [before, since] = [presentedFrames, now];
        if (slow !== this.slow) { this.slow = slow; this.draw(); }
      }
      video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  }

  // Asks again and again for a camera that is unplugged or that another program uses.
  again() {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => { if (this.wanted && !this.stream) this.start(); }, 3000);
  }

  lost() {
    this.stop();
    this.trouble = "unplugged";
    this.draw();
    this.again();
  }

  halt() {
    this.wanted = false;
    this.trouble = null;
    this.stop();
    this.draw();
  }

  stop() {
    clearTimeout(this.retry);
    end(this.stream);
    Object.assign(this, { asked: null, stream: null, waiting: null, sent: null });
    awake();
    this.video.srcObject = null;
  }

  async devices() {
    if (!this.stream) return;
    const all = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
    const used = this.stream?.getVideoTracks()[0]?.getSettings().deviceId;
    this.picker.replaceChildren(...all.map((one, at) =>
      element("option", { value: one.deviceId, selected: one.deviceId === used }, one.label || `${this.data.words.camera} ${at + 1}`)));
    this.picker.hidden = all.length < 2;
  }

  tick() {
    if (!this.root.isConnected) return void this.stop();
    if (document.querySelector(".stApp")?.dataset.testConnectionState !== "CONNECTED") this.waiting = null; // lost with it
    else if (this.stream && !document.hidden && this.video.readyState >= 2) this.look();
  }

  look() {
    const now = performance.now();
    if (this.waiting && now - this.waiting.at < this.patience) return;
    if (this.waiting) this.patience = Math.min(2 * this.patience, LONGEST_MS);
    const grey = this.thumbnail();
    if (this.data.idle && this.sent && now - this.sent.at < CALM_MS && !this.changed(grey)) return;
    this.sent = { grey, at: now };
    this.send(now);
  }

  // A grey copy of 64 x 36 points, cheap enough to make sixteen times a second.
  thumbnail() {
    const pen = this.small.getContext("2d", { willReadFrequently: true });
    pen.drawImage(this.video, 0, 0, 64, 36);
    const { data } = pen.getImageData(0, 0, 64, 36);
    return Float32Array.from({ length: 64 * 36 }, (_, at) => (data[4 * at] + data[4 * at + 1] + data[4 * at + 2]) / 3);
  }

  // Whether more than two points differ after a change of the whole brightness is taken out.
  changed(grey) {
    const before = this.sent.grey;
    const mean = grey.reduce((sum, value, at) => sum + value - before[at], 0) / grey.length;
    return grey.filter((value, at) => Math.abs(value - before[at] - mean) > CHANGED).length > 2;
  }

  send(now) {
    const { videoWidth: width, videoHeight: height } = this.video;
    const shrink = Math.min(1, LONG_SIDE / Math.max(width, height));
    Object.assign(this.canvas, { width: Math.round(width * shrink), height: Math.round(height * shrink) });
    this.canvas.getContext("2d").drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    const jpeg = this.canvas.toDataURL("image/jpeg", QUALITY).split(",")[1];
    const id = nextId();
    this.waiting = { id, at: now };
    this.trigger("frame", { id, at_s: now / 1000, jpeg });
  }
}

function end(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
