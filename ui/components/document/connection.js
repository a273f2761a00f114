// While the page has no server, and until it is drawn again, it takes no press, because the press would be lost. In the
// place of Streamlit's words for a server that is gone, it shows plain ones.

let words = {};
let lost = false;

function render({ data }) {
  words = data;
}

new MutationObserver(() => {
  const { testConnectionState: connection, testScriptState: script } = document.querySelector(".stApp")?.dataset ?? {};
  if (connection !== "CONNECTED") rest(true);
  else if (script === "notRunning") rest(false);
  document.querySelectorAll('[role="dialog"]').forEach(speakPlainly);
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-connection-state", "data-test-script-state"] });

function rest(now) {
  if (lost === now) return;
  lost = now;
  for (const part of document.querySelectorAll(".stApp, .stFloatingOverlayPortal")) part.inert = now;
}

// Streamlit tells people to restart a script in their terminal; a player at the table has none.
const STREAMLITS = /Is Streamlit still running|streamlit run/;

function speakPlainly(dialog) {
  if (dialog.dataset.ts === "gone" || !STREAMLITS.test(dialog.textContent)) return;
  dialog.dataset.ts = "gone";
  const title = dialog.querySelector("h2"), code = dialog.querySelector('[data-testid="stErrorCodeBlock"]');
  const text = code?.previousElementSibling;
  if (title?.firstChild) title.firstChild.nodeValue = words.title;
  if (text?.firstChild) text.firstChild.nodeValue = words.text;
  if (code) code.style.display = "none";
}
