// The tiles of a photo in lines, for screens on which the photo shows them too narrow: each row is laid level, in as many
// lines as its tiles need. Every line turns the photo itself, so nothing that was seen looks other than it is.

// The drawn lines of these tiles and their height together, CSS pixels; `names` leaves room for the names above them.
function linesOf(canvas, places, { names = true } = {}) {
  const wide = canvas.wide(), lines = rowsOf(canvas, places).flatMap((row) => cut(row, wide));
  const units = Math.max(...lines.map(unitsOf)), nodes = [];
  let high = 0;
  for (const tiles of lines) {
    const line = lineOf(canvas, tiles, { names, wide, top: high, length: units * leastOf(tiles) });
    nodes.push(line.node);
    high += line.high + 4;
  }
  return { nodes, high: high - 4 };
}

// The rows of these tiles in the order of the hand; a tile that lies in no row goes with the nearest one.
function rowsOf(canvas, places) {
  const shown = places.filter((at) => canvas.byPlace.get(at).box);
  const rows = canvas.data.rows.map((row) => row.filter((at) => shown.includes(at))).filter((row) => row.length);
  const middle = (at) => { const [x0, y0, x1, y1] = canvas.byPlace.get(at).box; return [(x0 + x1) / 2, (y0 + y1) / 2]; };
  const away = (one, other) => Math.hypot(middle(one)[0] - middle(other)[0], middle(one)[1] - middle(other)[1]);
  for (const at of shown.filter((one) => !rows.some((row) => row.includes(one)))) {
    const near = rows.flat().sort((a, b) => away(a, at) - away(b, at))[0];
    const row = rows.find((one) => one.includes(near));
    if (row && away(near, at) < 3 * canvas.size()) row.push(at);
    else rows.push([at]);
  }
  const first = (row) => Math.min(...row.map((at) => shown.indexOf(at)));
  return rows.sort((a, b) => first(a) - first(b)).map((row) => levelled(row.map((at) => ({ at, box: canvas.byPlace.get(at).box, middle: middle(at) }))));
}

// The tiles of a row with their places once the row is turned level, from left to right.
function levelled(tiles) {
  const [first, last] = [tiles[0].middle, tiles.at(-1).middle];
  const mean = [0, 1].map((side) => tiles.reduce((sum, one) => sum + one.middle[side], 0) / tiles.length);
  let [xx, xy, yy] = [0, 0, 0];
  for (const { middle: [x, y] } of tiles) { xx += (x - mean[0]) ** 2; xy += (x - mean[0]) * (y - mean[1]); yy += (y - mean[1]) ** 2; }
  let turn = tiles.length > 1 ? Math.atan2(2 * xy, xx - yy) / 2 : 0;
  if (Math.cos(turn) * (last[0] - first[0]) + Math.sin(turn) * (last[1] - first[1]) < 0) turn += Math.PI;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return tiles.map(({ at, box, middle: [x, y] }) => {
    const [width, height] = upright(box, Math.abs(cos), Math.abs(sin));
    return { at, turn, width, height, x: cos * x + sin * y, y: cos * y - sin * x, middle: [x, y] };
  }).sort((a, b) => a.x - b.x);
}

// Width and height of the tile whose upright box this is, once its row is level.
function upright([x0, y0, x1, y1], cos, sin) {
  const [width, height, part] = [x1 - x0, y1 - y0, cos * cos - sin * sin];
  if (Math.abs(part) < 0.5) return [width / (cos + sin), height / (cos + sin)];
  return [(width * cos - height * sin) / part, (height * cos - width * sin) / part];
}

const MARGIN = 0.25; // of a tile, around those of a line
const leastOf = (tiles) => Math.min(...tiles.map((one) => Math.min(one.width, one.height)));
const startOf = (tiles) => Math.min(...tiles.map((one) => one.x - one.width * (0.5 + MARGIN)));
const endOf = (tiles) => Math.max(...tiles.map((one) => one.x + one.width * (0.5 + MARGIN)));
// How many of its narrowest tile a line is long: tiles that lie farther away look smaller.
const unitsOf = (tiles) => (endOf(tiles) - startOf(tiles)) / leastOf(tiles);

// A row in as few lines as give each tile its width, all as short as so many lines can be.
function cut(row, wide) {
  const lengths = row.flatMap((_, from) => row.slice(from).map((__, more) => unitsOf(row.slice(from, from + more + 1)))).sort((a, b) => a - b);
  for (let count = 1; ; count += 1) {
    const most = lengths.find((length) => filled(row, length).length <= count);
    if (count === row.length || wide / most >= LEAST_WIDE) return filled(row, most);
  }
}

// The row in lines of at most so many units; a tile that is longer has a line for itself.
function filled(row, most) {
  const lines = [];
  for (const tile of row) {
    if (lines.length && unitsOf([...lines.at(-1), tile]) <= most) lines.at(-1).push(tile);
    else lines.push([tile]);
  }
  return lines;
}

function lineOf(canvas, tiles, { names, wide, top, length }) {
  const { photo } = canvas.data, [{ turn }] = tiles, degrees = turn * 180 / Math.PI;
  const tall = Math.max(...tiles.map((one) => one.height)), room = (names ? 0.75 : MARGIN) * tall;
  const y0 = Math.min(...tiles.map((one) => one.y - one.height / 2)) - room;
  const y1 = Math.max(...tiles.map((one) => one.y + one.height / 2)) + MARGIN * tall;
  const high = (y1 - y0) * wide / length;
  const boxes = tiles.map(({ at, middle: [x, y], width, height }) => names
    ? canvas.box(canvas.byPlace.get(at), [x - width / 2, y - height / 2, x + width / 2, y + height / 2], degrees)
    : drawn("rect", { class: "glow", x: x - width / 2, y: y - height / 2, width, height, transform: `rotate(${degrees} ${x} ${y})` }));
  const turned = drawn("g", { transform: `rotate(${-degrees})` }, drawn("image", { href: photo.url, width: photo.w, height: photo.h }), ...boxes);
  const view = [startOf(tiles), y0, length, y1 - y0].join(" ");
  return { high, node: drawn("svg", { class: "line", x: 0, y: top, width: wide, height: high, viewBox: view }, turned) };
}
