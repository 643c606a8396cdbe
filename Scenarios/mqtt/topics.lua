-- What a broker may send to a client that has subscribed, and what breaks the protocol (MQTT 3.1.1, sections 3.3.1.3,
-- 3.3.2.1 and 3.8.4).
local mqtt = require "mqtt"
local packets = require "mqtt.packets"

-- A client of a broker that grants what it is told to, or else what is asked for, and sends what a scenario says.
local function connected(t, options)
    local own, connections = options or {}, {}
    local version = own.version == "5" and 5 or 4
    local system = system { name = "mqtt", events = {} }
    function system.server.upgrade() return "mqtt" end
    function system.server.connected(_, client)
        client.reader = {}
        connections[#connections + 1] = client
    end
    function system.server.bytes(_, client, bytes)
        local function send(packet) client:send_bytes(packets.write(packet, version)) end
        for _, packet in ipairs(packets.feed(client.reader, bytes, version)) do
            if packet.name == "connect" then send { name = "connack", code = 0, session_present = own.kept } end
            if packet.name == "subscribe" then
                if own.early then send(own.early) end
                send { name = "suback", id = packet.id, codes = { own.code or packet.filters[1].qos } }
            end
            if packet.name == "unsubscribe" then send { name = "unsuback", id = packet.id, codes = { 0 } } end
        end
    end
    t:server(system)
    local ada = t:actor(mqtt, { version = own.version, clean = not own.kept })
    expect(ada:connect(), own.kept == true)
    return ada, function(topic, more)
        local message = { name = "publish", topic = topic, payload = "x", qos = 0 }
        for name, value in pairs(more or {}) do message[name] = value end
        connections[#connections]:send_bytes(packets.write(message, version))
    end
end

local function breaks(ada, why)
    ada:expect("error", { code = "protocol", message = match.contains(why) })
    ada:expect("disconnected", { reason = "protocol" })
    expect(ada.connected, false)
end

for _, version in ipairs { "3.1.1", "5" } do
    local function declare(title, body) scenario(title .. ", version " .. version, { tags = { "mqtt" } }, body) end

    declare("a message that no subscription takes in breaks the protocol", function(t)
        for _, topic in ipairs { "b", "a/b", "a/b/c/d", "$a/b/c" } do
            local ada, publish = connected(t, { version = version })
            ada:subscribe "a/+/c"
            ada:subscribe "+/b/c"
            publish "a/b/c"
            ada:expect("message", { topic = "a/b/c" })
            publish(topic)
            breaks(ada, ('under the topic "%s", which no subscription takes in'):format(topic))
        end
    end)

    declare("a message before any subscription breaks the protocol", function(t)
        local ada, publish = connected(t, { version = version })
        publish "a"
        breaks(ada, "which no subscription takes in")
    end)

    declare("a subscription that was refused takes nothing in", function(t)
        local ada, publish = connected(t, { version = version, code = 128 })
        expect(ada:subscribe "a", 128)
        ada:expect "refused"
        publish "a"
        breaks(ada, "which no subscription takes in")
    end)

    declare("a message of a higher QoS than was granted breaks the protocol", function(t)
        for qos = 1, 2 do
            local ada, publish = connected(t, { version = version, code = qos - 1 })
            expect(ada:subscribe("a", { qos = 2 }), qos - 1)
            publish("a", { qos = qos - 1, id = 1 })
            ada:expect("message", { qos = qos - 1 })
            publish("a", { qos = qos, id = 2 })
            breaks(ada, ('a message of QoS %d under the topic "a", where QoS %d was granted'):format(qos, qos - 1))
        end
    end)

    declare("the highest QoS of several subscriptions counts, of those that were replaced or ended as well", function(t)
        local ada, publish = connected(t, { version = version })
        ada:subscribe("a/#", { qos = 1 })
        ada:subscribe "a/b"
        publish("a/b", { qos = 1, id = 1 })
        ada:subscribe "a/#"
        ada:unsubscribe "a/#"
        -- What the broker had in hand before.
        publish("a/c", { qos = 1, id = 2 })
        for _, topic in ipairs { "a/b", "a/c" } do ada:expect("message", { topic = topic, qos = 1 }) end
        expect(ada.connected, true)
    end)

    declare("a live message with RETAIN breaks the protocol", function(t)
        local ada, publish = connected(t, { version = version })
        ada:subscribe "lamp/+"
        for number = 1, 2 do
            publish("lamp/" .. number, { retain = true })
            ada:expect("message", { topic = "lamp/" .. number, retain = true })
        end
        publish "lamp/1"
        ada:expect("message", { topic = "lamp/1", retain = false })
        publish("lamp/1", { retain = true })
        breaks(ada, 'a message with RETAIN under the topic "lamp/1", which no new subscription is given')
    end)

    declare("each subscription is given what is kept, also one that was there", function(t)
        local ada, publish = connected(t, { version = version })
        for _, filter in ipairs { "lamp/1", "lamp/1", "lamp/#" } do ada:subscribe(filter) end
        for _ = 1, 3 do
            publish("lamp/1", { retain = true })
            ada:expect("message", { topic = "lamp/1", retain = true })
        end
        publish("lamp/1", { retain = true })
        breaks(ada, "with RETAIN")
    end)

    declare("a subscription that was refused is given nothing that is kept", function(t)
        local settings = { version = version }
        local ada, publish = connected(t, settings)
        ada:subscribe "lamp"
        settings.code = 128
        ada:subscribe "lamp"
        ada:expect "refused"
        publish("lamp", { retain = true })
        ada:expect("message", { topic = "lamp", retain = true })
        publish("lamp", { retain = true })
        breaks(ada, "with RETAIN")
    end)

    declare("what is kept and sent again is the same message", function(t)
        local ada, publish = connected(t, { version = version })
        ada:subscribe("lamp", { qos = 1 })
        publish("lamp", { retain = true, qos = 1, id = 1 })
        publish("lamp", { retain = true, qos = 1, id = 1, duplicate = true })
        for _, again in ipairs { false, true } do ada:expect("message", { topic = "lamp", duplicate = again }) end
        expect(ada.connected, true)
    end)

    declare("messages may come before the answer to the subscription", function(t)
        local early = { name = "publish", topic = "a", payload = "x", qos = 1, id = 7, retain = true }
        local ada = connected(t, { version = version, early = early })
        expect(ada:subscribe("a", { qos = 1 }), 1)
        ada:expect("message", { topic = "a", qos = 1, retain = true })
        expect(ada.connected, true)
    end)

    declare("what a session that was kept is subscribed to is not known", function(t)
        local ada, publish = connected(t, { version = version, kept = true })
        publish("a", { qos = 2, id = 1, retain = true })
        ada:expect("message", { topic = "a" })
        expect(ada.connected, true)
    end)

    declare("a shared subscription takes in what its filter does, one of the broker's own kind anything", function(t)
        local ada, publish = connected(t, { version = version })
        ada:subscribe "$share/desk/support/#"
        publish "support/1"
        ada:expect("message", { topic = "support/1" })
        ada:subscribe "$queue/jobs"
        publish "jobs"
        ada:expect("message", { topic = "jobs" })
        local bea, send = connected(t, { version = version })
        bea:subscribe "$share/desk/support/#"
        send "desk"
        breaks(bea, "which no subscription takes in")
    end)
end
