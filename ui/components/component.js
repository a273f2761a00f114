// The frame of every component: `render` of its own script draws what Python sends.

// While the browser loads a script, it runs the calls that wait for it in any order: the data of an older page come last.
const turns = new WeakMap();
export default function (component) {
  const { data: [{ turn, ...data }], parentElement } = component;
  const last = turns.get(parentElement);
  if (last && last.session === turn.session && last.number > turn.number) return undefined;
  turns.set(parentElement, turn);
  return render({ ...component, data });
}

// Events carry a rising number, so that Python never applies one twice.
let lastId = 0;
function nextId() {
  lastId = Math.max(Date.now(), lastId + 1);
  return lastId;
}

// Whether the data differ from those that `node` shows: a needless drawing would take a button from under a finger.
const shownData = new WeakMap();
function differs(node, data) {
  const text = JSON.stringify(data);
  const same = shownData.get(node) === text;
  shownData.set(node, text);
  return !same;
}

// Brings a note into view: it may lie below a picture that fills the window.
function showNote(root) { root.querySelector(".note[role=alert]")?.scrollIntoView({ block: "nearest" }); }

// Whether a key belongs to the link or button outside `root` which a person has reached by keys: the way to other pages.
const MOVES = /^(Tab|Enter| |Arrow.*)$/;
function isForFocus(event, root) {
  const focus = event.composedPath()[0]?.closest?.("a, button, summary");
  return Boolean(focus?.matches(":focus-visible")) && !root.contains(focus) && MOVES.test(event.key);
}

// Events on their way to Python: one at a time, because what the next one means depends on the answer to the last. One that
// is not answered goes again, for the connection may be down or the server restarting; Python applies none twice.
// `begin` makes of a given event, when its turn comes, the one that goes.
class Outbox {
  constructor(node, name, { begin = (event) => event, again_ms = 4000 } = {}) {
    Object.assign(this, { node, name, begin, again_ms, queue: [], timer: null });
  }

  send(event) {
    this.queue.push(event);
    this.next();
  }

  // The event that Python has answered; null for none. The next one waits for `next`.
  answered(ack) {
    if (!(this.queue[0]?.id <= ack)) return null;
    clearTimeout(this.timer);
    this.timer = null;
    return this.queue.shift();
  }

  next() {
    if (this.timer === null) this.flush();
  }

  flush() {
    this.timer = null;
    const [first] = this.queue;
    if (!first || !this.node.isConnected) return;
    this.queue[0] = first.id ? first : { ...this.begin(first), id: nextId() };
    this.timer = setTimeout(() => this.flush(), this.again_ms);
    try { this.trigger(this.name, this.queue[0]); } catch { /* no connection: it goes again */ }
  }
}

const element = (tag, ...given) => dressed(document.createElement(tag), ...given);
const drawn = (tag, ...given) => dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), ...given);

function dressed(node, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// A part of a whole as a percentage, as `percent` of Python writes it.
const percent = (part) => new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(part);

// A text as people search it, like `folded` in Python: without capitals, accents, letters of full or half width and the stroke
// of ł, and with katakana in place of hiragana.
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l")
  .replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));

// A part of a photo around a box, larger.
function cropOf(photo, [x0, y0, x1, y1], room) {
  const side = Math.max(x1 - x0, y1 - y0) * room;
  return drawn("svg", { class: "crop", viewBox: [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side].join(" "), "aria-hidden": "true" },
    drawn("image", { href: photo.url, width: photo.w, height: photo.h }));
}

// Where a mouse or finger is in a drawing, in its units.
function pointIn(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}

// Opens a dialog, which the back button of the browser closes like Escape.
function openSheet(sheet) {
  if (!sheet.isConnected) return;  // the page has changed since the press
  sheet.showModal();
  sheet.addEventListener("close", closedByBack(() => sheet.close()), { once: true });
}

// Lets a screen reader say this.
function announce(text) {
  const place = document.querySelector(".ts-said") ?? document.body.appendChild(element("p", { class: "ts-said", role: "status" }));
  place.textContent = text;
}

// Lets Tab go through the parts of a component in a dialog of Streamlit. Such a dialog moves the focus itself and sees no part,
// so we move it from one to the next. A key pressed outside may bring it to our place in the dialog, which passes it on.
function walkInDialog(parent, parts) {
  const { host } = parent.getRootNode();
  const walk = (event) => {
    const all = parts(), at = all.indexOf(host.shadowRoot.activeElement), next = all[at + (event.shiftKey ? -1 : 1)];
    const enter = (part) => { part.focus(); part.select?.(); };
    if (at >= 0 && next) {
      event.preventDefault();
      event.stopPropagation();
      enter(next);
    } else if (at < 0) {
      const closed = () => { host.onfocus = null; host.removeAttribute("tabindex"); };
      host.tabIndex = 0;
      host.onfocus = () => { closed(); enter(all.at(event.shiftKey ? -1 : 0)); };
      setTimeout(closed);
    }
  };
  host.closest('[role="dialog"]')?.addEventListener("keydown", (event) => event.key === "Tab" && walk(event), { capture: true });
}

// Lets the back button close what was just opened: on a phone it is the button that people press. Gives the function to call
// when it has closed. One may open over another, so each counts those below it.
// Streamlit draws the page anew whenever the history moves, unless the address has a # and is otherwise the same.
function closedByBack(close) {
  const count = () => history.state?.sheet ?? 0, depth = count() + 1;
  let shut = close;
  if (depth === 1) history.replaceState(history.state, "", "#");
  history.pushState({ sheet: depth }, "", "#");
  const moved = () => {
    if (count() >= depth) return;
    window.removeEventListener("popstate", moved);
    if (!count()) history.replaceState(history.state, "", location.pathname + location.search);
    const left = shut;
    shut = null;
    left?.();
  };
  window.addEventListener("popstate", moved);
  return () => {
    if (!shut) return; // the person went back
    shut = null;
    if (count()) history.back();
    else window.removeEventListener("popstate", moved); // another page has come meanwhile
  };
}

// Keeps a value with the browser for a year, for the pages of this app alone: a proxy may serve others under its name.
function setCookie(name, value, sameSite) {
  const secure = location.protocol === "https:" ? "; Secure" : "", path = new URL(".", location.href).pathname;
  document.cookie = `${name}=${value}; max-age=31536000; path=${path}; SameSite=${sameSite}${secure}`;
}

// Keeps the screen on while `wanted()`: gives what to call whenever that changes. A browser drops the lock as it hides the page.
function screenKeeper(wanted) {
  let lock = null;
  const keep = async () => {
    if (wanted() && !document.hidden) {
      try { lock ??= await navigator.wakeLock?.request("screen"); } catch { /* a low battery */ }
    }
    if (wanted() && !document.hidden) return;
    lock?.release().catch(() => {});
    lock = null;
  };
  document.addEventListener("visibilitychange", keep);
  return keep;
}
