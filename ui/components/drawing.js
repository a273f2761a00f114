// A picture as markup from Python, which escapes every name in it.
// A new word in `data.reveal` scrolls it into view. A list that scrolls shows its end until a person scrolls it, and again
// once it has more or fewer rows.

function render({ data, parentElement, setTriggerValue }) {
  let place = parentElement.querySelector(".drawing");
  if (!place) {
    place = document.createElement("div");
    place.className = "drawing";
    place.presses = [];
    place.addEventListener("click", (event) => press(place, event.target.closest("[data-press]")));
    parentElement.append(place);
  }
  place.trigger = setTriggerValue;
  if (place.markup !== data.markup) {
    const focused = place.getRootNode().activeElement?.dataset?.at;
    const before = rows(place), top = place.querySelector(".scroll")?.scrollTop;
    place.innerHTML = place.markup = data.markup;
    const list = place.querySelector(".scroll");
    if (list) list.scrollTop = rows(place) === before ? top : list.scrollHeight;
    if (focused) at(place, focused)?.focus();
  }
  if (place.presses[0]?.id <= data.ack) {
    place.presses.shift();
    flush(place);
  }
  if (data.reveal && place.reveal !== data.reveal) place.scrollIntoView({ block: "start", behavior: "smooth" });
  place.reveal = data.reveal;
}

const rows = (place) => place.querySelectorAll(".scroll tbody tr").length;
const at = (place, name) => place.querySelector(`[data-at="${CSS.escape(name)}"]`);

// Presses go to Python one at a time, because what the next one means depends on the answer to the last. One that is not
// answered goes again: the connection may be down, or the server restarting.
function press(place, button) {
  if (!button || !place.isConnected) return;
  place.presses.push({ at: button.dataset.at });
  if (place.presses.length === 1) flush(place);
}

function flush(place) {
  clearTimeout(place.timer);
  const [next] = place.presses;
  if (!next || !place.isConnected) return;
  if (!next.id) Object.assign(next, { id: nextId(), what: at(place, next.at)?.dataset.press ?? "" });
  place.timer = setTimeout(() => flush(place), 4000);
  try { place.trigger("press", { id: next.id, what: next.what }); } catch { /* no connection: it goes again */ }
}
