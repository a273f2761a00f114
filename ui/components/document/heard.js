// For people who hear the page, or go through it by keys. Each answer draws anew what the page has to say, and a screen reader
// speaks only of what changes in a place that stays: one such place repeats what is new. Where another view has come in the
// place of what had the focus, keys go on from its beginning.

const SAYS = '.ts-says, [class*="st-key-ts_done_"] [data-testid="stMarkdownContainer"]';
let heard = new Set();
let last = null, view = "";

function render() {}

function hear() {
  const parts = new Map([...document.querySelectorAll(SAYS)].map((part) => [part.textContent, part]));
  const fresh = [...parts].filter(([text]) => text && !heard.has(text)).map(([, part]) => part.innerText.replace(/\s*\n\s*/g, ", "));
  heard = new Set(parts.keys());
  if (fresh.length) announce(fresh.join(" · "));
}

const headings = () => [...document.querySelectorAll(".stMain h2")].map((heading) => heading.textContent).join("\n");
const title = () => document.querySelector(".ts-head h1");

function begin() {
  const lost = last && document.activeElement === document.body && (!last.isConnected || last.disabled);
  if (!lost || view === headings() || document.querySelector(".stApp")?.dataset.testScriptState !== "notRunning") return;
  const preventScroll = last.isConnected;
  last = null;
  title()?.setAttribute("tabindex", "-1");
  title()?.focus({ preventScroll }); // a browser that anchors what it shows would stay somewhere in the middle of the other view
}

document.addEventListener("focusin", ({ target }) => { [last, view] = target === title() ? [null, ""] : [target, headings()]; });
new MutationObserver(() => { hear(); begin(); })
  .observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "disabled"] });
announce("");
