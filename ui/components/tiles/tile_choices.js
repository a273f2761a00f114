// A few answers to "did you mean": each a button that shows one tile in the place of another.

const answers = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!answers.has(parentElement)) {
    const place = element("div", { class: "choices", role: "group" });
    parentElement.append(place);
    answers.set(parentElement, place);
  }
  const place = answers.get(parentElement);
  if (!differs(place, data)) return;
  place.setAttribute("aria-label", data.label);
  const picture = (tile, kind) => element("img", { src: data.faces[tile], alt: "", class: kind });
  place.replaceChildren(element("span", { class: "title" }, data.label), ...data.choices.map(([old, fresh, label], index) =>
    element("button", { type: "button", class: "choice", "aria-label": label, title: label,
      onclick: () => setTriggerValue("choose", { index, id: nextId() }) },
      picture(old, "old"), element("span", { "aria-hidden": "true" }, "→"), picture(fresh, "fresh"))));
}
