// The first Enter in a field enters what was typed, as everywhere; the next one books.

let typed = null;

function render() {}

document.addEventListener("input", (event) => { typed = event.target; });
document.addEventListener("focusout", () => { typed = null; });
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !field.matches?.('input:is([type="number"], [type="text"]):not([role="combobox"])')) return;
  if (typed === field) typed = null;
  else document.querySelector(".st-key-ts_book button:not(:disabled)")?.click();
});
