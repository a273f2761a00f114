// The standing as a picture, drawn here so that it has the fonts of every language.

const WIDE = 1080, EDGE = 56, ROW = 132;
const pictures = new WeakMap();

function render({ data, parentElement }) {
  if (!pictures.has(parentElement)) {
    const button = element("button", { type: "button", class: "picture" });
    parentElement.append(button);
    pictures.set(parentElement, button);
  }
  const button = pictures.get(parentElement);
  if (!differs(button, data)) return;
  button.textContent = data.words.open;
  button.onclick = () => paint(data).toBlob((blob) => shareOrSave(blob, data.file), "image/png");
}

function paint({ title, about, lines }) {
  const canvas = element("canvas", { width: WIDE, height: 330 + ROW * lines.length });
  const pen = canvas.getContext("2d"), font = getComputedStyle(document.body).fontFamily;
  const write = (text, x, y, size, colour, { weight = "", align = "left", most } = {}) => {
    Object.assign(pen, { font: `${weight} ${size}px ${font}`, fillStyle: colour, textAlign: align });
    pen.fillText(text, x, y, most);
  };
  pen.fillStyle = "#faf7f0";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(title, EDGE, 112, 72, "#1b2823", { weight: "bold", most: WIDE - 2 * EDGE });
  write(about, EDGE, 172, 34, "#56635d", { most: WIDE - 2 * EDGE });
  lines.forEach(([rank, name, points], at) => {
    const y = 220 + ROW * at;
    pen.fillStyle = rank === 1 ? "#0b6b4b" : "#f0ebdf";
    pen.beginPath();
    pen.roundRect(EDGE, y, WIDE - 2 * EDGE, ROW - 20, 24);
    pen.fill();
    const ink = rank === 1 ? "#faf7f0" : "#1b2823";
    write(String(rank), EDGE + 32, y + 74, 52, ink, { weight: "bold" });
    write(name, EDGE + 112, y + 72, 46, ink, { most: 500 });
    write(points, WIDE - EDGE - 32, y + 74, 56, ink, { weight: "bold", align: "right" });
  });
  write("Tilescore", EDGE, canvas.height - 44, 34, "#0b6b4b", { weight: "bold" });
  return canvas;
}
