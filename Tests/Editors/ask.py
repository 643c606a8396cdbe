"""Asks a language server about a project, as an editor would, and prints what it says as JSON.

    python3 ask.py SERVER PROJECT FILE [LINE:COLUMN…]

What is printed: `diagnostics` of the file, and for each place (counted from one) `hover`, the text that is shown over it,
and `completions`, the names that are offered there.
"""
import json
import pathlib
import re
import subprocess
import sys
import threading


class Server:
    """A language server at the other end of two pipes."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        # A server that says nothing must not hold up the tests.
        self.limit = threading.Timer(90, self.process.kill)
        self.limit.start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the language server ended")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def answer(self, message):
        """Answers what servers ask of editors: there are no settings of ours, and everything else is all right."""
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items") if message["method"] == "workspace/configuration" else None
            self.send({"id": message["id"], "result": [None] * len(items) if items else None})

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]
            self.answer(message)

    def tell(self, method, params):
        self.send({"method": method, "params": params})


def shown(hover):
    """The text of a hover, in whichever of its forms."""
    contents = (hover or {}).get("contents", "")
    if isinstance(contents, dict):
        return contents.get("value", "")
    if isinstance(contents, list):
        return "\n".join(part if isinstance(part, str) else part.get("value", "") for part in contents)
    return contents


def main(program, project, name, places):
    root = pathlib.Path(project).resolve()
    file = root / name
    server = Server(program)
    server.ask("initialize", {
        "processId": None, "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": "project"}],
        "capabilities": {
            "textDocument": {"diagnostic": {}, "hover": {"contentFormat": ["markdown"]}, "completion": {}},
            "workspace": {"configuration": True, "workspaceFolders": True},
        },
    })
    server.tell("initialized", {})
    document = {"uri": file.as_uri()}
    server.tell("textDocument/didOpen", {
        "textDocument": {**document, "languageId": "lua", "version": 1, "text": file.read_text()}})
    report = server.ask("textDocument/diagnostic", {"textDocument": document})
    result = {"diagnostics": [
        {"line": item["range"]["start"]["line"] + 1, "code": item.get("code"), "message": item["message"]}
        for item in report.get("items", [])], "places": {}}
    for place in places:
        line, column = (int(part) - 1 for part in re.split(":", place))
        params = {"textDocument": document, "position": {"line": line, "character": column}}
        offered = server.ask("textDocument/completion", params) or []
        items = offered["items"] if isinstance(offered, dict) else offered
        result["places"][place] = {
            "hover": shown(server.ask("textDocument/hover", params)),
            "completions": [item["label"] for item in items]}
    print(json.dumps(result, indent=1))
    server.limit.cancel()
    server.process.kill()


main(*sys.argv[1:4], sys.argv[4:])
