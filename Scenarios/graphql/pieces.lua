-- Results in pieces, by @defer and @stream: put together, and told once they are whole.
local graphql = require "graphql"

-- A client of a server that answers each operation with these payloads, and ends it unless told otherwise.
local function answered(t, payloads, options)
    local settings = options or {}
    local system = system { name = "graphql", events = {} }
    function system.server.upgrade() return "graphql-transport-ws" end
    function system.server.text(_, client, text)
        local message = json.decode(text)
        if message.type == "connection_init" then client:send_json { type = "connection_ack" } end
        if message.type ~= "subscribe" then return end
        for _, payload in ipairs(payloads) do
            client:send(('{"type":"next","id":"%s","payload":%s}'):format(message.id, payload))
            wait(settings.pause or 0)
        end
        if not settings.goes_on then client:send_json { type = "complete", id = message.id } end
    end
    t:server(system)
    local ada = t:actor(graphql, { say = "mutation ($text: String!) { send(text: $text) { id } }", map = settings.map })
    ada:connect()
    return ada
end

local luke = { name = "Luke", films = { { title = "IV" }, { title = "V" }, { title = "VI" } }, home = { name = "Tatooine" } }
local rows = {
    {
        name = "by path", payloads = {
            '{"data":{"person":{"name":"Luke","films":[{"title":"IV"}]}},"hasNext":true}',
            '{"incremental":[{"label":"h","path":["person"],"data":{"home":{"name":"Tatooine"}}},'
                .. '{"path":["person","films",1],"items":[{"title":"V"}]}],"hasNext":true}',
            '{"incremental":[{"path":["person","films",2],"items":[{"title":"VI"}]}],"hasNext":false}',
        },
        data = { person = luke },
    },
    {
        name = "by id", payloads = {
            '{"data":{"person":{"films":[]}},"pending":[{"id":"0","path":["person"]},{"id":"1","path":["person","films"]}],'
                .. '"hasNext":true}',
            '{"incremental":[{"id":"1","items":[{"title":"IV"},{"title":"V"}]},{"id":"0","data":{"name":"Luke","home":{}}}],'
                .. '"hasNext":true}',
            '{"incremental":[{"id":"0","subPath":["home"],"data":{"name":"Tatooine"}},{"id":"1","items":[{"title":"VI"}]}],'
                .. '"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}',
        },
        data = { person = luke },
    },
    {
        name = "one piece a message", payloads = {
            '{"data":{"person":{"name":"Luke"}},"hasNext":true}', '{"data":{"age":19},"path":["person"],"hasNext":true}',
            '{"hasNext":false}',
        },
        data = { person = { name = "Luke", age = 19 } },
    },
    {
        name = "what is pending later", payloads = {
            '{"data":{},"pending":[{"id":"0","path":[]}],"hasNext":true}',
            '{"incremental":[{"id":"0","data":{"a":{"b":[[1]]}}}],"completed":[{"id":"0"}],'
                .. '"pending":[{"id":"1","path":["a","b",0]}],"hasNext":true}',
            '{"incremental":[{"id":"1","items":[2]}],"completed":[{"id":"1"}],"hasNext":false}',
        },
        data = { a = { b = { { 1, 2 } } } },
    },
    {
        name = "objects that overlap", payloads = {
            '{"data":{"a":{"b":{"c":1}}},"hasNext":true}', '{"incremental":[{"data":{"a":{"b":{"d":2}}}}],"hasNext":false}',
        },
        data = { a = { b = { c = 1, d = 2 } } },
    },
}
scenario("a query gives what its pieces are together", { tags = { "graphql" }, rows = rows }, function(t, row)
    local ada = answered(t, row.payloads)
    expect(ada:query "{ a }", match.equals(row.data))
end)

scenario("a subscription has one result for the pieces of each", { tags = { "graphql" } }, function(t)
    local payloads = {}
    for number = 1, 2 do
        table.insert(payloads, ('{"data":{"n":%d},"hasNext":true}'):format(number))
        table.insert(payloads, '{"incremental":[{"data":{"text":"Hello"}}],"hasNext":false}')
    end
    local ada = answered(t, payloads, { pause = "1s" })
    ada:subscribe "subscription { a }"
    ada:expect_silence "900ms"
    for number = 1, 2 do ada:expect("next", { data = match.equals { n = number, text = "Hello" } }) end
    ada:expect "complete"
    local bea = answered(t, payloads, {
        map = function(data) return "message", { text = data.text .. " " .. data.n } end,
    })
    bea:subscribe "subscription { a }"
    for number = 1, 2 do bea:expect("message", { text = "Hello " .. number }) end
    bea:expect "complete"
end)

local begun = '{"data":{"a":1},"pending":[{"id":"0","path":[]}],"hasNext":true}'

scenario("errors of a piece are those of the result", { tags = { "graphql" } }, function(t)
    local failed = '[{"message":"too slow"}]'
    for _, last in ipairs {
        '{"incremental":[{"path":["b"],"data":null,"errors":%s}],"completed":[{"id":"0"}],"hasNext":false}',
        '{"completed":[{"id":"0","errors":%s}],"hasNext":false}',
    } do
        local ada = answered(t, { begun, last:format(failed) })
        ada:never "message_sent"
        ada:say "Hello"
        ada:expect("refused", { errors = match.has { message = "too slow" } })
        ada:subscribe "subscription { a }"
        ada:expect("next", { data = { a = 1 }, errors = match.equals { { message = "too slow" } } })
        ada:expect "complete"
    end
end)

local wrong = {
    { name = "a path that there is not", last = '{"incremental":[{"path":["b"],"data":{"c":1}}],"hasNext":false}', why = "at /b," },
    { name = "a path into a number", last = '{"incremental":[{"path":["a"],"data":{"c":1}}]}', why = "at /a," },
    { name = "items that leave a gap", last = '{"incremental":[{"path":["list",2],"items":[1]}]}', why = "at /list/2," },
    { name = "items in place of others", last = '{"incremental":[{"path":["list",0],"items":[1]}]}', why = "at /list/0," },
    { name = "items of an object", last = '{"incremental":[{"path":["o",0],"items":[1]}]}', why = "at /o/0," },
    { name = "items of no list", last = '{"incremental":[{"items":[1]}]}', why = "belong to no list" },
    { name = "a list as data", last = '{"incremental":[{"data":[1]}]}', why = "no object" },
    { name = "a path of other things", last = '{"incremental":[{"path":[true],"data":{}}]}', why = "something else than keys" },
    { name = "a path that is none", last = '{"incremental":[{"path":"a","data":{}}]}', why = "no list of keys" },
    { name = "an id that is not pending", last = '{"incremental":[{"id":"7","data":{}}]}', why = "for 7, which is not pending" },
    { name = "an end of what is not pending", last = '{"completed":[{"id":"7"}]}', why = "7, which is not pending" },
    { name = "an end with something pending", last = '{"pending":[{"id":"0"}],"hasNext":false}', why = "ends with something" },
    { name = "something pending without an id", last = '{"pending":[{}]}', why = "has no id" },
    { name = "pieces that are none", last = '{"incremental":[1]}', why = "no objects" },
    { name = "an object of pieces", last = '{"incremental":{"a":1}}', why = "no list" },
    { name = "errors that are none", last = '{"incremental":[{"path":[],"errors":[]}]}', why = "errors that are none" },
    { name = "nothing", last = "{}", why = "neither data nor errors" },
}
scenario("a piece that does not fit breaks the protocol", { tags = { "graphql", "broken" }, rows = wrong }, function(t, row)
    local last = row.last:gsub('}$', row.last:find "hasNext" and "}" or ',"hasNext":true}')
    if row.last == "{}" then last = "{}" end
    local ada = answered(t, { '{"data":{"a":1,"list":[0],"o":{}},"hasNext":true}', last })
    ada:subscribe "subscription { a }"
    ada:expect("error", { code = "protocol", message = match.contains(row.why) })
    ada:expect("disconnected", { code = 4400 })
end)

scenario("a result that never becomes whole breaks the protocol", { tags = { "graphql", "broken" } }, function(t)
    local ada = answered(t, { begun })
    ada:subscribe "subscription { a }"
    ada:expect("error", { code = "protocol", message = match.contains "has said that more follows" })
    ada:expect "disconnected"
    local bea = answered(t, { begun })
    local done, why = pcall(bea.query, bea, "{ a }")
    expect({ done, tostring(why) }, { false, match.contains "has said that more follows" })
    bea:expect "error"
    bea:expect "disconnected"
end)

scenario("pieces of an operation that the client has completed are passed over", { tags = { "graphql" } }, function(t)
    local late = '{"incremental":[{"path":["nowhere"],"data":{}}],"hasNext":false}'
    for _, delay in ipairs { 0, 0.5 } do
        local ada = answered(t, { begun, late }, { pause = "1s" })
        local id = ada:subscribe "subscription { a }"
        wait(delay)
        ada:complete(id)
        ada:expect_silence "5s"
        expect(ada.connected, true)
    end
end)

scenario("pieces do not grow without end", { tags = { "graphql", "broken" } }, function(t)
    local text = ("x"):rep(1024 * 1024)
    local payloads = { '{"data":{"list":[]},"hasNext":true}' }
    for number = 0, 4 do
        table.insert(payloads, ('{"incremental":[{"path":["list",%d],"items":["%s"]}],"hasNext":true}'):format(number, text))
    end
    local ada = answered(t, payloads)
    ada:subscribe "subscription { a }"
    ada:expect("error", { code = "protocol", message = match.contains "more than 4194304 bytes" })
    ada:expect "disconnected"
end)

scenario("the mutation of say may have a name", { tags = { "graphql" } }, function(t)
    local server = t:server(graphql)
    local peer = server:peer "Sam"
    local ada = t:actor(graphql, { say = "mutation Send($text: String!) { send(text: $text) { id } }", say_name = "Send" })
    ada:connect()
    ada:say "Hello"
    peer:expect("operation", { operation = "Send", variables = { text = "Hello" } })
    peer:expect "message"
    ada:expect "message_sent"
end)

-- A value as a server could write it who means none of this: of any kind, in any place.
local function anything(depth)
    local kind = random.integer(1, depth > 3 and 5 or 8)
    if kind < 6 then return random.pick { "null", "true", "-1", "0", '"a"' } end
    local members = {}
    for place = 1, random.integer(0, 3) do
        local name = random.pick { "a", "id", "path", "data", "items", "errors", "subPath", "hasNext" }
        members[place] = (kind == 6 and "" or ('"%s":'):format(name .. (kind == 8 and place or ""))) .. anything(depth + 1)
    end
    if kind == 6 then return "[" .. table.concat(members, ",") .. "]" end
    return "{" .. table.concat(members, ",") .. "}"
end

scenario("whatever pieces a server sends, the client stays or leaves as declared", {
    tags = { "graphql", "broken" }, allow = { "error", "disconnected", "next", "complete" },
}, function(t)
    for _ = 1, 150 do
        local payloads = { '{"data":{"a":[{"a":0}]},"pending":[{"id":"a","path":["a",0]}],"hasNext":true}' }
        for place = 2, random.integer(2, 6) do
            local members = { '"hasNext":true' }
            for _, name in ipairs { "pending", "completed", "data", "items", "path", "errors" } do
                if random.number() < 0.2 then table.insert(members, ('"%s":%s'):format(name, anything(0))) end
            end
            if random.number() < 0.3 then
                table.insert(members, '"incremental":' .. anything(0))
            else
                local names = random.pick { '"id":"a"', '"path":["a",0]', '"path":["a"]', '"path":[]' }
                local content = random.pick { '"data":', '"items":' } .. anything(1)
                table.insert(members, ('"incremental":[{%s,%s}]'):format(names, content))
            end
            payloads[place] = "{" .. table.concat(members, ",") .. "}"
        end
        local ada = answered(t, payloads)
        ada:subscribe "subscription { a }"
        wait "1s"
        expect(ada.connected == true or #ada:events "disconnected" == 1, true)
    end
end)
