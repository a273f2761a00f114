// Every piece of visible text that stands out too little from its ground, as the browser draws it: colours mixed with
// what lies below them, opacity counted, shadow roots walked through. Switched-off buttons and pictures are left out.
(least) => {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = text;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(text, [r / 255, g / 255, b / 255, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, below, share) => below.map((value, place) => share * top[place] + (1 - share) * value);
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const parent = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const canvas = rgba("Canvas").slice(0, 3);
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = parent(at)) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // a picture: nobody knows its colour
      layers.push(rgba(style.backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below, top[3]), canvas);
  };
  const opacity = (node) => {
    let share = 1;
    for (let at = node; at; at = parent(at)) share *= Number(getComputedStyle(at).opacity);
    return share;
  };
  const skipped = (node) => {
    for (let at = node; at; at = parent(at)) {
      if (at.matches?.(":disabled, [aria-disabled=true], svg, [hidden], script, style, noscript, input, option")) return true;
      const style = getComputedStyle(at);
      if (style.visibility === "hidden" || style.clipPath !== "none" || Number(style.opacity) === 0) return true;
    }
    return false;
  };
  const found = new Map();
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      const element = node.parentElement ?? node.getRootNode().host;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || skipped(element)) return;
      const below = ground(element);
      if (!below) return;
      const style = getComputedStyle(element);
      const ink = rgba(style.color);
      const seen = over(ink, below, ink[3] * opacity(element));
      const [low, high] = [light(seen), light(below)].sort((a, b) => a - b);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < least) found.set(`${node.data.trim().slice(0, 40)} (${style.color} ${style.fontSize})`, Math.round(100 * ratio) / 100);
      walk.count += 1;
    }
    for (const child of node.childNodes) walk(child);
    if (node.shadowRoot) walk(node.shadowRoot);
  };
  walk.count = 0;
  walk(document.body);
  return { weak: Object.fromEntries(found), count: walk.count };
}
