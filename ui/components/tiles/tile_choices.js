// A few answers about a tile: each a button that shows one tile in the place of another, or a tile and what it would score.

const answers = new WeakMap();

function render({ data, parentElement, setTriggerValue }) {
  if (!answers.has(parentElement)) {
    const place = element("div", { class: "choices", role: "group" });
    parentElement.append(place);
    answers.set(parentElement, place);
  }
  const place = answers.get(parentElement);
  if (!differs(place, data)) return;
  place.setAttribute("aria-label", data.label);
  const picture = (tile, kind) => element("img", { src: data.faces[tile], alt: "", class: kind });
  place.replaceChildren(element("span", { class: "title" }, data.label), ...data.choices.map((choice, index) =>
    element("button", { type: "button", class: `choice ${choice.worth ? "priced" : ""}`, "aria-label": choice.label, title: choice.label,
      onclick: () => setTriggerValue("choose", { index, id: nextId() }) },
      ...(choice.old ? [picture(choice.old, "old"), element("span", { "aria-hidden": "true" }, "→")] : []), picture(choice.new, "fresh"),
      choice.worth ? element("b", {}, choice.worth) : null, choice.note ? element("small", {}, choice.note) : null)));
}
