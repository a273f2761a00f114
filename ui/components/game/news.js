// Asks for a drawing as soon as another page has changed or deleted the open game. A fragment of Streamlit that draws
// itself every second would be shorter, but the frontend keeps buttons that have gone when two are drawn in a row
// (`_update_script_finished_message`, 1.67).

const EVERY_MS = 1000;
let place, shown, report, asking = false;

function render({ data, parentElement, setTriggerValue }) {
  place = parentElement;
  shown = data;
  report = setTriggerValue;
}

setInterval(async () => {
  if (asking || !place?.isConnected || document.hidden) return;
  asking = true;  // one question at a time, however slow the answer
  const { address, version } = shown;
  const newest = await fetch(address)
    .then((answer) => answer.ok ? answer.text() : answer.status === 404 ? "deleted" : "")
    .catch(() => "");  // the page itself shows that the server is gone
  asking = false;
  if (!newest || newest === String(version)) return;
  if (shown.address === address && shown.version === version) report("news", nextId());
}, EVERY_MS);
