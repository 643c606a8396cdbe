-- Servers that break the protocol of Socket.IO: the client tells of it and leaves.
local socketio = require "socketio"

-- A server of which a scenario writes every frame: it sends what `frames` returns when a client is there.
local function broken(t, frames)
    local system = system { name = "socketio", events = {} }
    function system.server.connected(_, client)
        client:send '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}'
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

scenario("a body of long polling by pieces of the network is one body", { tags = { "socketio", "broken" } }, function(t)
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
