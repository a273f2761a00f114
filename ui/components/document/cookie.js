// A value that the browser gives back with its next visit.

function render({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.value}; max-age=31536000; path=/; SameSite=Strict${secure}`;
}
