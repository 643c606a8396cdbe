// The work of `scripts/bench load` for k6: each user sends a JSON message, reads the echo, sends the next one.
import { WebSocket } from "k6/experimental/websockets";

const users = Number(__ENV.USERS);

export const options = {
  scenarios: {
    echo: { executor: "per-vu-iterations", vus: users, iterations: 1, maxDuration: "10m", gracefulStop: "0s" },
  },
};

export default function () {
  const socket = new WebSocket(__ENV.URL);
  let seq = 0;
  const say = () => {
    seq += 1;
    socket.send(JSON.stringify({
      type: "message", user: __VU, seq: seq, text: "Where is my order? It was to arrive on Monday.",
    }));
  };
  socket.onmessage = (event) => {
    if (JSON.parse(event.data).seq !== seq) throw new Error("not the echo");
    say();
  };
  socket.onopen = () => {
    if (!__ENV.IDLE) say();
  };
}
