// The back button of the browser closes Streamlit's dialogs, as it closes our sheets. They stand beside the app and not in
// it, so they take over whether it is dark. A popover stands at the end of the page, where keys and screen readers would come
// last, so it takes the focus and gives it back.

const DIALOGS = '[data-testid="stDialog"] [role="dialog"], [data-testid="stPopoverBody"]';
const open = []; // { dialog, closed }

function render() {}

function follow() {
  const shown = [...document.querySelectorAll(DIALOGS)].filter((dialog) => !open.some((one) => one.dialog === dialog));
  for (const one of open.filter(({ dialog }) => !dialog.isConnected)) {
    one.dialog = shown.shift(); // the same one, drawn anew
    if (one.dialog) continue;
    open.splice(open.indexOf(one), 1);
    one.closed();
  }
  for (const dialog of shown) {
    dialog.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme;
    const one = { dialog }, opener = document.activeElement;
    const escape = () => one.dialog.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    const gone = closedByBack(escape);
    one.closed = () => {
      gone();
      if (document.activeElement === document.body) opener.focus({ preventScroll: true });
    };
    open.push(one);
    if (!dialog.matches('[data-testid="stPopoverBody"]')) continue;
    dialog.tabIndex = -1;
    dialog.focus({ preventScroll: true });
  }
}

new MutationObserver(follow).observe(document.body, { childList: true, subtree: true });
