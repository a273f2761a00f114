// The lines of a score: a chosen line reports its index, so that its tiles light up on the photo, and shows its rule.

const sheets = new WeakMap();
let report;

function render(component) {
  const { data, parentElement, setTriggerValue } = component;
  if (!sheets.has(parentElement)) {
    const list = element("div", { class: "lines" });
    parentElement.append(element("h2", { class: "ts-said" }), list);
    sheets.set(parentElement, list);
  }
  report = (event) => setTriggerValue("choose", { ...event, id: nextId() });
  const list = sheets.get(parentElement);
  if (!differs(list, data)) return;
  list.previousSibling.textContent = data.words.lines;
  const focus = list.getRootNode().activeElement?.dataset?.index;
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", data.words.lines);
  list.replaceChildren(...data.lines.flatMap((line, index) => [button(data, line, index), about(data, line, index)].filter(Boolean)));
  const fresh = document.querySelector("#score strong[data-shown]"); // its total counts up: its lines come one by one
  if (fresh) [...list.querySelectorAll(".line")].forEach((line, at) => line.animate([{ opacity: 0 }, { opacity: 1 }],
    { duration: 180, delay: 90 * at, fill: "backwards" }));
  const rule = data.lines[data.chosen]?.text;
  if (rule) announce(rule);
  if (focus !== undefined) list.querySelector(`[data-index="${focus}"]`)?.focus({ preventScroll: true });
}

function button(data, line, index) {
  const chosen = index === data.chosen;
  return element("button", { type: "button", class: "line", "data-index": index, "aria-pressed": String(chosen),
    "aria-label": `${[line.name, line.native].filter(Boolean).join(" ")}: ${line.value}`, onclick: () => report({ index: chosen ? null : index }) },
    element("span", { class: "what" }, element("span", { class: "name" }, line.name), " ",
      line.native ? element("span", { class: "native", lang: line.lang }, line.native) : null),
    element("span", { class: "worth" }, line.value),
    line.tiles.length ? element("span", { class: "pictures" },
      ...line.tiles.map((tile) => element("img", { src: data.faces[tile], alt: data.names[tile] }))) : null);
}

// Under the chosen line: its rule, and the way to its page.
function about(data, line, index) {
  if (index !== data.chosen || !line.text) return null;
  return element("p", { class: "about" }, `${line.text} `,
    element("button", { type: "button", class: "more", "data-index": `about${index}`, onclick: () => report({ about: index }) }, data.words.more));
}
