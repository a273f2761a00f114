// For people who hear the page, or go through it by keys. Each answer draws anew what the page has to say, and a screen reader
// speaks only of what changes in a place that stays: one such place repeats what is new. Where another view has come in the
// place of what had the focus, or a deal is booked, keys go on from the beginning.

const TOGETHER_MS = 200; // the parts of an answer come one after the other
let heard = new Set(), fresh = [], waiting = 0;
let last = null, view = "", books = false;

function render() {}

function hear() {
  const parts = new Map([...document.querySelectorAll(".ts-says")].map((part) => [part.textContent, part]));
  const more = [...parts].filter(([text]) => text && !heard.has(text)).map(([, part]) => part.innerText.replace(/\s*\n\s*/g, ", "));
  heard = new Set(parts.keys());
  if (!more.length) return;
  fresh.push(...more);
  clearTimeout(waiting);
  waiting = setTimeout(() => announce(fresh.splice(0).join(" · ")), TOGETHER_MS);
}

const headings = () => [...document.querySelectorAll(".stMain h2")].map((heading) => heading.textContent).join("\n");
const title = () => document.querySelector(".ts-head h1");

function begin() {
  if (!last || document.activeElement !== document.body || document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning") return;
  if ((last.isConnected && !last.disabled) || (!books && view === headings())) return;
  const preventScroll = books;
  last = null;
  title()?.setAttribute("tabindex", "-1");
  title()?.focus({ preventScroll }); // a browser that anchors what it shows would stay somewhere in the middle of the other view
}

document.addEventListener("focusin", ({ target }) => {
  if (target !== title()) [last, view, books] = [target, headings(), Boolean(target.closest(".st-key-ts_book"))];
});
new MutationObserver(() => { hear(); begin(); })
  .observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] });
announce("");
