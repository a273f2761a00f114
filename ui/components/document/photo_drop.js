// Pictures that are dropped anywhere on the page, or pasted, go to the button for photos; a dialog's comes before the page's.
// A photo that was chosen while the server was out of reach goes there once the page is drawn again: phones cut the
// connection while their camera is open.

let chosen = null, cut = false; // the photo under way; whether the connection broke meanwhile

function render() {}

const takes = (input) => input.matches('[data-testid="stFileUploaderDropzoneInput"]') && input.accept.includes("image/");

function taker() {
  return [...document.querySelectorAll("input")].filter((input) => takes(input) && !input.disabled && !input.closest("[inert]")).at(-1);
}

function isAway() {
  const app = document.querySelector(".stApp");
  return !app || app.inert || app.dataset.testConnectionState !== "CONNECTED";
}

function put(input, file) {
  const given = new DataTransfer();
  given.items.add(file);
  input.files = given.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function give(event, files) {
  const input = taker(), file = [...files].find((one) => one.type.startsWith("image/") || !one.type);
  if (!input || !file || event.target.closest?.('[data-testid="stFileUploaderDropzone"]')) return;
  event.preventDefault();
  put(input, file);
}

document.addEventListener("change", (event) => {
  if (!takes(event.target)) return;
  [chosen = null] = event.target.files;
  cut = isAway();
  if (cut) event.stopImmediatePropagation();
}, { capture: true });

new MutationObserver(() => {
  if (!chosen) return;
  if (isAway()) cut = true;
  else if (cut && taker()) put(taker(), chosen);
  else if (!cut && document.querySelector(".stApp").dataset.testScriptState === "running") chosen = null; // it has arrived
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ["inert", "data-test-connection-state", "data-test-script-state"] });

const dropped = (event) => event.dataTransfer?.types.includes("Files");

document.addEventListener("paste", (event) => give(event, event.clipboardData?.files ?? []));
document.addEventListener("dragover", (event) => dropped(event) && taker() && event.preventDefault());
document.addEventListener("drop", (event) => dropped(event) && give(event, event.dataTransfer.files));
