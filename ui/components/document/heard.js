// For people who hear the page, or go through it by keys. Each answer draws anew what the page has to say, and a screen reader
// speaks only of what changes in a place that stays: one such place repeats what is new, until it has gone. Where an answer has drawn anew what
// had the focus, keys go on there; where it has gone, or a deal is booked, they go on from the beginning.

const TOGETHER_MS = 200; // the parts of an answer come one after the other
let heard = new Set(), fresh = [], waiting = 0, spoken = [], speech = "";
let last = null, name, view = "", books = false;

function render() {}

function hear() {
  const parts = new Map([...document.querySelectorAll(".ts-says")].map((part) => [part.dataset.says ?? part.textContent, part]));
  const more = [...parts].filter(([text]) => text && !heard.has(text));
  heard = new Set(parts.keys());
  if (!spoken.every((text) => heard.has(text))) {
    if (document.querySelector(".ts-said").textContent === speech) announce(""); // what has gone is no longer true
    spoken = [];
  }
  if (!more.length) return;
  fresh.push(...more.map(([text, part]) => [text, part.dataset.says ?? part.innerText.replace(/\s*\n\s*/g, ", ")]));
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    [spoken, speech] = [fresh.map(([text]) => text), fresh.map(([, said]) => said).join(" · ")];
    fresh = [];
    announce(speech);
  }, TOGETHER_MS);
}

const headings = () => [...document.querySelectorAll(".stMain h2:not(.ts-total)")].map((heading) => heading.textContent).join("\n");
const title = () => document.querySelector(".ts-head h1");

// The name of the field or button of Streamlit around a part, without the numbers that change when it is drawn anew.
const nameOf = (part) => [...part.closest('.stMain .stElementContainer[class*="st-key-"]')?.classList ?? []]
  .find((one) => one.startsWith("st-key-"))?.replace(/(-([0-9a-f]{32}|\d*))+$/, "");

const drawnAnew = () => [...document.querySelectorAll(`[class*="${name}"] ${last.tagName}:enabled`)]
  .find((part) => nameOf(part) === name && part.textContent === last.textContent);

function begin() {
  if (!last || document.activeElement !== document.body || document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning") return;
  if (last.isConnected && !last.disabled) return;
  const stays = view === headings();
  if (!books && !name && stays) return;
  const part = !books && name && drawnAnew();
  last = null;
  if (!part) title()?.setAttribute("tabindex", "-1");
  // A browser that anchors what it shows would stay somewhere in the middle of another view.
  (part || title())?.focus({ preventScroll: books || stays });
}

document.addEventListener("focusin", ({ target }) => {
  if (target !== title()) [last, name, view, books] = [target, nameOf(target), headings(), Boolean(target.closest(".st-key-ts_book"))];
});
new MutationObserver(() => { hear(); begin(); })
  .observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] });
announce("");
