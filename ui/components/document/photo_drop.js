// Pictures that are dropped anywhere on the page, or pasted, go to the button for photos; a dialog's comes before the page's.

function render() {}

function taker() {
  const inputs = [...document.querySelectorAll('[data-testid="stFileUploaderDropzoneInput"]')];
  return inputs.filter((input) => input.accept.includes("image/") && !input.disabled && !input.closest("[inert]")).at(-1);
}

function give(event, files) {
  const input = taker(), file = [...files].find((one) => one.type.startsWith("image/") || !one.type);
  if (!input || !file || event.target.closest?.('[data-testid="stFileUploaderDropzone"]')) return;
  event.preventDefault();
  const given = new DataTransfer();
  given.items.add(file);
  input.files = given.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

const dropped = (event) => event.dataTransfer?.types.includes("Files");

document.addEventListener("paste", (event) => give(event, event.clipboardData?.files ?? []));
document.addEventListener("dragover", (event) => dropped(event) && taker() && event.preventDefault());
document.addEventListener("drop", (event) => dropped(event) && give(event, event.dataTransfer.files));
