// A link that saves a copy, and a field that takes one. The file goes to the server as it lies on the disk, with a bar
// that shows how far; what became of it, the page says.

const parts = new WeakMap();

function render({ data, parentElement, setTriggerValue }) {
  if (!parts.has(parentElement)) parts.set(parentElement, new Copies(parentElement));
  parts.get(parentElement).update(data, setTriggerValue);
}

class Copies {
  constructor(parent) {
    this.link = element("a", { class: "tool", role: "button" });
    this.field = element("input", { type: "file", id: "copy", accept: ".json,application/json", onchange: () => this.send() });
    this.label = element("label", { for: "copy", class: "tool" });
    this.bar = element("progress", { max: "1", hidden: true });
    this.note = element("p", { class: "note", role: "status" });
    parent.append(element("div", { class: "copies" }, this.link, this.field, this.label, this.bar, this.note));
  }

  update(data, trigger) {
    Object.assign(this, { data, trigger });
    Object.assign(this.link, { href: data.address, download: data.file, textContent: data.words.export });
    this.label.textContent = data.words.import;
  }

  send() {
    const [file] = this.field.files, { words, address } = this.data;
    if (!file) return;
    const request = new XMLHttpRequest();
    request.open("PUT", address);
    request.upload.onprogress = ({ loaded, total }) => this.show(loaded < total ? words.sending : words.taking, loaded < total ? loaded / total : null);
    request.upload.onload = () => this.show(words.taking, null);
    request.onloadend = () => {
      this.field.disabled = false;
      this.field.value = ""; // the same file may be chosen again
      this.bar.hidden = true;
      this.note.textContent = request.status === 200 ? "" : words.failed;
      if (request.status === 200) this.trigger("done", { id: nextId() });
    };
    this.field.disabled = true;
    this.show(words.sending, 0);
    request.send(file);
  }

  show(text, part) {
    this.note.textContent = text;
    this.bar.hidden = false;
    this.bar.setAttribute("aria-label", text);
    if (part === null) this.bar.removeAttribute("value");
    else this.bar.value = part;
  }
}
