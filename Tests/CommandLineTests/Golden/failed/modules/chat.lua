local websocket = require "websocket"

local chat = {}
chat.__index = chat

function chat.visitor(t)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return setmetatable({ client = client, peer = peer }, chat)
end

function chat:ask(text)
    self.client:send(text)
    self.peer:send_json { type = "answer", text = "gone" }
end

function chat:answer(text)
    self.client:expect("frame", { json = { type = "answer", text = text } }, { within = "1s" })
end

function chat.broken()
    local nothing
    return nothing.field
end

return chat
