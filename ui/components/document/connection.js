// While the page has no server, and until it is drawn again, it takes no press, because the press would be lost. In the
// place of Streamlit's words for a server that is gone, it shows plain ones.

let words = {};
let lost = false, running = false, asking = 0;

// Python calls at the end of each drawing of the whole page.
function render({ data }) {
  words = data;
  if (state().testConnectionState === "CONNECTED") rest(false);
}

// A drawing that fails ends without a call.
new MutationObserver(() => {
  const { testConnectionState: connection, testScriptState: script } = state();
  if (connection !== "CONNECTED") rest(true);
  else if (running && script === "notRunning") rest(false);
  running = connection === "CONNECTED" && script === "running";
  document.querySelectorAll('[role="dialog"]').forEach(speakPlainly);
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-connection-state", "data-test-script-state"] });

function state() {
  return document.querySelector(".stApp")?.dataset ?? {};
}

function rest(now) {
  if (lost === now) return;
  lost = now;
  for (const part of document.querySelectorAll(".stApp, .stFloatingOverlayPortal")) part.inert = now;
  clearInterval(asking);
  if (now) asking = setInterval(askAgain, 1000);
}

// A server that no longer knows this browser asks for its passphrase on a page of its own.
function askAgain() {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')];
  if (dialogs.some((dialog) => /status 401/.test(dialog.textContent))) location.reload();
}

// Streamlit tells people to restart a script in their terminal (on localhost) or to look at their internet, or names a
// status; a player at the table needs none of it.
const STREAMLITS = /Streamlit|Connection failed with status (?!401)|Connection timed out/;

function speakPlainly(dialog) {
  if (dialog.dataset.ts === "gone" || !STREAMLITS.test(dialog.textContent)) return;
  dialog.dataset.ts = "gone";
  const title = dialog.querySelector("h2"), code = dialog.querySelector('[data-testid="stErrorCodeBlock"]');
  const text = code?.previousElementSibling ?? title?.nextElementSibling?.firstElementChild;
  if (title?.firstChild) title.firstChild.nodeValue = words.title;
  if (text?.firstChild) text.firstChild.nodeValue = words.text;
  if (code) code.style.display = "none";
}
