// What Streamlit says by itself is English, and it reads labels out with the signs of Markdown; a style changes neither.

function render() {
  name();
}

const said = (word) => JSON.parse(getComputedStyle(document.documentElement).getPropertyValue(`--ts-${word}`) || '""');

function name() {
  for (const zone of document.querySelectorAll('[data-testid="stFileUploaderDropzone"]')) {
    const button = zone.querySelector(':scope > span button, [data-testid="stFileChips"] > button');
    const [text, ...more] = zone.querySelector('[data-testid="stFileUploaderDropzoneInstructions"] span')?.childNodes ?? [];
    if (button && button.ariaLabel !== said("photograph")) button.ariaLabel = said("photograph");
    if (text && text.nodeValue !== said("limits")) text.nodeValue = said("limits");
    for (const one of more) if (one.nodeValue) one.nodeValue = "";
  }
  for (const one of document.querySelectorAll('[aria-label*="\\\\"]')) {
    one.ariaLabel = one.ariaLabel.replaceAll(/\\([\\`*_{}\[\]()<>#+!|~$:/&^=.-])/g, "$1");
  }
}

new MutationObserver(name).observe(document.body, { childList: true, subtree: true, attributeFilter: ["aria-label"] });
