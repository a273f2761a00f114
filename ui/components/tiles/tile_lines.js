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

// The rows of these tiles in the order of the hand. A tile that lies in no row goes with the one that it lies beside, or is
// a row of its own, turned like a row nearby. It never turns a row.
function rowsOf(canvas, places) {
  const shown = places.filter((at) => canvas.byPlace.get(at).box).map((at) => {
    const { box } = canvas.byPlace.get(at), [x0, y0, x1, y1] = box;
    return { at, box, middle: [(x0 + x1) / 2, (y0 + y1) / 2] };
  });
  const found = canvas.data.rows.map((row) => row.map((at) => shown.find((one) => one.at === at)).filter(Boolean)).filter((row) => row.length);
  const lone = shown.filter((one) => !found.some((row) => row.includes(one))).map((one) => [one]);
  const rows = found.map((tiles) => ({ tiles, turn: turnOf(tiles) })).filter((row) => row.turn !== null);
  for (const tiles of [...found, ...lone].filter((some) => !rows.some((row) => row.tiles === some))) {
    const { turn, row, apart, off } = nearest(rows, tiles[0]), alone = tiles.length === 1, far = !(apart < 3 * canvas.size());
    if (alone && !far && off < 0.75 * canvas.size()) row.tiles.push(...tiles);
    else rows.push({ tiles, turn: alone && far ? 0 : turn });
  }
  const first = ({ tiles }) => Math.min(...tiles.map((one) => shown.indexOf(one)));
  return rows.sort((a, b) => first(a) - first(b)).map(({ tiles, turn }) => levelled(tiles, turn));
}

// The row nearest to a tile, how it is turned, and how far the tile is from it: in all, and across the row.
function nearest(rows, { middle: [x, y] }) {
  const all = rows.flatMap((row) => row.tiles.map(({ middle }) => {
    const [right, down] = [middle[0] - x, middle[1] - y];
    return { row, turn: row.turn, apart: Math.hypot(right, down), off: Math.abs(Math.cos(row.turn) * down - Math.sin(row.turn) * right) };
  }));
  return all.sort((a, b) => a.apart - b.apart)[0] ?? { turn: 0 };
}

// How a row is turned; null if fewer than three of its tiles tell. The middle of one that lies across is not in line.
function turnOf(tiles) {
  const shape = ({ box: [x0, y0, x1, y1] }) => Math.log((x1 - x0) / (y1 - y0));
  const usual = tiles.map(shape).sort((a, b) => a - b)[tiles.length >> 1];
  const alike = tiles.filter((one) => Math.abs(shape(one) - usual) < LEAST_ACROSS);
  if (alike.length < 3) return null;
  const [first, last] = [alike[0].middle, alike.at(-1).middle];
  const mean = [0, 1].map((side) => alike.reduce((sum, one) => sum + one.middle[side], 0) / alike.length);
  let [xx, xy, yy] = [0, 0, 0];
  for (const { middle: [x, y] } of alike) { xx += (x - mean[0]) ** 2; xy += (x - mean[0]) * (y - mean[1]); yy += (y - mean[1]) ** 2; }
  const turn = Math.atan2(2 * xy, xx - yy) / 2;
  return Math.cos(turn) * (last[0] - first[0]) + Math.sin(turn) * (last[1] - first[1]) < 0 ? turn + Math.PI : turn;
}

// The tiles of a row with their places once it is turned level, from left to right.
function levelled(tiles, turn) {
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

const LEAST_ACROSS = Math.log(1.5); // of the shapes of two tiles, one of which lies across
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
