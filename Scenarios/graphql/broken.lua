-- Servers that break graphql-transport-ws: the client tells of it and leaves.
local graphql = require "graphql"

-- A server of which a scenario writes every message: what `messages` has when the client begins an operation.
local function broken(t, messages, options)
    local system = system { name = "graphql", events = {} }
    function system.server.upgrade() return "graphql-transport-ws" end
    function system.server.text(_, client, text)
        local kind = json.decode(text).type
        if kind == "connection_init" then client:send_json { type = "connection_ack" } end
        if kind == "subscribe" then for _, message in ipairs(messages) do client:send(message) end end
    end
    t:server(system)
    return t:actor(graphql, options)
end

local rows = {
    { name = "no JSON", text = "{" },
    { name = "a list", text = "[]" },
    { name = "a number", text = "1" },
    { name = "null", text = "null" },
    { name = "no type", text = '{"id":"1"}' },
    { name = "an unknown type", text = '{"type":"data","id":"1"}' },
    { name = "a type that is no text", text = '{"type":[1]}' },
    { name = "a message of clients", text = '{"type":"subscribe","id":"1","payload":{}}' },
    { name = "a second acknowledgement", text = '{"type":"connection_ack"}' },
    { name = "a next without an id", text = '{"type":"next","payload":{}}' },
    { name = "a next with a number as its id", text = '{"type":"next","id":1,"payload":{}}' },
    { name = "a next without a payload", text = '{"type":"next","id":"1"}' },
    { name = "a next with null as its payload", text = '{"type":"next","id":"1","payload":null}' },
    { name = "a next with a list", text = '{"type":"next","id":"1","payload":[1]}' },
    { name = "a next of nobody's", text = '{"type":"next","id":"9","payload":{"data":1}}' },
    { name = "errors that are none", text = '{"type":"next","id":"1","payload":{"errors":"x"}}' },
    { name = "neither data nor errors", text = '{"type":"next","id":"1","payload":{}}' },
    { name = "an error without a list", text = '{"type":"error","id":"1","payload":{}}' },
    { name = "an error with an empty list", text = '{"type":"error","id":"1","payload":[]}' },
    { name = "an error of texts", text = '{"type":"error","id":"1","payload":["x"]}' },
    { name = "an empty message", text = "" },
    { name = "two types", text = '{"type":"complete","type":"next","id":"1","payload":{"data":{"a":1}}}' },
    { name = "two of a member", text = '{"type":"next","id":"1","payload":{"data":{"a":1,"a":2}}}' },
}
scenario("a broken message ends the connection", { tags = { "graphql", "broken" }, rows = rows }, function(t, row)
    local ada = broken(t, { row.text })
    expect(ada:connect(), true)
    ada:subscribe "subscription { a }"
    ada:expect("error", { code = "protocol" })
    ada:expect("disconnected", { code = 4400, reason = "protocol" })
    expect(ada.connected, false)
end)

local completed = '{"type":"complete","id":"1"}'

scenario("a text whose mutation has errors is refused, not sent", { tags = { "graphql" } }, function(t)
    local result = '{"type":"next","id":"1","payload":{"data":{"send":null},"errors":[{"message":"too long"}]}}'
    local ada = broken(t, { result, completed }, { say = "mutation ($text: String!) { send(text: $text) { id } }" })
    ada:connect()
    ada:never "message_sent"
    ada:say "Hello"
    ada:expect("refused", { id = "1", errors = match.has { message = "too long" } })
end)

scenario("a query or a mutation that ends without a result breaks the protocol", { tags = { "graphql", "broken" } },
    function(t)
        for _, ask in ipairs {
            function(ada) ada:say "Hello" end, function(ada) expect(pcall(ada.query, ada, "{ a }"), false) end,
        } do
            local ada = broken(t, { completed }, { say = "mutation ($text: String!) { send(text: $text) { id } }" })
            ada:connect()
            ask(ada)
            ada:expect("error", { code = "protocol", message = match.contains "without a result" })
            ada:expect "disconnected"
        end
    end)

local answered = '{"type":"next","id":"1","payload":{"data":{"send":1}}}'

scenario("a query or a mutation has one result", { tags = { "graphql", "broken" } }, function(t)
    local ada = broken(t, { answered, answered, completed }, { say = "mutation ($text: String!) { send(text: $text) { id } }" })
    ada:connect()
    ada:never "message_sent"
    ada:say "Hello"
    ada:expect("error", { code = "protocol", message = match.contains "a second result" })
    ada:expect "disconnected"
    local bea = broken(t, { answered, answered, completed })
    bea:connect()
    local done, why = pcall(bea.query, bea, "{ a }")
    expect({ done, tostring(why) }, { false, match.contains "a second result" })
    bea:expect("error", { code = "protocol" })
    bea:expect "disconnected"
end)

scenario("a result that says that more follows may be followed", { tags = { "graphql" } }, function(t)
    local first = '{"type":"next","id":"1","payload":{"data":{"send":1},"hasNext":true}}'
    local ada = broken(t, { first, answered, completed })
    ada:connect()
    expect(ada:query "{ a }", match.equals { send = 1 })
end)

scenario("what ends twice, or was never begun, breaks the protocol", { tags = { "graphql", "broken" } }, function(t)
    for _, messages in ipairs { { completed, completed }, { '{"type":"complete","id":"9"}' } } do
        local ada = broken(t, messages)
        ada:connect()
        ada:subscribe "subscription { a }"
        ada:expect("error", { code = "protocol", message = match.contains "a complete of no operation" })
        ada:expect "disconnected"
    end
end)

scenario("what is under way of an operation that the client has ended is passed over", { tags = { "graphql" } },
    function(t)
        for _, last in ipairs { completed, '{"type":"error","id":"1","payload":[{"message":"m"}]}' } do
            local system = system { name = "graphql", events = {} }
            function system.server.upgrade() return "graphql-transport-ws" end
            function system.server.text(_, client, text)
                local kind = json.decode(text).type
                if kind == "connection_init" then client:send_json { type = "connection_ack" } end
                if kind == "complete" then for _ = 1, 2 do client:send(answered) end client:send(last) end
            end
            t:server(system)
            local ada = t:actor(graphql)
            ada:connect()
            ada:complete(ada:subscribe "subscription { a }")
            ada:expect_silence("1s")
            expect(ada.connected, true)
        end
    end)

scenario("results before the acknowledgement are refused", { tags = { "graphql", "broken" } }, function(t)
    local system = system { name = "graphql", events = {} }
    function system.server.upgrade() return "graphql-transport-ws" end
    function system.server.text(_, client) client:send '{"type":"next","id":"1","payload":{"data":1}}' end
    t:server(system)
    local ada = t:actor(graphql)
    expect(ada:connect(), false)
    ada:expect("error", { code = "protocol" })
    ada:expect "disconnected"
end)

local pieces = {
    '{"type":', '"next"', '"error"', '"complete"', '"ping"', '"pong"', '"connection_ack"', ',"id":"1"', ',"id":1',
    ',"payload":', '{"data":null}', '{"errors":[{"message":"m"}]}', '[{"message":"m"}]', "null", "[]", "}", "{}", "ä", '"',
}
scenario("whatever a server sends, the client stays or leaves as declared", {
    tags = { "graphql", "broken" }, allow = { "error", "disconnected", "next", "refused" },
}, function(t)
    for round = 1, 80 do
        local messages = {}
        for place = 1, random.integer(1, 6) do
            local text = pieces[1] .. pieces[random.integer(2, 7)] .. ',"id":"1","payload":' .. pieces[random.integer(11, 15)] .. "}"
            if random.number() < 0.6 then
                text = ""
                for _ = 1, random.integer(1, 8) do text = text .. random.pick(pieces) end
            end
            messages[place] = text
        end
        local ada = broken(t, messages)
        expect(ada:connect(), true, "round " .. round)
        ada:subscribe "subscription { a }"
        wait "1s"
        expect(ada.connected == true or #ada:events "disconnected" == 1, true)
    end
end)
