-- Servers that break the protocol of Socket.IO: the client tells of it and leaves.
local socketio = require "socketio"

local opening = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}'

-- A server of which a scenario writes every frame: it sends `frames` behind an opening when a client is there.
local function broken(t, frames, first)
    local system = system { name = "socketio", events = {} }
    function system.server.connected(_, client)
        client:send(first or opening)
        for _, frame in ipairs(frames) do
            if frame.bytes then client:send_bytes(frame.bytes) else client:send(frame) end
        end
    end
    function system.server.text() end
    function system.server.bytes() end
    t:server(system)
    return t:actor(socketio)
end

local rows = {
    { name = "no packet of Engine.IO", frames = { "9" } },
    { name = "an empty frame", frames = { "" } },
    { name = "no packet of Socket.IO", frames = { "49" } },
    { name = "no JSON", frames = { "42[\"a\"" } },
    { name = "two of a member", frames = { '42["a",{"b":1,"b":2}]' } },
    { name = "an event that is no list", frames = { '42{"a":1}' } },
    { name = "an event without a name", frames = { "42[1]" } },
    { name = "an event without anything", frames = { "42" } },
    { name = "an acknowledgement without a number", frames = { "43[1]" } },
    { name = "an acknowledgement with a huge number", frames = { "43" .. ("9"):rep(40) .. "[]" } },
    { name = "bytes that nothing announced", frames = { { bytes = "abc" } } },
    { name = "a text in place of the bytes", frames = { '451-["a",{"_placeholder":true,"num":0}]', "2" , '42["b"]' } },
    { name = "a placeholder of nothing", frames = { '451-["a",{"_placeholder":true,"num":7}]', { bytes = "x" } } },
    { name = "a placeholder of half a thing", frames = { '451-["a",{"_placeholder":true,"num":0.5}]', { bytes = "x" } } },
    { name = "a thousand attachments", frames = { '45999-["a"]' } },
    { name = "a binary event without a number", frames = { '45["a"]' } },
    { name = "an opening without an interval", frames = { '0{"sid":"b"}' } },
    { name = "an opening that is no object", frames = { "0[]" } },
    { name = "an opening with times that are none", frames = { '0{"sid":"b","pingInterval":"x","pingTimeout":{}}' } },
}
scenario("a broken frame ends the session", { tags = { "socketio", "broken" }, rows = rows }, function(t, row)
    local client = broken(t, row.frames)
    expect(client:connect(), false)
    client:expect("error", { code = "protocol" })
    client:expect("disconnected", { code = 1002, reason = "protocol" })
end)

-- What Engine.IO or Socket.IO forbids at this place.
local misplaced = {
    { name = "upgrades that are no list", first = opening:gsub("%[%]", '"x"') },
    { name = "upgrades with a number", first = opening:gsub("%[%]", "[1]") },
    { name = "an interval in a text", first = opening:gsub("25000", '"25000"') },
    { name = "a second opening", frame = opening },
    { name = "a connection without a sid", frame = "40" },
    { name = "a connection with a number for a sid", frame = '40{"sid":5}' },
    { name = "a connection of another namespace", frame = '40/x,{"sid":"b"}' },
    { name = "an event of another namespace", frame = '42/x,["late"]' },
    { name = "a second connection", joined = true, frame = '40{"sid":"c"}' },
    { name = "a pong that no ping asked for", joined = true, frame = "3" },
    { name = "the answer to a probe", joined = true, frame = "3probe" },
    { name = "a probe", joined = true, frame = "2probe" },
    { name = "an acknowledgement of nothing", joined = true, frame = '4399["ok"]' },
    { name = "an attachment that nothing names", joined = true, frame = '451-["message","hi"]', bytes = "abc" },
    {
        name = "an attachment of two that nothing names", joined = true, bytes = "abc",
        frame = '452-["message",{"_placeholder":true,"num":1}]', more = "def",
    },
}
scenario("what is forbidden at its place ends the session", { tags = { "socketio", "broken" }, rows = misplaced },
    function(t, row)
        local frames = {}
        if row.joined then table.insert(frames, '40{"sid":"b"}') end
        if row.frame then table.insert(frames, row.frame) end
        for _, name in ipairs { "bytes", "more" } do
            if row[name] then table.insert(frames, { bytes = row[name] }) end
        end
        local client = broken(t, frames, row.first)
        expect(client:connect(), row.joined == true)
        client:expect("error", { code = "protocol" })
        client:expect("disconnected", { code = 1002, reason = "protocol" })
    end)

local announced = '451-["photo",{"_placeholder":true,"num":0}]'
scenario("an event whose bytes never come is told", {
    tags = { "socketio", "broken" }, expected_failure = "the server never sends the rest",
}, function(t)
    broken(t, { '40{"sid":"b"}', announced }):connect()
end)

scenario("an event whose bytes had not come when the connection ended is told", { tags = { "socketio", "broken" } },
    function(t)
        local system = system { name = "socketio", events = {} }
        function system.server.connected(_, client)
            client:send(opening)
            client:send '40{"sid":"b"}'
            client:send(announced)
            client:close(1000)
        end
        function system.server.text() end
        t:server(system)
        local client = t:actor(socketio)
        client:connect()
        client:expect("error", { code = "protocol", message = match.contains "0 of its 1 attachments" })
        client:expect "disconnected"
    end)

scenario("an acknowledgement is observed before what the server sends behind it", { tags = { "socketio" } }, function(t)
    local system = system { name = "socketio", events = {} }
    function system.server.connected(_, client) client:send(opening) end
    function system.server.text(_, client, text)
        if text:sub(1, 2) == "40" then return client:send '40{"sid":"b"}' end
        local number = text:match "^42(%d+)"
        if not number then return end
        client:send("43" .. number .. '["ok"]')
        client:send '42["message","hi"]'
    end
    t:server(system)
    local client = t:actor(socketio, { acknowledged = true })
    expect(client:connect(), true)
    client:say "hello"
    client:expect("message_sent", { text = "hello", answer = { "ok" } })
    client:expect("message", { text = "hi" })
end)

local odd = {
    { name = "a number beyond all numbers", argument = "1e999" },
    { name = "a list in a hundred lists", argument = ("["):rep(100) .. ("]"):rep(100) },
}
scenario("an event may hold any JSON", { tags = { "socketio", "broken" }, rows = odd }, function(t, row)
    local client = broken(t, { '40{"sid":"b"}', '42["odd",' .. row.argument .. "]" })
    expect(client:connect(), true)
    client:expect("event", { name = "odd" })
end)

scenario("a refusal of any form is a refusal", { tags = { "socketio", "broken" } }, function(t)
    for number, frame in ipairs { "44", '44"no"', "44[]", '44{"message":7}', '44{"data":null}' } do
        local client = broken(t, { frame })
        expect(client:connect(), false, "refusal " .. number)
        client:expect "refused"
    end
end)

-- Frames made by chance, half of them from pieces of good ones.
local pieces = {
    "4", "2", "0", "1", "3", "5", "6", "/ns,", "1-", "2-", "12", '["a"', '["a",1]', "[", "]", "{", "}", "null", '"', ",",
    '{"_placeholder":true,"num":0}', '{"sid":"x"}', '{"message":"m"}', "\xc3\xa4", "probe", "-1", "1e999",
}
scenario("whatever a server sends, the client stays or leaves as declared", {
    tags = { "socketio", "broken" }, allow = { "error", "disconnected", "event", "message", "refused", "connected" },
}, function(t)
    for _ = 1, 60 do
        local frames = {}
        for place = 1, random.integer(1, 12) do
            local text = ""
            for _ = 1, random.integer(1, 6) do text = text .. random.pick(pieces) end
            frames[place] = random.number() < 0.15 and { bytes = text } or random.number() < 0.7 and "4" .. text or text
        end
        local client = broken(t, frames)
        client:connect()
        wait "1s"
        expect(#client:events "connected" + #client:events "disconnected" + #client:events "refused" > 0, true)
    end
end)

scenario("a body of long polling by pieces of the network is one body", {
    tags = { "socketio", "broken" }, faults = { half_close = "the poll is sent again, and what its answer had is not" },
}, function(t)
    local server = t:server(socketio)
    local peer = server:peer "app"
    t:network { pieces = 1, latency = "1ms" }
    local client = t:actor(socketio, { transport = "polling" })
    expect(client:connect(), true)
    for number = 1, 5 do peer:emit("größe", number, { base64 = "AP8=" }) end
    for number = 1, 5 do client:expect("event", { name = "größe", args = { number, { base64 = "AP8=" } } }) end
end)

scenario("a body of long polling that is none ends the session", { tags = { "socketio", "broken" } }, function(t)
    for _, body in ipairs { "", "x", "0{", "\x1e\x1e", "b!!!!", "4", "99999:4" } do
        local system = system { name = "socketio", events = {} }
        function system.server.request() return { body = body } end
        t:server(system)
        for version = 3, 4 do
            local client = t:actor(socketio, { transport = "polling", version = version })
            expect(client:connect(), false)
            client:expect("error", { code = "protocol" })
            client:expect "disconnected"
        end
    end
end)
