// What Streamlit says by itself is English, and it reads labels out with the signs of Markdown; a style changes neither.

let words = {};

function render({ data }) {
  words = data;
  name();
}

const said = (word, place) => JSON.parse(getComputedStyle(place).getPropertyValue(`--ts-${word}`) || '""');
const HELP = "Help for ";
const TEXTS = '[data-testid="stSkipToContent"], [data-testid="stCameraInput"] :is(p, button), [data-testid="stFileUploaderDropzone"] > span button p, section[role="dialog"] > h2, section[role="dialog"] > h2 + div > div, [role="listbox"][data-empty] span';
const LABELS = `[aria-label^="${HELP}"], [aria-label="file upload"], [aria-label="Open"], [aria-label="Decrement"], [aria-label="Increment"], [aria-label="Dismiss"], section[role="dialog"] > [aria-label="Close"], [aria-label="Clear all"], [data-ts-said]`;
const PLAIN = /\\([\\`*_{}[\]()<>#+!|~$:/&^=.-])/g;

const ONE = '[class*="st-key-ts_card_"], [class*="st-key-ts_past_"], [data-testid="stColumn"]';
const BUTTON = ':is([data-testid="stButton"], [data-testid="stPopover"]) button';

// Where several things have a button of one name, it says which of them it is for: what `data-about` of a part beside it says.
function nameButtons() {
  for (const button of document.querySelectorAll(`:is(${ONE}) ${BUTTON}, [data-ts-about]`)) {
    const about = button.closest(ONE)?.querySelector("[data-about]")?.dataset.about;
    const text = button.querySelector("p")?.textContent;
    if (about && button.ariaLabel !== `${text}: ${about}`) {
      button.ariaLabel = `${text}: ${about}`;
      button.dataset.tsAbout = "";
    } else if (!about && "tsAbout" in button.dataset) {
      button.removeAttribute("aria-label");
      delete button.dataset.tsAbout;
    }
  }
}

function name() {
  const pages = document.querySelector(".st-key-ts_pages");
  if (pages) pages.role = "navigation";
  nameButtons();
  for (const zone of document.querySelectorAll('[data-testid="stFileUploaderDropzone"]')) {
    zone.removeAttribute("role"); // it is called presentation, and has a name
    const button = zone.querySelector(':scope > span button, [data-testid="stFileChips"] > button');
    const [text, ...more] = zone.querySelector('[data-testid="stFileUploaderDropzoneInstructions"] span')?.childNodes ?? [];
    const [press, limits] = [said("photograph", zone), said("limits", zone)];
    if (button && button.ariaLabel !== press) button.ariaLabel = press;
    if (text && text.nodeValue !== limits) text.nodeValue = limits;
    for (const one of more) if (one.nodeValue) one.nodeValue = "";
  }
  for (const part of document.querySelectorAll(TEXTS)) {
    for (const text of part.childNodes) if (text.nodeType === Node.TEXT_NODE) say(text, text.nodeValue, (word) => { text.nodeValue = word; });
  }
  for (const part of document.querySelectorAll('[aria-label*="\\\\"]')) part.ariaLabel = part.ariaLabel.replaceAll(PLAIN, "$1");
  for (const part of document.querySelectorAll(LABELS)) {
    say(part, part.ariaLabel, (word) => { part.ariaLabel = word; part.dataset.tsSaid = ""; });
  }
  for (const field of document.querySelectorAll('[data-testid="stSelectbox"] input')) {
    say(field, field.placeholder, (word) => { field.placeholder = word; });
  }
}

// Another language may come later, so the English words are remembered.
const english = new WeakMap();
function say(node, now, put) {
  const before = english.get(node);
  const source = before?.word === now ? before.source : now;
  const word = source?.startsWith(HELP) ? words[HELP]?.replace("{name}", source.slice(HELP.length)) : words[source];
  if (word === undefined) return;
  english.set(node, { source, word });
  if (word !== now) put(word);
}

new MutationObserver(name).observe(document.body, { childList: true, subtree: true, characterData: true, attributeFilter: ["aria-label", "placeholder"] });
