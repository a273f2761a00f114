// The manifest of the page, and plain words in the place of Streamlit's own when the server is gone.

let words = {};

function render({ data }) {
  words = data;
  link("manifest", data.manifest);
  link("apple-touch-icon", data.icon);
}

function link(rel, href) {
  if (document.head.querySelector(`link[rel="${rel}"]`)) return;
  const node = document.createElement("link");
  Object.assign(node, { rel, href, crossOrigin: "use-credentials" });
  document.head.append(node);
}

// Streamlit tells people to restart a script in their terminal; a player at the table has none.
const STREAMLITS = /Is Streamlit still running|streamlit run/;

new MutationObserver(() => {
  for (const dialog of document.querySelectorAll('[role="dialog"]')) {
    if (dialog.dataset.ts === "gone" || !STREAMLITS.test(dialog.textContent)) continue;
    dialog.dataset.ts = "gone";
    const title = dialog.querySelector("h2"), code = dialog.querySelector('[data-testid="stErrorCodeBlock"]');
    const text = code?.previousElementSibling;
    if (title?.firstChild) title.firstChild.nodeValue = words.title;
    if (text?.firstChild) text.firstChild.nodeValue = words.text;
    if (code) code.style.display = "none";
  }
}).observe(document.body, { childList: true, subtree: true });
