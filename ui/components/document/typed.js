// What people type. The first Enter in a field enters what was typed, as everywhere; the next one books, or begins a game.
// What was typed or chosen reaches the server before another page is opened: Streamlit sends a change and a new page at once,
// and the server then drops the change or draws nothing.

const LONGEST_MS = 4000; // then the page is left all the same
const FIELDS = 'input:is([type="text"], [type="number"]):not([role="combobox"]), textarea';
const CHOICES = 'input:is([type="checkbox"], [type="radio"])';
let typed = null; // the field in which something was typed since it got the focus or Enter
let before = null; // the text of the field when it got the focus
let told = true; // whether a drawing has begun with the last change

function render() {}

document.addEventListener("input", (event) => { typed = event.target; });
document.addEventListener("focusout", () => { typed = null; });
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !field.matches?.(FIELDS) || field.matches("textarea")) return;
  if (typed === field) typed = null;
  else document.querySelector(":is(.st-key-ts_book, .st-key-new-begin) button:not(:disabled)")?.click();
});

// Where a person is to type next, that field has the focus at once; not where a keyboard on the screen would hide the page,
// and not while the person types elsewhere or goes from button to button by keys.
const NEXT = '[class*="st-key-ts_focus_"] input';
const offered = new WeakSet();

function offer() {
  const field = document.querySelector(NEXT);
  if (!field || offered.has(field)) return;
  offered.add(field);
  let now = document.activeElement;
  while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
  const keys = matchMedia("(hover: hover) and (pointer: fine)").matches;
  if (keys && !now?.matches(":focus-visible")) field.focus({ preventScroll: true });
}

const state = () => document.querySelector(".stApp")?.dataset.testScriptState;

document.addEventListener("focusin", ({ target }) => { before = target.matches?.(FIELDS) ? target.value : null; });
document.addEventListener("keydown", ({ target, key }) => { if (key === "Enter" && target.matches?.(FIELDS)) before = target.value; });
document.addEventListener("input", ({ target }) => { if (target.matches?.(FIELDS)) told = target.value === before; });
document.addEventListener("change", ({ target }) => { if (target.matches?.(CHOICES)) told = false; });

let ran = false;
new MutationObserver(() => {
  offer();
  const editing = document.activeElement?.matches?.(FIELDS) && document.activeElement.value !== before;
  if (state() === "running") ran = true;
  else if (ran && state() === "notRunning") [ran, told] = [false, !editing];
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state"] });

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('[data-testid="stPageLink-NavLink"]');
  if (!link || told || !event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  document.activeElement?.blur();
  const began = performance.now();
  const leave = () => {
    if (!told && performance.now() - began < LONGEST_MS) return setTimeout(leave, 20);
    told = true;
    return link.click();
  };
  leave();
}, { capture: true });
