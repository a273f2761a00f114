// Asks for a drawing as soon as another page has changed the open game. A fragment of Streamlit that draws itself every
// second would be shorter, but the frontend keeps buttons that have gone when two fragments are drawn one after the other
// (`_update_script_finished_message`, 1.67).

const EVERY_MS = 1000;
let place, shown, report;

function render({ data, parentElement, setTriggerValue }) {
  place = parentElement;
  shown = data;
  report = setTriggerValue;
}

setInterval(async () => {
  if (!place?.isConnected && !place?.host?.isConnected || document.hidden) return;
  const { address, version } = shown;
  const answer = await fetch(address).catch(() => null);  // the page itself shows that the server is gone
  if (!answer?.ok || await answer.text() === String(version)) return;
  if (shown.address === address && shown.version === version) report("news", nextId());
}, EVERY_MS);
