#!/usr/bin/env python3
"""A WebSocket server with a limit that is planted in it, for searches of its capacity.

    planted.py queue|lock|leak|none LIMIT

It listens on a free port of the loopback and prints it. Each user sends a message a fifth of a second after the answer to
the last, and is answered at once, unless:

queue   only LIMIT connections are served; further ones wait in a queue and are not answered.
lock    all answers take turns at one lock, which bears the messages of LIMIT users and not of more.
leak    each message takes memory that is never given back; at that of LIMIT users over a trial the server is out of it and
        closes all connections with 1011. It is started again when all users have gone.
none    nothing limits it.
"""

import asyncio
import base64
import hashlib
import sys

# What planted.lua does: messages of a user in a second, and how long a trial lasts.
RATE = 5
TRIAL = 2


class Server:
    def __init__(self, kind, limit):
        self.kind, self.limit = kind, limit
        self.writers = []
        self.leaked = 0
        # When the lock is free again, on the loop's clock.
        self.free = 0.0

    async def connect(self, reader, writer):
        self.writers.append(writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            key = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            while True:
                first, second = await reader.readexactly(2)
                payload = await reader.readexactly(4 + (second & 0x7F))
                if first & 0x0F == 8:
                    writer.write(b"\x88\x00")
                    return
                await self.answer(writer, bytes(byte ^ payload[place % 4] for place, byte in enumerate(payload[4:])))
        except (asyncio.IncompleteReadError, ConnectionError, StopIteration):
            pass
        finally:
            self.writers.remove(writer)
            if not self.writers:
                self.leaked, self.free = 0, 0.0
            writer.close()

    async def answer(self, writer, text):
        if self.kind == "queue" and self.writers.index(writer) >= self.limit:
            return
        if self.kind == "lock":
            loop = asyncio.get_running_loop()
            self.free = max(self.free, loop.time()) + 1 / (RATE * self.limit)
            await asyncio.sleep(self.free - loop.time())
        if self.kind == "leak":
            self.leaked += 1
            if self.leaked > self.limit * RATE * TRIAL:
                reason = b"out of memory"
                for one in self.writers:
                    one.write(bytes([0x88, 2 + len(reason)]) + (1011).to_bytes(2, "big") + reason)
                return
        writer.write(bytes([0x81, len(text)]) + text)


async def main():
    server = Server(sys.argv[1], int(sys.argv[2]))
    listener = await asyncio.start_server(server.connect, "127.0.0.1", 0, backlog=1024)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


asyncio.run(main())
