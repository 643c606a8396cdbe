"""The server of the support chat on FastAPI, with an agent who answers by itself, for Scenarios/peers/fastapi.lua.

Argument: the port.
"""

import asyncio
import secrets
import sys

import uvicorn
from fastapi import FastAPI, HTTPException, Request, WebSocket, WebSocketDisconnect

app = FastAPI()
users = {}


@app.post("/login")
async def login(request: Request):
    user = (await request.json()).get("user")
    if not user:
        raise HTTPException(403)
    token = secrets.token_hex(16)
    users[token] = user
    return {"token": token}


async def keep_alive(socket, state):
    """Pings each two seconds; whoever does not answer within three is let go."""
    while True:
        await asyncio.sleep(2)
        state["pong"].clear()
        await socket.send_json({"type": "ping"})
        try:
            await asyncio.wait_for(state["pong"].wait(), 3)
        except asyncio.TimeoutError:
            return await socket.close(4008, "no pong")


@app.websocket("/chat")
async def chat(socket: WebSocket, token: str = ""):
    if token not in users:
        return await socket.close(4001)
    await socket.accept()
    state = {"pong": asyncio.Event(), "count": 0}
    pinging = asyncio.create_task(keep_alive(socket, state))
    await socket.send_json({"type": "hello", "session": token[:8]})
    try:
        while True:
            frame = await socket.receive_json()
            kind = frame.get("type")
            if kind == "hello":
                await socket.send_json({"type": "queue", "position": 1})
                await socket.send_json({"type": "joined", "name": "Robin"})
            elif kind == "pong":
                state["pong"].set()
            elif kind == "message":
                await socket.send_json({"type": "ack", "id": frame["id"], "text": frame["text"]})
                await socket.send_json({"type": "typing", "active": True})
                state["count"] += 1
                answer = f"{users[token]}, you said: {frame['text']}"
                await socket.send_json(
                    {"type": "message", "from": "Robin", "text": answer, "id": f"a{state['count']}"})
            elif kind == "leave":
                await socket.send_json({"type": "survey", "question": "Were we of help?"})
            elif kind == "survey":
                await socket.send_json({"type": "ended", "by": "visitor"})
                return await socket.close(1000, f"thank you for the {frame['score']}")
    except WebSocketDisconnect:
        pass
    finally:
        pinging.cancel()


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
