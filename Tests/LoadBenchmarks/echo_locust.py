"""The work of `scripts/bench load` for Locust: each user sends a JSON message, reads the echo, sends the next one.

Nothing is reported to Locust's statistics, which is the least it can do.
"""

import json
import os

import gevent
import websocket
from locust import User, task


class Echo(User):
    number = 0

    def on_start(self):
        Echo.number += 1
        self.own = Echo.number
        self.socket = websocket.create_connection(os.environ["URL"])

    @task
    def talk(self):
        if os.environ.get("IDLE"):
            gevent.sleep(600)
        seq = 0
        while True:
            seq += 1
            self.socket.send(
                json.dumps(
                    {
                        "type": "message",
                        "user": self.own,
                        "seq": seq,
                        "text": "Where is my order? It was to arrive on Monday.",
                    }
                )
            )
            if json.loads(self.socket.recv())["seq"] != seq:
                raise RuntimeError("not the echo")
