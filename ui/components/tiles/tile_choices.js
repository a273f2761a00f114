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
  const sets = data.sets.map((tiles) => element("span", { class: "set" }, ...tiles.map((tile) => picture(tile, "fresh"))));
  place.replaceChildren(element("span", { class: "title" }, data.label), ...(sets.length ? [element("div", { class: "sets" }, ...sets)] : []),
    ...data.choices.map((choice, index) =>
    element("button", { type: "button", class: `choice ${choice.worth ? "priced" : ""} ${choice.new ? "" : "wordy"}`, "aria-label": choice.label, title: choice.label,
      onclick: () => setTriggerValue("choose", { index, id: nextId() }) },
      ...(choice.old ? [picture(choice.old, "old"), element("span", { "aria-hidden": "true" }, "→")] : []), choice.new ? picture(choice.new, "fresh") : null,
      choice.worth ? element("b", {}, choice.worth) : null, choice.note ? element("small", {}, choice.note) : null)));
}
