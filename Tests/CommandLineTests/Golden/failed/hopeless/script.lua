-- What can no longer come is not waited for, and the cause stands first.
local websocket = require "websocket"
local http = require "http"

local function connection(t, options)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect(options)
    client:expect "connected"
    return client, peer
end

scenario("the server closes the connection", function(t)
    local client, peer = connection(t)
    client:send "question"
    peer:close(1011, "internal error")
    client:expect("frame", { text = "answer" }, { within = "1h" })
end)

scenario("the server drops the connection", function(t)
    local client, peer = connection(t)
    client:send "question"
    wait "300ms"
    peer:drop()
    client:expect("frame", nil, { within = "1h" })
end)

scenario("the handshake is refused", function(t)
    t:server(websocket, { refuse = 403 })
    local client = t:actor(websocket)
    client:connect()
    client:expect("connected", nil, { within = "1h" })
end)

scenario("the answer is an error", function(t)
    t:server(http, { answers = { { status = 500, json = { error = "the database is down" } } } })
    local client = t:actor(http)
    client:send { message = "question" }
    client:expect("message", nil, { within = "1h" })
end)

scenario("a stream ends too early", function(t)
    t:server(http, { answers = { { events = { { choices = { { delta = { content = "Hal" } } } } } } } })
    local client = t:actor(http)
    client:send { message = "question" }
    client:expect("message", nil, { within = "1h" })
end)

scenario("nobody has told the client to do anything", function(t)
    local client = t:actor(websocket)
    client:expect("frame", nil, { within = "1h" })
end)

scenario("nobody turns to the server", function(t)
    local peer = t:server(websocket):peer "peer"
    peer:expect("connected", nil, { within = "1h" })
end)

scenario("all threads wait for what cannot come", function(t)
    local client, peer = connection(t)
    local other = t:actor(websocket, { name = "other" })
    local thread = spawn(function() other:expect("frame", nil, { within = "1h" }) end)
    peer:close()
    client:expect("disconnected")
    join(thread)
end)
