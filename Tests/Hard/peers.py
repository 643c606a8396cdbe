"""Servers that misbehave, each in its own way, and whether what clients tell of them is defined and comes soon."""

import base64
import hashlib
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tool import Folder

# How long a client may take to tell; its own time limits are shorter.
LONGEST = 25

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def answer(body=b"", head=b"Content-Type: application/json\r\n", status=b"200 OK", length=None):
    return (b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n" % (status, head, len(body) if length is None else length)) + body


def chunked(*chunks, head=b""):
    return b"HTTP/1.1 200 OK\r\n" + head + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(chunks)


# What a server writes in answer to a request.
ANSWERS = {
    "nothing": b"",
    "garbage": bytes(range(256)) + b"\r\n\r\n",
    "zeros": bytes(5000),
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "a mail server": b"220 smtp.example.com ready\r\n\r\n",
    "a TLS alert": b"\x15\x03\x01\x00\x02\x02\x28",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/9.9": b"HTTP/9.9 200 OK\r\n\r\n",
    "no status": b"HTTP/1.1\r\n\r\n",
    "a status of letters": b"HTTP/1.1 abc OK\r\n\r\n",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "a negative status": b"HTTP/1.1 -20 OK\r\n\r\n",
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "a head without end": b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000,
    "many headers": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "a header without a colon": b"HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
    "a header with a space in its name": b"HTTP/1.1 200 OK\r\nContent Length: 2\r\n\r\nok",
    "a header with a zero": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nok",
    "folded headers": b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
    "bare line feeds": b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
    "bare carriage returns": b"HTTP/1.1 200 OK\rContent-Length: 2\r\rok",
    "half a body": answer(b"half", length=500),
    "no body where one was announced": answer(length=500),
    "more than was announced": answer(b"toolong", length=3),
    "an immense length": answer(length=99999999999),
    "a length beyond all numbers": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
    "a length of letters": b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "length and chunks": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an unknown coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: snake\r\n\r\n{}",
    "a broken chunk size": chunked(b"ZZ\r\n{}\r\n0\r\n\r\n"),
    "an immense chunk": chunked(b"FFFFFFFFFFFFFFFF\r\n{}"),
    "a chunk without its end": chunked(b"2\r\n{}X0\r\n\r\n"),
    "chunks that break off": chunked(b"5\r\n{\"a\""),
    "a chunk extension without end": chunked(b"2;" + b"a" * 100_000 + b"\r\n{}\r\n0\r\n\r\n"),
    "trailers without end": chunked(b"0\r\n" + b"X: y\r\n" * 20_000),
    "interim answers without end": b"HTTP/1.1 102 Processing\r\n\r\n" * 10_000,
    "an unasked switch of protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: snake\r\nConnection: Upgrade\r\n\r\n",
    "an empty body": answer(),
    "no JSON": answer(b"<html>busy</html>"),
    "half of JSON": answer(b'{"a": [1, 2'),
    "JSON that nests": answer(b"[" * 200_000),
    "JSON with immense numbers": answer(b'{"a": 1e99999, "b": -' + b"9" * 10_000 + b"}"),
    "JSON that is no text": answer(b'{"a": "\xff\xfe"}'),
    "JSON with half a surrogate": answer(b'{"a": "\\ud800"}'),
    "JSON with a zero": answer(b'{"a": "\\u0000"}\0'),
    "two JSON values": answer(b"{} {}"),
    "a body of another coding": answer(b"\x1f\x8b\x08\x00garbage", head=b"Content-Encoding: gzip\r\n"),
    "no content with content": b"HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok",
    "too many requests": answer(b"{}", head=b"Retry-After: 99999999999999\r\n", status=b"429 Too Many Requests"),
    "too many requests, when": answer(b"{}", head=b"Retry-After: Fri, 99 Foo 2026\r\n", status=b"429 Too Many Requests"),
    "a failure": answer(b"oops", status=b"500 Internal Server Error"),
    "unavailable": answer(b"", status=b"503 Service Unavailable"),
    "a redirect without a place": answer(b"", status=b"302 Found"),
    "a redirect to itself": answer(b"", head=b"Location: /\r\n", status=b"302 Found"),
    "a redirect elsewhere": answer(b"", head=b"Location: http://elsewhere.test/\r\n", status=b"307 Temporary Redirect"),
    "a redirect to another scheme": answer(b"", head=b"Location: file:///etc/passwd\r\n", status=b"302 Found"),
    "an answer too many": answer(b"{}") + answer(b'{"forged": true}'),
}

EVENTS = b"Content-Type: text/event-stream\r\n"
LINES = b"Content-Type: application/x-ndjson\r\n"

# What a server writes as a stream.
STREAMS = {
    "events that break off": chunked(b"10\r\ndata: {\"text\": \r\n", head=EVENTS),
    "events without data": chunked(b"8\r\nevent: \n\r\n0\r\n\r\n", head=EVENTS),
    "events that are no JSON": chunked(b"c\r\ndata: <a>\n\n\n\r\n0\r\n\r\n", head=EVENTS),
    "an event without end": b"HTTP/1.1 200 OK\r\n" + EVENTS + b"\r\ndata: " + b"a" * 8_000_000,
    "comments without end": b"HTTP/1.1 200 OK\r\n" + EVENTS + b"\r\n" + b": still here\n" * 100_000,
    "events that are no text": b"HTTP/1.1 200 OK\r\n" + EVENTS + b"\r\ndata: \xff\xfe\xfd\n\n",
    "a line without end": b"HTTP/1.1 200 OK\r\n" + LINES + b"\r\n" + b"[" * 8_000_000,
    "lines that are no JSON": b"HTTP/1.1 200 OK\r\n" + LINES + b"\r\nno\nno\nno\n",
    "half a line": b"HTTP/1.1 200 OK\r\n" + LINES + b'\r\n{"text": "a"}\n{"te',
}


def frame(code, payload, final=True, bits=0, length=None, mask=None):
    size = len(payload) if length is None else length
    first = (0x80 if final else 0) | bits << 4 | code
    marked = 0x80 if mask else 0
    if size < 126:
        head = struct.pack(">BB", first, marked | size)
    elif size < 1 << 16:
        head = struct.pack(">BBH", first, marked | 126, size)
    else:
        head = struct.pack(">BBQ", first, marked | 127, size)
    return head + (mask or b"") + payload


# What a server sends once a WebSocket is open.
FRAMES = {
    "reserved bits": frame(1, b"a", bits=4),
    "all reserved bits": frame(1, b"a", bits=7),
    "an unknown opcode": frame(3, b"a"),
    "an unknown control opcode": frame(11, b""),
    "a masked frame": frame(1, b"a", mask=b"abcd"),
    "text that is not UTF-8": frame(1, b"\xc3\x28"),
    "text that ends within a character": frame(1, b"\xe2\x82"),
    "an overlong character": frame(1, b"\xc0\xaf"),
    "a surrogate": frame(1, b"\xed\xa0\x80"),
    "a lone continuation": frame(0, b"a"),
    "a message within another": frame(1, b"a", final=False) + frame(1, b"b"),
    "a ping in parts": frame(9, b"a", final=False),
    "a long ping": frame(9, b"a" * 126),
    "a close of one byte": frame(8, b"\x03"),
    "a close code of 0": frame(8, b"\0\0"),
    "a close code of 999": frame(8, struct.pack(">H", 999)),
    "a close code of 1004": frame(8, struct.pack(">H", 1004)),
    "a close code of 1005": frame(8, struct.pack(">H", 1005)),
    "a close code of 1006": frame(8, struct.pack(">H", 1006)),
    "a close code of 1015": frame(8, struct.pack(">H", 1015)),
    "a close code of 5000": frame(8, struct.pack(">H", 5000)),
    "a close reason that is no text": frame(8, struct.pack(">H", 1000) + b"\xff"),
    "a close, and then more": frame(8, struct.pack(">H", 1000)) + frame(1, b"late"),
    "an oversized frame": frame(2, b"", length=(1 << 63) - 1),
    "a gigabyte": frame(2, b"", length=1 << 30),
    "a length with the highest bit": b"\x82\x7f" + b"\xff" + bytes(7),
    "a length that is longer than it need be": b"\x81\x7e\x00\x01a",
    "half a header": b"\x81",
    "half a long header": b"\x81\x7f\0\0",
    "half a frame": frame(1, b"ab", length=10),
    "a message that never ends": frame(1, b"a", final=False) + frame(0, b"b" * 60_000, final=False) * 400,
    "malformed JSON": frame(1, b'{"a'),
    "JSON that nests": frame(1, b"[" * 100_000),
    "an empty message": frame(1, b""),
    "binary": frame(2, bytes(range(256))),
    "garbage": bytes(range(128, 256)) * 10,
    "HTTP": answer(b"{}"),
    "an end in order": frame(8, struct.pack(">H", 1000) + b"bye"),
    "a ping and nothing more": frame(9, b"a") * 20,
}

# What a server answers to a handshake; %s is the proof that it is to give.
HANDSHAKES = {
    "a wrong proof": "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n",
    "no proof": "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "no upgrade": "HTTP/1.1 101 A\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
    "an upgrade to something else": "HTTP/1.1 101 A\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
    "no connection header": "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n\r\n",
    "a subprotocol that nobody offered": "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: snake\r\n\r\n",
    "an extension that nobody offered": "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Extensions: snake\r\n\r\n",
    "an ordinary answer": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "forbidden": "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
    "not found without a length": "HTTP/1.1 404 Not Found\r\n\r\nno",
    "a redirect": "HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
    "half a head": "HTTP/1.1 101 Sw",
    "garbage": "\x01\x02\r\n\r\n",
}

ENDINGS = ("stays", "closes", "resets")


class Peer:
    """A server on a port of this machine for one way to misbehave."""

    def __init__(self, act):
        self.act = act
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def serve(self, connection):
        try:
            self.act(connection)
        except OSError:
            pass

    def end(self):
        self.listener.close()
        for connection in self.connections:
            connection.close()


def request(connection):
    """The head of a request."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            break
        data += piece
    return data


def proof(head):
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"sec-websocket-key:"):
            return base64.b64encode(hashlib.sha1(line.split(b":", 1)[1].strip() + GUID).digest())
    return b""


def finish(connection, ending):
    if ending == "resets":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if ending != "stays":
        connection.close()


def answers(data, ending, drips=False):
    def act(connection):
        request(connection)
        if drips:
            for byte in data[:200]:
                connection.sendall(bytes([byte]))
                time.sleep(0.002)
        else:
            connection.sendall(data)
        finish(connection, ending)

    return act


def upgrades(data, ending):
    def act(connection):
        key = proof(request(connection))
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + key + b"\r\n\r\n")
        time.sleep(0.05)
        connection.sendall(data)
        finish(connection, ending)

    return act


def refuses(text, ending):
    def act(connection):
        key = proof(request(connection)).decode()
        connection.sendall((text % key if "%s" in text else text).encode("latin-1"))
        finish(connection, ending)

    return act


def at_once(ending):
    return lambda connection: finish(connection, ending)


HTTP = """
local http = require "http"
local kinds = { "response", "error", "rate_limited", "stream_started", "stream_ended", "message", "token", "chunk" }
scenario("asks", { allow = kinds }, function(t)
    local client = t:actor(http, { timeout = "2s", silence = "2s" })
    client:get "/"
    local told = client:expect(any { event "response", event "error", event "rate_limited", event "stream_ended" })
    print("told")
end)
"""

WEBSOCKET = """
local websocket = require "websocket"
scenario("connects", { allow = { "connected", "frame", "disconnected", "error" } }, function(t)
    local client = t:actor(websocket, { path = "/" })
    client:connect()
    client:expect(any { event "connected", event "error" })
    client:maybe(any { event "disconnected", event "error", event "frame" }, { within = "3s" })
    pcall(client.drop, client)
    print("told")
end)
"""

PROJECT = """
return {
    targets = { peer = { url = "%s://127.0.0.1:%d/" } }, limits = { expectation = "8s", scenario = "20s", busy = "5s" },
}
"""


PENDING = "pending   WebSocket to 127.0.0.1"


def cases():
    """Each case: its name, the scheme, what the server does."""
    for ending in ENDINGS:
        yield f"http: at once, {ending}", "http", at_once(ending)
        yield f"ws: at once, {ending}", "ws", at_once(ending)
    yield "http: an answer in drops", "http", answers(answer(b'{"a": 1}'), "stays", drips=True)
    yield "http: an answer in drops that breaks off", "http", answers(answer(b'{"a": 1}')[:-3], "closes", drips=True)
    for name, data in {**ANSWERS, **STREAMS}.items():
        for ending in ("stays", "closes"):
            yield f"http: {name}, {ending}", "http", answers(data, ending)
    for name, data in FRAMES.items():
        for ending in ("stays", "resets"):
            yield f"ws: {name}, {ending}", "ws", upgrades(data, ending)
    for name, text in HANDSHAKES.items():
        yield f"ws: {name}", "ws", refuses(text, "stays")


def undefined(tool, case):
    """What is wrong with what a client tells of a server; None if nothing is."""
    name, scheme, act = case
    peer = Peer(act)
    try:
        files = {"repartee.lua": PROJECT % (scheme, peer.port), "a.lua": HTTP if scheme == "http" else WEBSOCKET}
        with Folder(files) as folder:
            ended = tool.run(
                ["test", "a.lua", "--target", "peer", "--no-preflight", "--clock", "real", "--verbose", "--reports", "r"],
                folder.path, LONGEST)
            if ended.code is None:
                return f"{name}: no end within {LONGEST} s", True
            # A server that says nothing is told of by what waits for it when the time limit comes.
            waits = ended.code == 1 and PENDING in ended.output
            if not waits and (ended.code != 0 or "told" not in ended.output):
                return f"{name}: exit {ended.code}\n{ended.output[-700:]}", False
            return None, False
    finally:
        peer.end()


def check(tool, table, watch):
    took = watch()
    all_cases = list(cases())
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda case: undefined(tool, case), all_cases))
    problems = [problem for problem, _ in results if problem]
    hung = sum(is_hang for _, is_hang in results)
    table.add("servers that misbehave", len(all_cases), len(problems), "undefined", took=took.seconds)
    table.add("the same", len(all_cases), hung, "hangs")
    for problem in problems:
        table.find(problem)
