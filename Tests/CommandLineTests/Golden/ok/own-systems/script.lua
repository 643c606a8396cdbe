-- A chat system of one's own, in the file of its scenarios.
local S = system {
    name = "echo", title = "Echo chat",
    options = { greeting = "string?", on_end = "function?" },
    server_options = { answer = "string?" },
    events = {
        connected = { subprotocol = "string?" }, message = { text = "string", from = "server|client" },
        beat = { number = "integer" }, disconnected = { code = "integer", reason = "string", clean = "boolean" },
    },
    noise = { "connected" }, absences = { typing = "Echo chat has no typing indicators" },
    properties = { beats = "integer?" },
    parties = { peer = { events = { message = { text = "string" }, closed = { code = "integer" } }, noise = { "closed" } } },
}

function S.commands.connect(me, options)
    me.link = me:open { path = "/chat", query = { as = me.options.greeting }, subprotocols = options }
    local link, failure = me:wait "open"
    return link and link.number, failure
end
S.commands.say = { parameters = { "text: string" }, sends = "text", function(me, text) return me.link:send(text) end }
function S.commands.say_bytes(me, bytes) me.link:send_bytes(bytes) end
function S.commands.fetch(me, path) return me:request { path = path, headers = { ["X-Test"] = "yes" } } end
function S.commands.beat(me, every)
    me.beats = 0
    me.every = every
    me:after("beat", every)
end
function S.commands.stop(me) me:cancel "beat" end
function S.commands.leave(me) me.link:close(4000, "enough") end
function S.commands.nap(me, name, within) return me:wait(name, within) end
function S.commands.ring(me, name, ...) return me:wake(name, ...) end

function S.on.open(me, link) me:emit("connected", { subprotocol = link.subprotocol }) end
function S.on.text(me, text) me:emit("message", { text = text, from = "server" }, text) end
function S.on.bytes(me, bytes) me:emit("message", { text = ("bytes %d %d"):format(bytes:byte(1, 2)), from = "server" }) end
function S.on.timer(me, name)
    me.beats = me.beats + 1
    me:emit("beat", { number = me.beats })
    me:after(name, me.every)
end
function S.on.closed(me, closure)
    me:emit("disconnected", closure)
    if me.options.on_end then me.options.on_end(closure.code) end
end

function S.server.upgrade(desk, request)
    if request.query.as == "nobody" then return { status = 403, body = "not you" } end
    return request.headers["sec-websocket-protocol"] and "v2" or true
end
function S.server.text(desk, client, text)
    for _, peer in pairs(desk.parties) do peer:emit("message", { text = text }) end
    client:send(desk.options.answer or text)
end
function S.server.bytes(desk, client, bytes) client:send_bytes(bytes:reverse()) end
function S.server.request(desk, request)
    if request.path == "/slow" then wait "2s" end
    return { status = 201, json = { path = request.path, test = request.headers["x-test"] } }
end
function S.server.closed(desk, client, closure)
    for _, peer in pairs(desk.parties) do peer:emit("closed", { code = closure.code }) end
end
function S.parties.peer.tell(peer, text)
    for _, client in ipairs(peer.desk.clients) do client:send(text) end
end
S.server.commands.broadcast = function(desk, text) for _, c in ipairs(desk.clients) do c:send(text) end end

scenario("texts go to and fro", function(t)
    local client = t:actor(S)
    expect(client:connect(), 1)
    client:say "hello"
    local message = client:expect("message", { text = "hello", from = "server" })
    expect(message.raw, "hello")
end)

scenario("bytes go to and fro", function(t)
    local client = t:actor(S)
    client:connect()
    client:say_bytes "\0\255"
    client:expect("message", { text = "bytes 255 0" })
end)

scenario("a party of the server sees and speaks", function(t)
    local desk = t:server(S, { answer = "heard" })
    local peer = desk:peer "anybody"
    local client = t:actor(S)
    client:connect { "v1", "v2" }
    client:expect("connected", { subprotocol = "v2" })
    client:say "hello"
    peer:expect("message", { text = "hello" })
    client:expect("message", { text = "heard" })
    peer:tell "by the way"
    client:expect("message", { text = "by the way" })
    desk:broadcast "to all"
    client:expect("message", { text = "to all" })
    client:leave()
    client:expect("disconnected", { code = 4000 })
    peer:expect("closed", { code = 4000 })
end)

scenario("a request is answered while its command waits", function(t)
    local client = t:actor(S)
    local before = now()
    local answer = client:fetch "/slow"
    expect(now() - before, match.near(2, 0.1))
    expect(answer, { ok = true, status = 201, json = { path = "/slow", test = "yes" } })
end)

scenario("handlers run while the scenario does something else", function(t)
    local client = t:actor(S)
    client:beat "10s"
    wait "35s"
    expect(client.beats, 3)
    client:expect(seq { event("beat", { number = 1 }), event("beat", { number = 2 }), event("beat", { number = 3 }) })
    client:stop()
    client:expect_silence("1m", "beat")
end)

scenario("a refused connection is an event", function(t)
    local client = t:actor(S, { greeting = "nobody" })
    local link, failure = client:connect()
    expect(link == nil, true)
    expect(failure.status, 403)
    client:expect("error", { code = "upgrade_refused", status = 403 })
end)

scenario("threads wake each other through the client", function(t)
    local client = t:actor(S)
    local sleeper = spawn(function() return { client:nap("bell", "1m") } end)
    wait "1s"
    expect(client:ring("bell", 1, "two"), 1)
    expect(join(sleeper), { 1, "two" })
    expect(client:ring "bell", 0)
end)

scenario("functions are passed as options", function(t)
    local code
    local client = t:actor(S, { on_end = function(ended) code = ended end })
    client:connect()
    client:leave()
    client:expect "disconnected"
    expect(code, 4000)
end)

scenario("what the product does not have is told", function(t)
    local client = t:actor(S)
    local done, message = pcall(client.expect, client, "typing")
    expect(done, false)
    expect(tostring(message), match.contains "Echo chat has no typing indicators")
end)
