// A picture as markup from Python, which escapes every name in it.
// A new word in `data.reveal` scrolls it into view, and keys go on at its heading once the list of deals has gone. A list
// that scrolls shows its end until a person scrolls it, and again once it has more or fewer rows.

function render({ data, parentElement, setTriggerValue }) {
  let place = parentElement.querySelector(".drawing");
  if (!place) {
    place = document.createElement("div");
    place.className = "drawing";
    place.outbox = new Outbox(place, "press", { begin: (press) => ({ what: at(place, press.at)?.dataset.press ?? "" }) });
    place.addEventListener("click", (event) => {
      const button = event.target.closest("[data-press]");
      if (button && place.isConnected) place.outbox.send({ at: button.dataset.at });
    });
    parentElement.append(place);
  }
  place.outbox.trigger = setTriggerValue;
  if (place.markup !== data.markup) {
    const focused = place.getRootNode().activeElement?.dataset?.at;
    const before = rows(place), top = place.querySelector(".scroll")?.scrollTop;
    place.innerHTML = place.markup = data.markup;
    const list = place.querySelector(".scroll");
    if (list) list.scrollTop = rows(place) === before ? top : list.scrollHeight;
    if (focused) at(place, focused)?.focus();
  }
  place.outbox.answered(data.ack);
  place.outbox.next();
  if (data.reveal && place.reveal !== data.reveal) {
    place.scrollIntoView({ block: "start", behavior: "smooth" });
    const heading = place.querySelector("h2");
    heading?.setAttribute("tabindex", "-1");
    if (document.activeElement.matches(GOING)) heading?.focus({ preventScroll: true });
  }
  place.reveal = data.reveal;
}

const GOING = "body, [data-testid='stPopoverBody'] *";
const rows = (place) => place.querySelectorAll(".scroll tbody tr").length;
const at = (place, name) => place.querySelector(`[data-at="${CSS.escape(name)}"]`);
