// A picture made of markup that the page wrote itself; every name in it was escaped there.
// A new word in `data.reveal` scrolls it into view.

export default function ({ data, parentElement }) {
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
