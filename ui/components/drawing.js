// A picture as markup from Python, which escapes every name in it.
// A new word in `data.reveal` scrolls it into view.

function render({ data, parentElement }) {
  let place = parentElement.querySelector(".drawing");
  if (!place) {
    place = document.createElement("div");
    place.className = "drawing";
    parentElement.append(place);
  }
  if (place.markup !== data.markup) place.innerHTML = place.markup = data.markup;
  if (data.reveal && place.reveal !== data.reveal) place.scrollIntoView({ block: "start", behavior: "smooth" });
  place.reveal = data.reveal;
}
