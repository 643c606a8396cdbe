-- A chat over GraphQL with events of its own: a system that extends "graphql", and gives its `connect` what all of its
-- clients have.
local graphql = require "graphql"
local connect = graphql.commands.connect

local Shop = system {
    extends = graphql, name = "shop", title = "Shop chat", client = "visitor",
    options = { user = "string?" },
    events = { queue = { position = "integer" } },
}

local function map(data)
    if data.place then return "queue", { position = data.place } end
    if data.chat then return "message", { text = data.chat.body, from = data.chat.user } end
end
Shop.commands.connect = { parameters = { "settings: table?" }, function(me, settings)
    return connect(me, settings or {
        path = "/chat", map = map, say = "mutation ($text: String!) { send(text: $text) { id } }",
        payload = { user = me.options.user or "ada" },
    })
end }

scenario("a visitor of an extended chat is told a place, and talks", { tags = { "graphql" } }, function(t)
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop, { user = "bea" })
    expect(ada:connect(), true)
    peer:expect("joined", { payload = { user = "bea" } })
    ada:subscribe "subscription { place chat { body user } }"
    peer:expect "operation"
    peer:publish { place = 2 }
    ada:expect("queue", { position = 2 })
    ada:say "Hello"
    peer:expect "operation"
    peer:expect("message", { text = "Hello" })
    peer:publish { chat = { body = "Good morning", user = "Sam" } }
    ada:expect("message", { text = "Good morning", from = "Sam" })
end)

scenario("what a result lacks for the event that the map makes of it is told", { tags = { "graphql" } }, function(t)
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop)
    ada:connect()
    ada:subscribe "subscription { place chat { body user } }"
    peer:expect "operation"
    peer:publish { place = "two" }
    ada:expect("error", { code = "event", message = match.contains "position is" })
    peer:publish { chat = { user = "Sam" } }
    ada:expect("error", { code = "event", message = match.contains "needs the field text" })
    peer:publish { place = 1 }
    ada:expect("queue", { position = 1 })
end)

scenario("what an actor is given goes before what its system gives", { tags = { "graphql" } }, function(t)
    local function map() return "message", { text = "mine" } end
    local peer, ada = t:server(Shop):peer "Sam", t:actor(Shop, { map = map })
    ada:connect()
    ada:subscribe "subscription { place }"
    peer:expect "operation"
    peer:publish { place = 2 }
    ada:expect("message", { text = "mine" })
end)

scenario("the client keeps what the server acknowledged the connection with", { tags = { "graphql" } }, function(t)
    local server = system { name = "shop", events = {} }
    local count = 0
    function server.server.upgrade() return "graphql-transport-ws" end
    function server.server.text(_, client)
        count = count + 1
        if count == 2 then return client:close(4403, "Forbidden") end
        client:send_json { type = "connection_ack", payload = { session = "s1" } }
    end
    t:server(server)
    local ada = t:actor(Shop)
    ada:connect()
    expect(ada.acknowledgement, match.equals { session = "s1" })
    expect(ada:connect(), false)
    for _, code in ipairs { 1000, 4403 } do ada:expect("disconnected", { code = code }) end
    expect(ada.acknowledgement, nil)
end)

scenario("an option that there is not is refused", { tags = { "graphql", "mistakes" } }, function(t)
    local server = t:server(Shop)
    local peer, ada = server:peer "Sam", t:actor(Shop)
    local done, why = pcall(ada.connect, ada, { pth = "/chat" })
    expect({ done, tostring(why) }, { false, match.contains 'connect takes no option "pth"' })
    peer:expect_silence "1s"
end)
