-- Reading the JSON of an answer that is none is the fault of the answer.
local http = require "http"
local websocket = require "websocket"

local function asked(t, answer)
    t:server(http, { answers = { answer } })
    local visitor = t:actor(http)
    visitor:post("/login", { user = "ada" })
    return visitor:expect "response"
end

scenario("a body that is cut", function(t)
    local response = asked(t, { text = '{"token": "ab', headers = { ["content-type"] = "application/json" } })
    print(response.json.token)
end)

scenario("a variable", function(t)
    local login = asked(t, { text = "<html>busy</html>", headers = { ["content-type"] = "application/json" } }).json
    print(login.token)
end)

scenario("a frame", function(t)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    peer:send '{"type": "hello"'
    print(client:expect("frame").json.type)
end)
