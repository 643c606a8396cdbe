-- Socket.IO: events, acknowledgements, rooms of the application, binary arguments, over both transports.
local socketio = require "socketio"

-- What nobody learns from, by the kinds of faults: a poll is a GET, which is sent again, and the server has given away
-- what its answer had; and who closes a connection at once does not hear that it had broken.
local lost_poll = { half_close = "the poll is sent again, and what its answer had is not" }
local left_at_once = "who leaves at once does not learn that its last text was lost"

-- Brings a client into the namespace "/"; `options` are the client's, `settings` the server's.
local function joined(t, options, settings)
    local server = t:server(socketio, settings)
    local peer, client = server:peer "app", t:actor(socketio, options)
    expect(client:connect(), true)
    return client, peer
end

for _, transport in ipairs { "websocket", "polling", "upgrade" } do
    local faults = transport == "polling" and lost_poll or nil
    scenario("a text is answered: " .. transport, { tags = { "socketio", transport }, faults = faults }, function(t)
        local client, peer = joined(t, { transport = transport })
        client:say "Good morning"
        peer:expect("message", { client = 1, text = "Good morning" })
        peer:say "Good morning, how can I help?"
        client:expect("message", { text = match.contains "help" })
        expect(client.connected, true)
    end)

    scenario("bytes travel beside their event: " .. transport, {
        tags = { "socketio", "binary", transport }, faults = faults,
    }, function(t)
        local client, peer = joined(t, { transport = transport })
        client:emit("photo", { name = "cat.png", content = { base64 = "iVBORw0KGgo=" } }, { base64 = "AP8=" })
        peer:expect("event", {
            name = "photo", args = { { name = "cat.png", content = { base64 = "iVBORw0KGgo=" } }, { base64 = "AP8=" } },
        })
        peer:emit("thumbnail", { base64 = "/wA=" })
        client:expect("event", { name = "thumbnail", args = { { base64 = "/wA=" } } })
    end)
end

scenario("long polling goes over to a WebSocket, and nothing is lost on the way", {
    tags = { "socketio", "upgrade" }, faults = lost_poll,
}, function(t)
    local client, peer = joined(t, { transport = "upgrade" })
    for number = 1, 20 do
        client:emit("number", number)
        peer:emit("number", number)
        wait "3ms"
    end
    for number = 1, 20 do
        peer:expect("event", { name = "number", args = { number } })
        client:expect("event", { name = "number", args = { number } })
    end
    client:disconnect()
    client:expect("disconnected")
end)

for _, transport in ipairs { "websocket", "polling", "upgrade" } do
    scenario("who connects again at once is not taken for gone, " .. transport, {
        tags = { "socketio" }, faults = transport == "websocket" and {
            cut = left_at_once, truncate = left_at_once, half_close = left_at_once,
        } or nil,
    }, function(t)
        local peer = t:server(socketio):peer "app"
        local client = t:actor(socketio, { transport = transport })
        t:network { latency = "50ms" }
        client:connect()
        client:say "Goodbye"
        for _, leave in ipairs { client.disconnect, function() end } do
            leave(client)
            expect(client:connect(), true)
            client:expect("disconnected", { code = 1000 })
        end
        client:never "disconnected"
        wait "1m"
        client:say "Still here"
        peer:expect("message", { text = "Goodbye" })
        peer:expect("message", { text = "Still here" })
    end)
end

scenario("no poll reaches the server after the upgrade, however long its way took", { tags = { "socketio", "upgrade" } }, function(t)
    local server = t:server(socketio)
    local peer = server:peer "app"
    t:network { latency = "20ms", jitter = "15ms" }
    for number = 1, 10 do
        local client = t:actor(socketio, { name = "client " .. number, transport = "upgrade" })
        expect(client:connect(), true)
        client:expect "upgraded"
        client:say "Good morning"
        wait "200ms"
        expect(client.connected, true)
        peer:expect("message", { client = number, text = "Good morning" })
    end
end)

-- Servers of long polling that do not let clients go over to a WebSocket, each in its way.
local staying = {
    { reason = "offers no WebSocket", settings = { upgrades = false } },
    { reason = "403", upgrade = function() return 403 end },
    { reason = "closed: 1011 not now", connected = function(desk, client, request)
        socketio.server.connected(desk, client, request)
        client:close(1011, "not now")
    end },
}
for _, case in ipairs(staying) do
    local reason = case.reason
    scenario("who cannot upgrade goes on with long polling: " .. reason, { tags = { "socketio", "upgrade" } }, function(t)
        local system = system { extends = socketio, name = "shop" }
        for _, handler in ipairs { "upgrade", "connected" } do
            if case[handler] then system.server[handler] = case[handler] end
        end
        local server = t:server(system, case.settings)
        local peer, client = server:peer "app", t:actor(system, { transport = "upgrade" })
        expect(client:connect(), true)
        client:expect("upgrade_failed", { reason = match.contains(reason) })
        client:say "Good morning"
        peer:expect("message", { text = "Good morning" })
        expect(client.transport, "polling")
    end)
end

scenario("a call waits for its acknowledgement and gives what that says", { tags = { "socketio", "ack" } }, function(t)
    local client, peer = joined(t, {}, {
        on_event = function(name, first) if name == "sum" then return first[1] + first[2], "done" end end,
    })
    local sum, word = client:call("sum", { 1, 2 })
    expect(sum, 3)
    expect(word, "done")
    expect(client:call "nothing", match.absent)
    peer:expect("event", { name = "sum" })
    peer:expect("event", { name = "nothing" })
end)

scenario("a text that asks for an acknowledgement was sent when it comes", { tags = { "socketio", "ack" } }, function(t)
    local client, peer = joined(t, { acknowledged = true }, { on_event = function() return { id = 7 } end })
    client:say "One"
    client:expect("message_sent", { text = "One", answer = { { id = 7 } } })
    peer:expect("message", { text = "One" })
end)

scenario("the server asks, and the client answers at once or by hand", { tags = { "socketio", "ack" } }, function(t)
    local server = t:server(socketio)
    local peer = server:peer "app"
    local quick = t:actor(socketio, { answer = function(name) return name .. " is known", 1 end })
    local slow = t:actor(socketio)
    quick:connect()
    slow:connect()
    peer:ask("question", "which?")
    quick:expect("event", { name = "question", args = { "which?" } })
    peer:expect("acknowledged", { client = 1, args = { "question is known", 1 } })
    slow:ack(slow:expect("event", { name = "question" }).ack, "this one")
    peer:expect("acknowledged", { client = 2, args = { "this one" } })
end)

scenario("an application's own events are what the scenario calls them", { tags = { "socketio", "map" } }, function(t)
    local client, peer = joined(t, {
        map = function(name, data)
            if name == "user typing" then return "typing", { from = data.user, active = data.on } end
            if name == "chat" then return "message", { text = data.body, from = data.user } end
        end,
    })
    peer:emit("user typing", { user = "sam", on = true })
    peer:emit("chat", { user = "sam", body = "Hello" })
    peer:emit("other", 1)
    client:expect("typing", { from = "sam", active = true })
    client:expect("message", { from = "sam", text = "Hello" })
    client:expect("event", { name = "other", args = { 1 } })
end)

scenario("what is asked is answered under any name", { tags = { "socketio", "map", "ack" } }, function(t)
    local peer = t:server(socketio):peer "app"
    local function map(name, text) if name == "ask" then return "message", { text = text } end end
    local quick = t:actor(socketio, { map = map, answer = function(_, text) return text .. " yes" end })
    local slow = t:actor(socketio, { map = map })
    quick:connect()
    slow:connect()
    peer:ask("ask", "sure?")
    quick:expect("message", { text = "sure?" })
    peer:expect("acknowledged", { client = 1, args = { "sure? yes" } })
    slow:ack(slow:expect("message", { text = "sure?" }).ack, "no")
    peer:expect("acknowledged", { client = 2, args = { "no" } })
end)

scenario("namespaces are joined by name, and an unknown one is refused", { tags = { "socketio", "namespaces" } }, function(t)
    local server = t:server(socketio, { namespaces = { "/", "/orders" } })
    local peer = server:peer "app"
    local orders = t:actor(socketio, { namespace = "/orders" })
    local other = t:actor(socketio, { namespace = "/no" })
    expect(orders:connect(), true)
    expect(other:connect(), false)
    other:expect("refused", { message = "Invalid namespace" })
    orders:emit("new", { id = 1 })
    peer:expect("event", { name = "new", namespace = "/orders" })
    peer:emit("shipped", 1)
    orders:expect("event", { name = "shipped", args = { 1 } })
end)

scenario("who has no right is told why", { tags = { "socketio", "auth" } }, function(t)
    t:server(socketio, { admit = function(auth) return auth.token == "right" or "who are you?" end })
    local stranger = t:actor(socketio, { auth = { token = "wrong" } })
    local friend = t:actor(socketio, { auth = { token = "right" } })
    expect(stranger:connect(), false)
    stranger:expect("refused", { message = "who are you?" })
    expect(friend:connect(), true)
    friend:expect("connected", { namespace = "/" })
end)

scenario("who is not let in by a word is left out", { tags = { "socketio", "auth" } }, function(t)
    t:server(socketio, { admit = function(auth) if auth.token == "right" then return true end end })
    local stranger = t:actor(socketio, { auth = { token = "wrong" } })
    expect(stranger:connect(), false)
    stranger:expect("refused", { message = "Not authorized" })
end)

for _, transport in ipairs { "websocket", "polling" } do
    scenario("pings are answered while the scenario waits: " .. transport, { tags = { "socketio", "heartbeat" } }, function(t)
        local client, peer = joined(t, { transport = transport }, { ping_interval = "5s", ping_timeout = "3s" })
        wait "12s"
        expect(client.connected, true)
        peer:emit "still there"
        client:expect("event", { name = "still there" })
    end)
end

scenario("the client of protocol 4 pings by itself", { tags = { "socketio", "heartbeat", "version 3" } }, function(t)
    for _, transport in ipairs { "websocket", "polling", "upgrade" } do
        local server = t:server(socketio, { version = 3, ping_interval = "5s", ping_timeout = "3s" })
        local peer = server:peer "app"
        local client = t:actor(socketio, { version = 3, transport = transport, name = transport })
        expect(client:connect(), true)
        wait "12s"
        client:emit("größe", "viel 😀", { base64 = "AQI=" })
        peer:expect("event", { name = "größe", args = { "viel 😀", { base64 = "AQI=" } } })
        peer:emit("Antwort", "schön", { base64 = "AQI=" })
        client:expect("event", { name = "Antwort", args = { "schön", { base64 = "AQI=" } } })
        expect(client.connected, true)
    end
end)

scenario("a server that falls silent is left", { tags = { "socketio", "heartbeat" }, clock = "virtual" }, function(t)
    local client = joined(t, {}, { ping_interval = "5s", ping_timeout = "3s" })
    t:network { latency = "1h" }
    client:expect("error", { code = "silence" }, { within = "30s" })
    client:expect("disconnected", { reason = "silence" })
end)

scenario("the server disconnects a client", { tags = { "socketio", "endings" } }, function(t)
    local client, peer = joined(t)
    peer:disconnect(1)
    client:expect("disconnected", { code = 1000 })
    expect(client.connected, false)
end)

scenario("a client of another protocol is told so", { tags = { "socketio", "version 3" } }, function(t)
    t:server(socketio, { version = 3 })
    local client = t:actor(socketio, { transport = "polling" })
    expect(client:connect(), false)
    client:expect("error", { status = 400, body = match.contains "Unsupported protocol version" })
    client:expect "disconnected"
end)

-- A command that is refused before anything is sent, and why.
local function refused(why, command, ...)
    local passed, problem = pcall(command, ...)
    expect(passed, false)
    expect(tostring(problem), match.contains(why))
end

scenario("commands of a client that is not connected are refused", { tags = { "socketio", "mistakes" } }, function(t)
    t:server(socketio)
    local client = t:actor(socketio)
    local commands = {
        function() client:say "Hello" end, function() client:emit("join", "lobby") end,
        function() client:call "history" end, function() client:ack(1) end, function() client:disconnect() end,
    }
    for _, command in ipairs(commands) do refused("not connected", command) end
    expect(client:connect(), true)
    refused("needs the name of an event", client.emit, client)
    client:disconnect()
    for _, command in ipairs(commands) do refused("not connected", command) end
    client:expect "disconnected"
    for _, command in ipairs(commands) do refused("not connected", command) end
end)

scenario("a client that there is not is told of, and an event without clients reaches nobody", {
    tags = { "socketio", "mistakes" },
}, function(t)
    local server = t:server(socketio)
    local peer, client = server:peer "app", t:actor(socketio)
    peer:emit "nobody hears it"
    refused("no client 42", peer.emit_to, peer, 42, "news")
    client:connect()
    refused("no client 42", peer.emit_to, peer, 42, "news")
    refused("no client 42", peer.disconnect, peer, 42)
    peer:emit_to(1, "news")
    client:expect("event", { name = "news" })
end)
