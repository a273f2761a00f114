// A short row of chosen tiles: tap one to take it out, tap the plus to add one.

const rows = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  if (!rows.has(parentElement)) {
    const row = element("div", { class: "row", role: "group" });
    parentElement.append(row);
    rows.set(parentElement, row);
  }
  const row = rows.get(parentElement);
  row.trigger = setTriggerValue;
  if (!differs(row, data)) return;
  row.setAttribute("aria-label", data.label);
  const report = (tiles) => row.trigger("change", { tiles, id: nextId() });
  const tiles = data.tiles.map((tile, index) => tileButton(data, tile, { class: "tile chosen",
    "aria-label": `${data.words.remove} ${data.names[tile]}`, onclick: () => report(data.tiles.filter((_, at) => at !== index)) }));
  const plus = element("button", { type: "button", class: "plus", "aria-label": `${data.words.add}: ${data.label}`,
    onclick: () => openPicker(row, data, { title: data.label, note: data.words.how_choose,
      allowed: (tile) => data.allowed.includes(tile), choose: (tile) => report([...data.tiles, tile]) }) }, "＋");
  row.replaceChildren(element("span", { class: "title" }, data.label), ...tiles, ...(data.tiles.length < data.most ? [plus] : []));
}
