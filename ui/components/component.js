// The frame of every component: `render` of its own script draws what Python sends.

// While the browser loads a script, it runs the calls that wait for it in any order: the data of an older page come last.
const turns = new WeakMap();
export default function (component) {
  const { data: [{ turn, ...data }], parentElement } = component;
  const last = turns.get(parentElement);
  if (last && last.session === turn.session && last.number > turn.number) return undefined;
  turns.set(parentElement, turn);
  return render({ ...component, data });
}

// Events carry a rising number, so that Python never applies one twice.
let lastId = 0;
function nextId() {
  lastId = Math.max(Date.now(), lastId + 1);
  return lastId;
}

// Whether the data differ from those that `node` shows: a needless drawing would take a button from under a finger.
const shownData = new WeakMap();
function differs(node, data) {
  const text = JSON.stringify(data);
  const same = shownData.get(node) === text;
  shownData.set(node, text);
  return !same;
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Keeps a value with the browser for a year, for the pages of this app alone: a proxy may serve others under its name.
function setCookie(name, value, sameSite) {
  const secure = location.protocol === "https:" ? "; Secure" : "", path = new URL(".", location.href).pathname;
  document.cookie = `${name}=${value}; max-age=31536000; path=${path}; SameSite=${sameSite}${secure}`;
}
