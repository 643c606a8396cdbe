-- GraphQL over WebSocket: operations, subscriptions, errors, pings, and a chat made of them.
local graphql = require "graphql"

local function connected(t, options, settings)
    local server = t:server(graphql, settings)
    local peer, ada = server:peer "Sam", t:actor(graphql, options)
    expect(ada:connect(), true)
    return ada, peer
end

-- How a chat of this kind is told to the client.
local chat = {
    say = "mutation ($text: String!) { send(text: $text) { id } }",
    map = function(data)
        if data.messageAdded then return "message", data.messageAdded end
        if data.typing then return "typing", data.typing end
    end,
}

scenario("a chat made of a subscription and a mutation", { tags = { "graphql" } }, function(t)
    local ada, peer = connected(t, chat, { resolve = function(_, variables)
        if variables then return { send = { id = "7" } } end
    end })
    ada:subscribe "subscription { messageAdded { text from } }"
    peer:expect("operation", { query = match.contains "messageAdded" })
    ada:say "Where is my order?"
    peer:expect("operation", { variables = { text = "Where is my order?" } })
    peer:expect("message", { text = "Where is my order?" })
    ada:expect("message_sent", { text = "Where is my order?", data = { send = { id = "7" } } })
    peer:publish { typing = { from = "Sam", active = true } }
    ada:expect("typing", { from = "Sam", active = true })
    peer:say "On its way"
    ada:expect("message", { text = "On its way", from = "Sam" })
end)

scenario("a query gives its data", { tags = { "graphql" } }, function(t)
    local ada, peer = connected(t, {}, { resolve = function(_, variables) return { twice = variables.n * 2 } end })
    expect(ada:query("query Twice($n: Int!) { twice(n: $n) }", { n = 21 }, "Twice"), match.equals { twice = 42 })
    peer:expect("operation", { operation = "Twice", variables = { n = 21 } })
end)

scenario("errors of a query are errors, those of a subscription an event", { tags = { "graphql" } }, function(t)
    local ada, peer = connected(t, {}, { resolve = function() return nil, { { message = "no such field" } } end })
    local done, message = pcall(ada.query, ada, "{ nothing }")
    expect(done, false)
    expect(tostring(message), match.contains "no such field")
    local id = ada:subscribe "subscription { nothing }"
    ada:expect("refused", { id = id, errors = match.has { message = "no such field" } })
    for _ = 1, 2 do peer:expect "operation" end
end)

scenario("results with errors in part are told with both", { tags = { "graphql" } }, function(t)
    local ada, peer = connected(t)
    ada:subscribe "subscription { a b }"
    peer:expect "operation"
    peer:publish({ a = 1 }, { { message = "b is gone", path = { "b" } } })
    ada:expect("next", { data = { a = 1 }, errors = match.has { message = "b is gone" } })
end)

scenario("each subscription has its own results, and ends by itself", { tags = { "graphql" } }, function(t)
    local ada, peer = connected(t)
    local first = ada:subscribe "subscription { a }"
    local second = ada:subscribe "subscription { b }"
    for _ = 1, 2 do peer:expect "operation" end
    peer:publish { a = 1 }
    ada:expect(all { event("next", { id = first }), event("next", { id = second }) })
    ada:complete(first)
    peer:expect("completed", { id = first })
    peer:publish { a = 2 }
    ada:expect("next", { id = second, data = { a = 2 } })
    peer:complete(1)
    ada:expect("complete", { id = second })
end)

scenario("who has no right is told why by the close", { tags = { "graphql", "auth" } }, function(t)
    t:server(graphql, { admit = function(payload) return payload ~= nil and payload.token == "right" or "who are you?" end })
    local stranger, friend = t:actor(graphql), t:actor(graphql, { payload = { token = "right" } })
    expect(stranger:connect(), false)
    stranger:expect("disconnected", { code = 4403, reason = "who are you?" })
    expect(friend:connect(), true)
    expect(friend.connected, true)
end)

scenario("pings of both sides are answered while the scenario waits", { tags = { "graphql", "heartbeat" } }, function(t)
    local ada, peer = connected(t, { ping = "3s" }, { ping = "5s" })
    ada:subscribe "subscription { a }"
    peer:expect "operation"
    wait "12s"
    expect(ada.connected, true)
    peer:publish { a = 1 }
    ada:expect "next"
    ada:ping { at = 1 }
    ada:expect("pong", { payload = { at = 1 } })
end)

scenario("a server that does not answer pings is left", { tags = { "graphql", "heartbeat" }, clock = "virtual" }, function(t)
    local ada = connected(t, { ping = "3s" })
    t:network { latency = "1h" }
    ada:expect("error", { code = "silence" }, { within = "1m" })
    ada:expect("disconnected", { reason = "silence" })
end)

scenario("the server ends a connection and says why", { tags = { "graphql", "endings" } }, function(t)
    local ada, peer = connected(t)
    peer:close(1, 4401, "Unauthorized")
    ada:expect("disconnected", { code = 4401, reason = "Unauthorized" })
    expect(ada.connected, false)
end)

scenario("who connects again at once is not taken for gone", { tags = { "graphql", "endings" } }, function(t)
    local ada = t:actor(graphql, { ping = "10s" })
    t:network { latency = "50ms" }
    ada:connect()
    for _, leave in ipairs { ada.disconnect, function() end } do
        leave(ada)
        expect(ada:connect(), true)
        ada:expect("disconnected", { code = 1000 })
    end
    ada:never "disconnected"
    t:allow "pong"
    wait "1m"
    expect(ada.connected, true)
end)

scenario("a connect takes the place of one that is under way, and nothing has ended", { tags = { "graphql", "endings" } }, function(t)
    local ada = t:actor(graphql)
    ada:never "disconnected"
    t:network { latency = "50ms" }
    local first = spawn(function() return pcall(ada.connect, ada) end)
    wait "60ms"
    ada:connect()
    join(first)
    expect(ada.connected, true)
end)

-- A command that is refused before anything is sent, and why.
local function refused(why, command, ...)
    local passed, problem = pcall(command, ...)
    expect(passed, false)
    expect(tostring(problem), match.contains(why))
end

scenario("commands of a client that is not connected are refused", { tags = { "graphql", "mistakes" } }, function(t)
    local server = t:server(graphql)
    local peer, ada = server:peer "Sam", t:actor(graphql, { say = chat.say })
    local commands = {
        function() ada:say "Hello" end, function() ada:query "{ a }" end, function() ada:ping() end,
        function() ada:subscribe "subscription { a }" end, function() ada:complete "1" end,
        function() ada:disconnect() end,
    }
    for _, command in ipairs(commands) do refused("not connected", command) end
    expect(ada:connect(), true)
    refused("needs query", ada.query, ada)
    refused("no client 42", peer.close, peer, 42)
    ada:disconnect()
    for _, command in ipairs(commands) do refused("not connected", command) end
    ada:expect "disconnected"
    for _, command in ipairs(commands) do refused("not connected", command) end
end)

scenario("pings between which no time passes are refused", { tags = { "graphql", "mistakes" } }, function(t)
    t:server(graphql)
    local ada = t:actor(graphql, { ping = 0 })
    local done, why = pcall(ada.connect, ada)
    expect({ done, tostring(why) }, { false, match.contains "ping is a duration of at least 1ms" })
end)
