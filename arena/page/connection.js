// The connection to the server: one WebSocket, opened again whenever it is lost.
const WAIT = [200, 500, 1000, 2000, 4000];

export class Connection {
  // `heard(message)` is told every message; `open()` is called when the server has said welcome; `lost(now)`.
  constructor(token, heard, lost) {
    this.token = token;
    this.heard = heard;
    this.lost = lost;
    this.tries = 0;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/table`);
    this.socket.onopen = () => this.say("hello", this.token ? { token: this.token } : {});
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.is === "welcome") {
        this.tries = 0;
        this.lost(false);
      }
      this.heard(message);
    };
    this.socket.onclose = () => {
      this.lost(true);
      setTimeout(() => this.connect(), WAIT[Math.min(this.tries++, WAIT.length - 1)]);
    };
  }

  say(what, values = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: what, ...values }));
  }
}
