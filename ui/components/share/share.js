// A picture of the hand with its score, drawn here so that it has the fonts of every language; the hand as text; a link
// that opens it again. Nothing is sent anywhere: the picture is made in the browser and saved by it.

const WIDE = 1080, EDGE = 48, INK = "#1b2823", QUIET = "#56635d", JADE = "#0b6b4b", PAPER = "#faf7f0", SOFT = "#e9e2d2";
const COLOURS = { concealed: "#ffffff", meld: "#63bdff", winning: "#ffc940", bonus: "#e59bff" };
const CAPTIONS = { meld: "#2f8fdb", winning: "#b97a00", bonus: "#a752c9" };
const MOST_LINES = 14, FILE = "tilescore.png";
const BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"; // until the picture is drawn
const shares = new WeakMap();

function render({ data, parentElement }) {
  if (!shares.has(parentElement)) {
    const root = element("div", { class: "share" });
    parentElement.append(root);
    shares.set(parentElement, root);
    walkInDialog(parentElement, () => [...root.querySelectorAll("button:not([hidden]):enabled, input")]);
  }
  const root = shares.get(parentElement);
  if (differs(root, data)) fill(root, data);
}

function fill(root, data) {
  const link = `${location.origin}${location.pathname}?${data.query}`;
  const preview = element("img", { class: "preview", src: BLANK, alt: data.words.picture });
  const keep = element("button", { type: "button", class: "tool save", disabled: true }, data.words.save);
  const send = element("button", { type: "button", class: "tool", hidden: true }, data.words.send);
  root.replaceChildren(preview, keep, send, copyRow(data.words.text, data.text, data.words), copyRow(data.words.link, link, data.words),
    element("p", { class: "note" }, ["localhost", "127.0.0.1"].includes(location.hostname) ? data.words.here : data.words.lan));
  paint(data).then((canvas) => canvas.toBlob((blob) => {
    preview.src = URL.createObjectURL(blob);
    keep.disabled = false;
    keep.onclick = () => save(blob, FILE);
    send.hidden = !canShare(blob, FILE);
    send.onclick = () => shareOrSave(blob, FILE);
  }, "image/png"));
}

function copyRow(label, text, words) {
  const field = element("input", { value: text, readonly: true, "aria-label": label, onfocus: () => field.select() });
  const button = element("button", { type: "button", class: "tool", "aria-label": `${words.copy}: ${label}`, onclick: async () => {
    await copy(field, text);
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  } }, words.copy);
  return element("div", { class: "copy" }, element("span", { class: "title" }, label), field, button);
}

// Browsers give the clipboard only to localhost and https; the old way works everywhere.
async function copy(field, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.select();
    document.execCommand("copy");
  }
}

// The picture: the photo around the hand with its boxes, the hand in tiles, the total, the lines.

async function paint(data) {
  const used = new Set(data.tiles.map((tile) => tile.tile));
  const faces = Object.fromEntries(await Promise.all([...used].map(async (tile) => [tile, await face(data.faces[tile])])));
  const photo = data.photo && await load(data.photo.url);
  const canvas = document.createElement("canvas");
  const sheet = { pen: canvas.getContext("2d"), data, faces, photo, font: getComputedStyle(document.body).fontFamily };
  canvas.width = WIDE;
  canvas.height = draw(sheet); // the first drawing measures the height: setting the size wipes the canvas
  sheet.pen.fillStyle = PAPER;
  sheet.pen.fillRect(0, 0, canvas.width, canvas.height);
  draw(sheet);
  return canvas;
}

function draw(sheet) {
  let y = sheet.photo ? drawPhoto(sheet) : 0;
  y = drawHand(sheet, y + EDGE);
  y = drawTotal(sheet, y + 28);
  y = drawLines(sheet, y + 16);
  write(sheet, "Tilescore", EDGE, y + 40, 26, JADE, "bold");
  write(sheet, sheet.data.text, WIDE - EDGE, y + 40, 22, QUIET, "", "right");
  return y + 40 + 32;
}

function drawPhoto({ pen, data, faces, photo }) {
  const boxes = data.tiles.map((tile) => tile.box);
  const sizes = boxes.map((box) => Math.max(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
  const size = sizes[sizes.length >> 1] ?? data.photo.w;
  const [x0, y0] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [x1, y1] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])));
  const width = Math.min(data.photo.w, Math.max(x1 - x0 + 1.2 * size, (y1 - y0 + 2.4 * size) * 1.1));
  const height = Math.min(data.photo.h, Math.max(y1 - y0 + 2.4 * size, width / 2.4));
  const clamp = (middle, length, limit) => Math.max(0, Math.min(middle - length / 2, limit - length));
  const [left, top] = [clamp((x0 + x1) / 2, width, data.photo.w), clamp((y0 + y1) / 2 - size * 0.4, height, data.photo.h)];
  const zoom = WIDE / width, shrink = photo.naturalWidth / data.photo.w;
  pen.drawImage(photo, left * shrink, top * shrink, width * shrink, height * shrink, 0, 0, WIDE, height * zoom);
  for (const { tile, box, role } of data.tiles) {
    const [x, y, w, h] = [(box[0] - left) * zoom, (box[1] - top) * zoom, (box[2] - box[0]) * zoom, (box[3] - box[1]) * zoom];
    for (const [line, colour] of [[7, "rgb(0 0 0 / .5)"], [4, COLOURS[role]]]) {
      pen.beginPath();
      pen.roundRect(x, y, w, h, Math.min(w, h) * 0.12);
      Object.assign(pen, { lineWidth: line, strokeStyle: colour });
      pen.stroke();
    }
    const label = Math.min(w, h * 0.78, size * zoom * 0.62);
    pen.drawImage(faces[tile], x + (w - label) / 2, y - label * 1.42 > 0 ? y - label * 1.42 : y + h + label * 0.08, label, label * 4 / 3);
  }
  return height * zoom;
}

function drawHand(sheet, y) {
  const { pen, data, faces } = sheet;
  const gap = 26, count = data.groups.reduce((sum, group) => sum + group.tiles.length, 0);
  const room = WIDE - 2 * EDGE - gap * (data.groups.length - 1);
  const wide = Math.min(72, Math.max(46, room / Math.max(1, count) - 4)), tall = wide * 4 / 3;
  let x = EDGE, free = EDGE; // where the next caption may begin
  for (const { role, caption, tiles } of data.groups) {
    const length = tiles.length * (wide + 4);
    if (x > EDGE && x + length > WIDE - EDGE) [x, y, free] = [EDGE, y + tall + 48, EDGE];
    const start = x;
    for (const tile of tiles) {
      pen.drawImage(faces[tile], x, y, wide, tall);
      x += wide + 4;
    }
    if (caption) {
      pen.fillStyle = CAPTIONS[role];
      pen.fillRect(start, y + tall + 6, length - 4, 5);
      free = captionBelow(sheet, caption, start, length - 4, y + tall + 34, free);
    }
    x += gap;
  }
  return y + tall + 40;
}

function drawTotal(sheet, y) {
  const { score } = sheet.data;
  write(sheet, score.rules, WIDE - EDGE, y + 40, 30, QUIET, "", "right");
  const width = write(sheet, score.total, EDGE, y + 78, score.unit ? 92 : 48, JADE, "bold");
  write(sheet, [score.unit, ...score.notes].filter(Boolean).join(" · "), EDGE + width + 18, y + 78, 30, INK);
  return y + 96;
}

function drawLines(sheet, y) {
  const { pen, data: { lines, words } } = sheet;
  const shown = lines.length > MOST_LINES ? lines.slice(0, MOST_LINES - 1) : lines;
  for (const { name, native, value } of shown) {
    pen.fillStyle = SOFT;
    pen.fillRect(EDGE, y, WIDE - 2 * EDGE, 2);
    const width = write(sheet, name, EDGE, y + 40, 28, INK);
    if (native) write(sheet, native, EDGE + width + 14, y + 40, 24, QUIET);
    write(sheet, value, WIDE - EDGE, y + 40, 28, INK, "bold", "right");
    y += 56;
  }
  if (shown.length < lines.length) {
    write(sheet, words.more, EDGE, y + 40, 24, QUIET);
    y += 56;
  }
  return y;
}

// Writes a caption under the middle of a group and returns where the next one may begin; a long one near the edge moves
// inwards, but not over the one before.
function captionBelow(sheet, text, x, length, y, free) {
  sheet.pen.font = `20px ${sheet.font}`;
  const width = sheet.pen.measureText(text).width;
  const begin = Math.max(free, Math.min(x + (length - width) / 2, WIDE - EDGE - width));
  return begin + write(sheet, text, begin, y, 20, QUIET) + 12;
}

// Writes one line, shortened to the room for it, and returns its width.
function write({ pen, font }, text, x, y, size, colour, weight = "", align = "left") {
  Object.assign(pen, { font: `${weight} ${size}px ${font}`, fillStyle: colour, textAlign: align });
  const most = align === "right" ? x - EDGE : WIDE - EDGE - x;
  pen.fillText(text, x, y, most);
  return Math.min(most, pen.measureText(text).width);
}

async function load(url) {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  return picture;
}

// A drawing without a size of its own is drawn by some browsers and not by others.
async function face(url) {
  const markup = await (await fetch(url)).text();
  const sized = new Blob([markup.replace("<svg ", '<svg width="150" height="200" ')], { type: "image/svg+xml" });
  return load(URL.createObjectURL(sized));
}
