// A short row of tiles: the chosen ones, where a tap removes one and the plus adds one; with `data.ask` a choice of one.

const rows = new WeakMap();

function render(component) {
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
  if (data.ask) {
    const choices = data.tiles.map((tile) => tileButton(data, tile, { class: "tile chosen",
      onclick: () => row.trigger("change", { tiles: [tile], id: nextId() }) }));
    row.replaceChildren(element("span", { class: "title ask" }, data.label), ...choices);
    return;
  }
  const report = (tiles) => row.trigger("change", { tiles, id: nextId() });
  const tiles = data.tiles.map((tile, index) => tileButton(data, tile, { class: "tile chosen",
    "aria-label": data.words.remove_tile.replace("{tile}", data.names[tile]), onclick: () => report(data.tiles.filter((_, at) => at !== index)) }));
  const plus = element("button", { type: "button", class: "plus", "aria-label": `${data.words.add}: ${data.label}`,
    onclick: () => openPicker(row, data, { title: data.label, note: data.words.how_choose,
      allowed: (tile) => data.allowed.includes(tile), choose: (tile) => report([...data.tiles, tile]) }) }, "＋");
  row.replaceChildren(element("span", { class: "title" }, data.label), ...tiles, ...(data.tiles.length < data.most ? [plus] : []));
}
