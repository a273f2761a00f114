// A socket that a browser refuses goes on as ordinary requests: `tunnel.py` says when and how.
{
  const Socket = globalThis.WebSocket, BEAT_MS = 20_000, [SOCKET, TUNNEL] = ["/_stcore/stream", "/_stcore/tunnel"];
  let refuses = false; // this browser, sockets

  class Line extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;

    constructor(url, protocols = []) {
      super();
      Object.assign(this, { url: String(url), protocol: "", readyState: Line.CONNECTING, waiting: [], left: new AbortController() });
      if (refuses) this.tunnel(protocols);
      else this.socket(protocols);
    }

    socket(protocols) {
      const socket = new Socket(this.url, protocols);
      socket.binaryType = "arraybuffer";
      this.left.signal.addEventListener("abort", () => socket.close());
      this.send = (data) => socket.send(data);
      socket.onopen = () => this.opened(socket.protocol);
      socket.onmessage = ({ data }) => this.heard(data);
      socket.onclose = ({ code, reason, wasClean }) => {
        if (this.readyState === Line.CONNECTING) this.tunnel(protocols);
        else this.closed({ code, reason, wasClean });
      };
    }

    async tunnel(protocols) {
      const name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      this.address = `${this.url.replace(/^ws/, "http").replace(SOCKET, TUNNEL)}?line=${name}`;
      this.send = (data) => this.put(data);
      try {
        const answer = await fetch(this.address, {
          method: "POST", headers: { "X-Tilescore-Protocols": [protocols].flat().join(", ") }, signal: this.left.signal,
        });
        if (!answer.ok) throw new Error(answer.statusText);
        refuses = true;
        this.beat = setInterval(() => this.put(new ArrayBuffer()), BEAT_MS);
        this.opened(answer.headers.get("X-Tilescore-Protocols"));
        await this.hear(answer.body.getReader());
      } catch {
        // The page left, or the server is gone.
      }
      this.closed({ code: 1006 });
    }

    async hear(reader) {
      let held = new Uint8Array();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const more = new Uint8Array(held.length + value.length);
        more.set(held);
        more.set(value, held.length);
        held = more;
        for (;;) {
          const size = held.length < 4 ? Infinity : new DataView(held.buffer, held.byteOffset).getUint32(0);
          if (held.length < 4 + size) break;
          this.heard(held.slice(4, 4 + size).buffer);
          held = held.subarray(4 + size);
        }
      }
    }

    // One message after the other, because their order counts.
    async put(data) {
      this.waiting.push(data);
      if (this.waiting.length > 1) return;
      while (this.waiting.length) {
        const answer = await fetch(this.address, { method: "PUT", body: this.waiting[0], signal: this.left.signal }).catch(() => undefined);
        if (!answer?.ok) return this.left.abort();
        this.waiting.shift();
      }
    }

    close() {
      if (this.readyState < Line.CLOSING) this.readyState = Line.CLOSING;
      this.left.abort();
    }

    opened(protocol) {
      if (this.readyState !== Line.CONNECTING) return;
      Object.assign(this, { protocol, readyState: Line.OPEN });
      this.dispatchEvent(new Event("open"));
    }

    heard(data) {
      this.dispatchEvent(new MessageEvent("message", { data }));
    }

    closed(how) {
      clearInterval(this.beat);
      if (this.readyState === Line.CLOSED) return;
      this.readyState = Line.CLOSED;
      this.dispatchEvent(new CloseEvent("close", how));
    }
  }

  if (location.protocol === "https:") globalThis.WebSocket = Line;
}
