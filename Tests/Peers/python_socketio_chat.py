"""A chat of rooms on python-socketio, for the scenarios in Scenarios/peers/python_socketio.lua. Argument: the port."""

import sys

import socketio
import uvicorn

server = socketio.AsyncServer(async_mode="asgi", cors_allowed_origins="*", ping_interval=2, ping_timeout=2)
numbers = {"message": 0}


@server.event
async def connect(sid, environ, auth):
    if auth and auth.get("token") == "wrong":
        raise socketio.exceptions.ConnectionRefusedError("who are you?")


@server.event
async def join(sid, room):
    await server.enter_room(sid, room)
    await server.save_session(sid, {"room": room})
    return room


@server.event
async def message(sid, text):
    numbers["message"] += 1
    room = (await server.get_session(sid)).get("room")
    await server.emit("message", {"text": text, "from": room}, room=room, skip_sid=sid)
    return {"id": numbers["message"]}


@server.event
async def photo(sid, name, content):
    await server.emit("photo", (name, content[::-1]), to=sid)


@server.event
async def sum(sid, numbers):
    total = 0
    for number in numbers:
        total += number
    return total, "done"


@server.event
async def question(sid):
    answer = await server.call("question", "which?", to=sid)
    await server.emit("answered", answer, to=sid)


@server.event
async def leave(sid):
    await server.disconnect(sid)


@server.on("connect", namespace="/orders")
async def connect_orders(sid, environ, auth):
    await server.emit("order", {"id": 1}, to=sid, namespace="/orders")


uvicorn.run(socketio.ASGIApp(server), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
