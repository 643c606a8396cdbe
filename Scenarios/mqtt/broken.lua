-- Brokers that break the protocol of MQTT, which the client tells of and leaves, and one that refuses.
local mqtt = require "mqtt"

local accepted = "\32\2\0\0"
-- With the session of an earlier client, of whose subscriptions nothing is known.
local kept = "\32\2\1\0"

-- A broker of which a scenario writes every message, from the moment a client is there.
local function broken(t, messages, options)
    local system = system { name = "mqtt", events = {} }
    function system.server.upgrade() return "mqtt" end
    function system.server.connected(_, client)
        for _, message in ipairs(messages) do client:send_bytes(message) end
    end
    function system.server.bytes() end
    t:server(system)
    return t:actor(mqtt, options)
end

-- Rows are JSON, which has no bytes: they have the names, and these the bytes.
local function named(list)
    local rows, bytes = {}, {}
    for place, case in ipairs(list) do rows[place], bytes[case.name] = { name = case.name }, case.bytes end
    return rows, bytes
end

local rows, bytes = named {
    { name = "type 0", bytes = "\0\0" },
    { name = "a length that does not end", bytes = "\48\255\255\255\255\1" },
    { name = "a length beyond all bounds", bytes = "\48\255\255\255\127" },
    { name = "flags of a ping", bytes = "\209\0" },
    { name = "a second connack", bytes = accepted },
    { name = "QoS 3", bytes = "\54\5\0\1a\0\1" },
    { name = "QoS 0 that is sent again", bytes = "\56\4\0\1ax" },
    { name = "a topic with a wildcard", bytes = "\48\3\0\1#" },
    { name = "a topic that is no UTF-8", bytes = "\48\3\0\1\255" },
    { name = "a topic with a zero", bytes = "\48\3\0\1\0" },
    { name = "a topic longer than the packet", bytes = "\48\3\0\9a" },
    { name = "no topic", bytes = "\48\2\0\0" },
    { name = "a message with the number 0", bytes = "\50\5\0\1a\0\0" },
    { name = "a confirmation of half a number", bytes = "\64\1\0" },
    { name = "a confirmation that is too long", bytes = "\64\3\0\1\0" },
    { name = "a suback that nothing asked for", bytes = "\144\3\0\1\0" },
    { name = "a puback of a message that was never sent", bytes = "\64\2\0\1" },
    { name = "a packet of clients", bytes = "\192\0" },
    { name = "a disconnect of the server's in 3.1.1", bytes = "\224\0" },
    { name = "an auth in 3.1.1", bytes = "\240\0" },
}
scenario("a broken packet ends the connection", { tags = { "mqtt", "broken" }, rows = rows }, function(t, row)
    local ada = broken(t, { accepted, bytes[row.name] })
    expect(ada:connect(), false)
    ada:expect("error", { code = "protocol" })
    ada:expect("disconnected", { reason = "protocol" })
    expect(ada.connected, false)
end)

local five_rows, five_bytes = named {
    { name = "an unknown property", bytes = "\48\7\0\1a\2\127\0" .. "x" },
    { name = "properties longer than the packet", bytes = "\48\5\0\1a\9\1" },
    { name = "properties that end too late", bytes = "\48\6\0\1a\1\2\0" },
    { name = "a property twice", bytes = "\48\8\0\1a\4\1\0\1\0" },
    { name = "a topic alias without a topic that has it not", bytes = "\48\3\0\0\0" },
}
scenario("a broken packet of version 5 ends the connection", { tags = { "mqtt", "broken" }, rows = five_rows }, function(t, row)
    local ada = broken(t, { "\32\3\0\0\0", five_bytes[row.name] }, { version = "5" })
    expect(ada:connect(), false)
    ada:expect("error", { code = "protocol" })
    ada:expect "disconnected"
end)

scenario("what comes before the connack is refused", { tags = { "mqtt", "broken" } }, function(t)
    local ada = broken(t, { "\48\4\0\1ax" })
    expect(ada:connect(), nil)
    ada:expect("error", { code = "protocol", message = match.contains "before the connack" })
    ada:expect "disconnected"
end)

-- By the first byte of what is answered, with its number in place of NN.
local wrong_rows, wrong_answers = named {
    { name = "two codes for one topic", bytes = { [130] = "\144\4NN\0\0" } },
    { name = "a code that is reserved", bytes = { [130] = "\144\3NN\5" } },
    { name = "a puback to QoS 2", bytes = { [52] = "\64\2NN" } },
    { name = "a puback twice", bytes = { [50] = "\64\2NN\64\2NN" } },
    { name = "a pubcomp to QoS 2 before its pubrel", bytes = { [52] = "\112\2NN" } },
    { name = "a pubrec to QoS 1", bytes = { [50] = "\80\2NN" } },
}
scenario("an answer that is another one's ends the connection", { tags = { "mqtt", "broken" }, rows = wrong_rows },
    function(t, row)
        local system = system { name = "mqtt", events = {} }
        function system.server.upgrade() return "mqtt" end
        function system.server.connected(_, client) client:send_bytes(accepted) end
        function system.server.bytes(_, client, bytes)
            local answer = wrong_answers[row.name][bytes:byte()]
            local place = bytes:byte() == 130 and 3 or 6
            if answer then client:send_bytes((answer:gsub("NN", bytes:sub(place, place + 1)))) end
        end
        t:server(system)
        local asked = next(wrong_answers[row.name])
        local ada = t:actor(mqtt, { topic = "a", qos = asked == 50 and 1 or 2 })
        ada:connect()
        -- A subscribe that the server does not answer is a failure; the error is what counts here.
        if asked == 130 then pcall(ada.subscribe, ada, "a") else ada:say "x" end
        ada:expect("error", { code = "protocol" })
        ada:expect "disconnected"
    end)

scenario("a session that a new one was asked for is refused", { tags = { "mqtt", "broken" } }, function(t)
    local ada = broken(t, { kept })
    expect(ada:connect(), nil)
    ada:expect("error", { code = "protocol", message = match.contains "an earlier session" })
    ada:expect "disconnected"
end)

scenario("half a packet that stands still is told", {
    tags = { "mqtt", "broken" }, expected_failure = "the broker never sends the rest",
}, function(t)
    broken(t, { accepted, "\48\9\0\1a" }):connect()
end)

scenario("half a packet before the end of a connection is told", { tags = { "mqtt", "broken" } }, function(t)
    local system = system { name = "mqtt", events = {} }
    function system.server.upgrade() return "mqtt" end
    function system.server.connected(_, client)
        client:send_bytes(accepted .. "\48\9\0\1a")
        client:close(1000)
    end
    function system.server.bytes() end
    t:server(system)
    local ada = t:actor(mqtt)
    ada:connect()
    ada:expect("error", { code = "protocol", message = match.contains "never became whole" })
    ada:expect "disconnected"
end)

scenario("a broker that chooses no sub-protocol is left", { tags = { "mqtt", "broken" } }, function(t)
    local system = system { name = "mqtt", events = {} }
    function system.server.bytes() end
    t:server(system)
    local ada = t:actor(mqtt)
    expect(ada:connect(), nil)
    ada:expect("error", { code = "protocol", message = match.contains "sub-protocol" })
    ada:expect "disconnected"
end)

scenario("packets are the same however messages divide them", { tags = { "mqtt", "broken" } }, function(t)
    local stream = kept
    for number = 1, 20 do stream = stream .. "\48" .. string.char(3 + number) .. "\0\1a" .. ("x"):rep(number) end
    for _, most in ipairs { 1, 2, 7, 1000 } do
        local pieces, place = {}, 1
        while place <= #stream do
            local length = random.integer(1, most)
            pieces[#pieces + 1] = stream:sub(place, place + length - 1)
            place = place + length
        end
        local ada = broken(t, pieces, { clean = false })
        expect(ada:connect(), true)
        for number = 1, 20 do ada:expect("message", { topic = "a", text = ("x"):rep(number) }) end
    end
end)

scenario("bytes that arrive over TCP one by one are the same packets", { tags = { "mqtt", "broken", "tcp" } }, function(t)
    local server = t:server(mqtt)
    local peer = server:peer "Sam"
    t:network { pieces = 1, latency = "1ms" }
    local ada = t:actor(mqtt, { transport = "tcp", version = "5" })
    expect(ada:connect(), false)
    ada:subscribe "chat"
    for number = 1, 5 do peer:say(("größer "):rep(number)) end
    for number = 1, 5 do ada:expect("message", { text = ("größer "):rep(number) }) end
end)

scenario("whatever a broker sends, the client stays or leaves as declared", {
    tags = { "mqtt", "broken" }, allow = { "error", "disconnected", "message", "refused", "connected" },
}, function(t)
    for round = 1, 80 do
        local version = random.pick { "3.1.1", "5" }
        local messages = { version == "5" and "\32\3\1\0\0" or kept }
        for place = 2, random.integer(2, 8) do
            local bytes = {}
            for index = 1, random.integer(0, 24) do bytes[index] = string.char(random.integer(0, 255)) end
            local body = table.concat(bytes)
            -- Half of them have a first byte and a length that fit, so that what is inside is read as well.
            if random.number() < 0.5 then
                body = string.char(random.integer(1, 15) << 4 | random.integer(0, 3), #body) .. body
            end
            messages[place] = body
        end
        local ada = broken(t, messages, { version = version, clean = false })
        expect(ada:connect(), true, "round " .. round)
        wait "1s"
        expect(ada.connected == true or #ada:events "disconnected" == 1, true)
    end
end)

scenario("a text that the broker does not take is refused, not sent", { tags = { "mqtt" } }, function(t)
    local packets = require "mqtt.packets"
    local strict = system { name = "mqtt", events = {} }
    function strict.server.upgrade() return "mqtt" end
    function strict.server.connected(_, client) client.reader = {} end
    function strict.server.bytes(_, client, bytes)
        for _, packet in ipairs(packets.feed(client.reader, bytes, 5)) do
            local answer = { name = packet.name == "connect" and "connack" or "puback", id = packet.id }
            answer.code = packet.name == "connect" and 0 or 135
            if packet.name == "connect" or packet.name == "publish" then client:send_bytes(packets.write(answer, 5)) end
        end
    end
    t:server(strict)
    local ada = t:actor(mqtt, { version = "5", qos = 1 })
    ada:connect()
    ada:say "Hello"
    ada:expect("refused", { code = 135, reason = "not authorized", topic = "chat", text = "Hello" })
    expect(ada:publish("chat", "Hello again", { qos = 1 }), 135)
    ada:expect("refused", { text = "Hello again" })
end)
