-- A chat over Socket.IO with events of its own: a system that extends "socketio". Its rules: whoever connects is told a
-- place in the queue, then asked for a topic, and may rate the answer.
local socketio = require "socketio"
local connect, emit, ack = socketio.commands.connect, socketio.commands.emit, socketio.commands.ack

local Shop = system {
    extends = socketio, name = "shop", title = "Shop chat", client = "visitor",
    options = { user = "string?" },
    events = {
        queue = { position = "integer" }, question = { text = "string" }, address = { form = "form" },
        message = { order = "integer?" },
    },
    noise = { "queue" },
}

local map = {
    place = function(data) return "queue", { position = data.position } end,
    ask = function(text) return "question", { text = text } end,
    -- What is entered into a form acknowledges the event that brought it.
    address = function(fields, number) return "address", { form = { id = number, fields = fields } } end,
    chat = function(data) return "message", { text = data.body, from = data.user, order = data.order } end,
}
-- What a chat keeps in `me`, or in `desk`, by names of its own is not what the system that it extends keeps there.
local own = { "link", "session", "path", "setup", "outbox", "over", "calls" }
Shop.commands.connect = { parameters = {}, function(me)
    for _, name in ipairs(own) do me[name] = "of the shop" end
    return connect(me, {
        path = "/chat/", auth = { user = me.options.user or "ada" },
        map = function(name, ...) if map[name] then return map[name](...) end end,
    })
end }
Shop.commands.say = { sends = "text", function(me, text) emit(me, "chat", { body = text }) end }
function Shop.commands.is_untouched(me)
    for _, name in ipairs(own) do expect(me[name], "of the shop") end
    return true
end
function Shop.commands.answer(me, question, text) ack(me, question.raw.ack, text) end
Shop.commands.send_address = { submits = "address", function(me, values, number) ack(me, number, values) end }

-- The rest of the application answers at the same address.
local request = Shop.server.request
function Shop.server.request(desk, asked)
    if asked.path == "/hours" then return { json = { open = true } } end
    return request(desk, asked)
end
function Shop.commands.ask(me, path)
    local answer = me:request { path = path }
    if answer.ok then return answer.json.open end
    me:emit("refused", { message = answer.body or answer.failure.message, data = answer.status })
end

-- What a visitor says is a message for the peers, too, so that load tests know where the texts are.
local started = Shop.server.started
function Shop.server.started(desk)
    started(desk)
    desk.sessions, desk.count, desk.interval = "of the shop", "of the shop", "of the shop"
    function desk.map(name, data) if name == "chat" then return "message", { text = data.body } end end
end

function Shop.server.commands.place(desk, position)
    for _, party in pairs(desk.parties) do Shop.parties.peer.emit(party, "place", { position = position }) end
end

scenario("a chat over Socket.IO has events and commands of its own", { tags = { "socketio", "extends" } }, function(t)
    local desk = t:server(Shop)
    local peer, ada = desk:peer "Sam", t:actor(Shop, { user = "eva" })
    expect(ada:connect(), true)
    peer:expect("joined", { auth = { user = "eva" } })
    desk:place(1)
    peer:ask("ask", "What is it about?")
    local question = ada:expect("question", { text = "What is it about?" })
    ada:answer(question, "orders")
    peer:expect("acknowledged", { args = { "orders" } })
    ada:say "Where is 4711?"
    peer:expect("message", { text = "Where is 4711?", client = 1 })
    peer:emit("chat", { user = "Sam", body = "It has left.", order = 4711 })
    ada:expect("message", { from = "Sam", text = "It has left.", order = 4711 })
    expect(#ada:events("queue", { position = 1 }), 1)
    peer:emit "unknown"
    ada:expect("event", { name = "unknown" })
    expect(ada:is_untouched(), true)
end)

scenario("a form is submitted by the acknowledgement of its event", { tags = { "socketio", "extends" } }, function(t)
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop)
    ada:connect()
    peer:ask("address", { { key = "street", required = true }, { key = "floor", type = "number" } })
    ada:expect("address").form:fill { street = "High Street 1", floor = 2 }:submit()
    peer:expect("acknowledged", { args = { { street = "High Street 1", floor = 2 } } })
end)

scenario("what the map of a server cannot make of an event is a failure", {
    tags = { "socketio", "extends" }, expected_failure = "the map hands on what is no text",
}, function(t)
    local server = t:server(socketio, { map = function(name, data) return "message", { text = data } end })
    local peer, client = server:peer "Sam", t:actor(socketio)
    client:connect()
    client:emit("chat", "Good morning")
    peer:expect("message", { text = "Good morning" })
    client:emit("chat", 5)
    peer:expect "event"
end)

scenario("what is nothing of Socket.IO is told from it", { tags = { "socketio", "extends" } }, function(t)
    t:server(Shop)
    local ada = t:actor(Shop)
    expect(ada:ask "/hours", true)
    ada:ask "/hour"
    ada:expect("refused", { data = 404, message = match.contains "/hour is nothing of Socket.IO" })
end)

scenario("what an actor is given counts before what its system has", { tags = { "socketio", "extends" } }, function(t)
    local peer = t:server(Shop):peer "Sam"
    local ada = t:actor(Shop, { auth = { user = "bob" } })
    ada:connect()
    peer:expect("joined", { auth = { user = "bob" } })
end)

scenario("the system that was extended is as it was", { tags = { "socketio", "extends" } }, function(t)
    local peer, client = t:server(socketio):peer "app", t:actor(socketio)
    client:connect()
    client:say "Hello"
    peer:expect("message", { text = "Hello" })
    peer:emit("chat", { body = "Hi" })
    client:expect("event", { name = "chat", args = { { body = "Hi" } } })
end)
