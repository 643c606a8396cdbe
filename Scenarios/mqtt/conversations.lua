-- MQTT: texts between clients of a broker, with every quality of service, in both versions of the protocol.
local mqtt = require "mqtt"

-- Two clients of one broker, Ada and Sam, who both have subscribed to "chat".
local function both(t, options, settings)
    local server = t:server(mqtt, settings)
    local function client(name)
        local own = { client_id = name, name = name }
        for key, value in pairs(options or {}) do own[key] = value end
        local actor = t:actor(mqtt, own)
        expect(actor:connect(), false)
        expect(actor:subscribe("chat", { qos = own.qos }), own.qos or 0)
        return actor
    end
    return client "ada", client "sam", server
end

for _, version in ipairs { "3.1.1", "5" } do
    for qos = 0, 2 do
        scenario("a text reaches who has subscribed, QoS " .. qos .. ", version " .. version, { tags = { "mqtt" } }, function(t)
            local ada, sam = both(t, { version = version, qos = qos })
            ada:say "Hello"
            sam:expect("message", { text = "Hello", topic = "chat", qos = qos, duplicate = false })
            local own = event("message", { text = "Hello" })
            ada:expect(qos == 0 and own or all { own, event("message_sent", { text = "Hello", code = 0 }) })
            expect(ada.connected, true)
        end)
    end

    scenario("what is kept reaches who comes later, version " .. version, { tags = { "mqtt", "retain" } }, function(t)
        local server = t:server(mqtt)
        local lamp, phone = t:actor(mqtt, { version = version }), t:actor(mqtt, { version = version })
        lamp:connect()
        expect(lamp:publish("lamp/1", "on", { qos = 1, retain = true }), 0)
        phone:connect()
        expect(phone:subscribe("lamp/+", { qos = 1 }), 1)
        phone:expect("message", { topic = "lamp/1", text = "on", retain = true })
        lamp:publish("lamp/1", "off", { qos = 1, retain = true })
        phone:expect("message", { topic = "lamp/1", text = "off", retain = false })
    end)

    scenario("who may not enter is told why, version " .. version, { tags = { "mqtt", "auth" } }, function(t)
        t:server(mqtt, { users = { ada = "right" } })
        local stranger = t:actor(mqtt, { version = version, username = "ada", password = "wrong" })
        local ada = t:actor(mqtt, { version = version, username = "ada", password = "right" })
        expect(stranger:connect(), nil)
        stranger:expect("refused", { reason = version == "5" and "bad user name or password" or "not authorized" })
        expect(ada:connect(), false)
        expect(ada.connected, true)
    end)

    scenario("a session waits for who comes back, version " .. version, { tags = { "mqtt", "session" } }, function(t)
        local server = t:server(mqtt)
        local peer = server:peer "Sam"
        local ada = t:actor(mqtt, {
            version = version, client_id = "ada", clean = false,
            properties = version == "5" and { session_expiry = 3600 } or nil,
        })
        expect(ada:connect(), false)
        ada:subscribe("chat", { qos = 1 })
        ada:disconnect()
        ada:expect "disconnected"
        peer:say "You were away"
        expect(ada:connect(), true)
        ada:expect("message", { text = "You were away" })
    end)

    scenario("who connects again at once is not taken for gone, version " .. version, { tags = { "mqtt" } }, function(t)
        local ada = t:actor(mqtt, { version = version, qos = 1, topic = "again", keep_alive = "10s" })
        t:network { latency = "50ms" }
        ada:connect()
        for _, leave in ipairs { ada.disconnect, function() end } do
            leave(ada)
            expect(ada:connect(), false)
            ada:expect("disconnected", { code = 1000 })
        end
        ada:never "disconnected"
        ada:subscribe("again", { qos = 1 })
        wait "30s"
        ada:say "Still here"
        ada:expect("message", { text = "Still here" })
    end)

    scenario("a will is published for who vanished, not for who said goodbye, version " .. version,
        { tags = { "mqtt", "will" } }, function(t)
        local server = t:server(mqtt)
        local peer = server:peer "watcher"
        local will = { topic = "gone", text = "ada", qos = 1 }
        local ada, bob = t:actor(mqtt, { version = version, will = will }), t:actor(mqtt, { version = version })
        bob:connect()
        bob:subscribe("gone", { qos = 1 })
        ada:connect()
        ada:disconnect()
        ada:expect "disconnected"
        bob:expect_silence("5s", "message")
        ada:connect()
        ada:drop()
        ada:expect "disconnected"
        bob:expect("message", { topic = "gone", text = "ada" })
    end)
end

scenario("clients over TCP and over WebSocket talk with each other", { tags = { "mqtt", "tcp" } }, function(t)
    t:server(mqtt)
    local ada, sam = t:actor(mqtt, { transport = "tcp", qos = 2 }), t:actor(mqtt, { version = "5", topic = "back" })
    expect(ada:connect(), false)
    expect(sam:connect(), false)
    ada:subscribe "back"
    sam:subscribe("chat", { qos = 2 })
    ada:say "Hello over TCP"
    sam:expect("message", { text = "Hello over TCP", qos = 2 })
    sam:say "Hello over a WebSocket"
    ada:expect("message", { text = "Hello over a WebSocket" })
    ada:disconnect()
    ada:expect("disconnected", { code = 1000 })
end)

scenario("a filter takes in what it says", { tags = { "mqtt", "topics" } }, function(t)
    local server = t:server(mqtt)
    local peer, ada = server:peer "Sam", t:actor(mqtt)
    ada:connect()
    expect(ada:subscribe "a/+/c", 0)
    expect(ada:subscribe "b/#", 0)
    expect(ada:subscribe "no/#/more", 128)
    ada:expect("refused", { topic = "no/#/more", code = 128 })
    for _, topic in ipairs { "a/b/c", "a/b/d", "a//c", "b", "b/x/y", "$b/x", "c" } do peer:publish(topic, topic) end
    for _, topic in ipairs { "a/b/c", "a//c", "b", "b/x/y" } do ada:expect("message", { topic = topic }) end
    expect(ada:unsubscribe "a/+/c", 0)
    peer:publish("a/b/c", "again")
    ada:expect_silence("1s", "message")
end)

scenario("bytes that are no text are told in base64", { tags = { "mqtt", "binary" } }, function(t)
    local ada, sam = both(t)
    ada:publish("chat", { base64 = "AP+A" }, { qos = 0 })
    for _, actor in ipairs { ada, sam } do actor:expect("message", { text = "", base64 = "AP+A" }) end
end)

scenario("properties of MQTT 5 travel with a message", { tags = { "mqtt", "properties" } }, function(t)
    local server = t:server(mqtt)
    local peer, ada = server:peer "Sam", t:actor(mqtt, { version = "5" })
    ada:connect()
    ada:subscribe "questions"
    peer:publish("questions", "which?", { properties = {
        response_topic = "answers", correlation_data = "AQI=", content_type = "text/plain", user = { lang = "en" },
    } })
    local question = ada:expect("message", { text = "which?", properties = { user = { lang = "en" } } })
    ada:publish(question.properties.response_topic, "this one", {
        qos = 1, properties = { correlation_data = question.properties.correlation_data },
    })
    peer:expect("message", { topic = "answers", text = "this one" })
end)

scenario("pings keep a connection while the scenario waits", { tags = { "mqtt", "heartbeat" } }, function(t)
    local ada, sam = both(t, { keep_alive = "10s" })
    wait "20s"
    expect(ada.connected, true)
    sam:say "Still there?"
    ada:expect("message", { text = "Still there?" })
    sam:expect "message"
end)

scenario("a broker that does not answer a ping is left", { tags = { "mqtt", "heartbeat" }, clock = "virtual" }, function(t)
    t:server(mqtt)
    local ada = t:actor(mqtt, { keep_alive = "10s" })
    ada:connect()
    t:network { latency = "1h" }
    ada:expect("error", { code = "silence" }, { within = "1m" })
    ada:expect("disconnected", { reason = "silence" })
end)

-- Whether what was sent just before a connection is lost still arrives is chance on a real network.
scenario("what the broker did not confirm is sent again to the session that it kept", {
    tags = { "mqtt", "session" }, allow = { "message" },
    clock = "virtual",
}, function(t)
    for qos = 1, 2 do
        local server = t:server(mqtt)
        local peer, ada = server:peer "Sam", t:actor(mqtt, { client_id = "ada", clean = false, qos = qos })
        ada:connect()
        ada:say "One"
        ada:drop()
        ada:expect "disconnected"
        expect(ada:connect(), true)
        ada:expect("message_sent", { text = "One" })
        -- At least once with QoS 1, where the second time is the one that the client has sent again, and exactly once
        -- with QoS 2.
        peer:expect("message", { text = "One", qos = qos })
        wait "1s"
        expect(#peer:events "message", qos == 2 and 1 or match.between(1, 2))
    end
end)

scenario("a second client of the same name takes the session over", { tags = { "mqtt", "session" } }, function(t)
    t:server(mqtt)
    local first = t:actor(mqtt, { client_id = "ada", version = "5" })
    local second = t:actor(mqtt, { client_id = "ada", version = "5" })
    first:connect()
    second:connect()
    first:expect("disconnected", { code = 142, reason = "session taken over" })
    expect(second.connected, true)
end)

scenario("the broker ends a connection and says why", { tags = { "mqtt", "endings" } }, function(t)
    local server = t:server(mqtt)
    local peer, ada = server:peer "Sam", t:actor(mqtt, { client_id = "ada", version = "5" })
    ada:connect()
    peer:kick("ada", 139)
    ada:expect("disconnected", { code = 139, reason = "server shutting down" })
end)

scenario("a broker grants what it can", { tags = { "mqtt" } }, function(t)
    t:server(mqtt, { maximum_qos = 1 })
    local ada = t:actor(mqtt)
    ada:connect()
    expect(ada:subscribe("chat", { qos = 2 }), 1)
    ada:expect("subscribed", { topic = "chat", code = 1 })
end)

-- A command that is refused before anything is sent, and why.
local function refused(why, command, ...)
    local passed, problem = pcall(command, ...)
    expect(passed, false)
    expect(tostring(problem), match.contains(why))
end

scenario("commands of a client that is not connected are refused", { tags = { "mqtt", "mistakes" } }, function(t)
    t:server(mqtt)
    local ada = t:actor(mqtt)
    local commands = {
        function() ada:say "Hello" end, function() ada:publish("chat", "Hello") end,
        function() ada:subscribe "chat" end, function() ada:disconnect() end,
    }
    for _, command in ipairs(commands) do refused("not connected", command) end
    ada:connect()
    ada:disconnect()
    for _, command in ipairs(commands) do refused("not connected", command) end
    ada:expect "disconnected"
    for _, command in ipairs(commands) do refused("not connected", command) end
end)

scenario("options that there are not, or that are something else, are refused", { tags = { "mqtt", "mistakes" } }, function(t)
    t:server(mqtt)
    local ada = t:actor(mqtt)
    refused("takes no arguments", ada.connect, ada, "now")
    ada:connect()
    refused("publish has no option \"qso\"; it has qos", ada.publish, ada, "chat", "Hello", { qso = 1 })
    refused("qos is 0, 1 or 2, not 3", ada.publish, ada, "chat", "Hello", { qos = 3 })
    refused("properties in MQTT 5 alone", ada.publish, ada, "chat", "Hello", { properties = { content_type = "a" } })
    refused("subscribe has no option", ada.subscribe, ada, "chat", { qso = 1 })
    refused("needs topic", ada.subscribe, ada)
    for why, options in pairs {
        ["qos is 0, 1 or 2"] = { qos = 3 },
        ["keep_alive is a whole number of seconds up to 65535, 0 for no pings, not 360000"] = { keep_alive = "100h" },
        ["keep_alive is a whole number of seconds up to 65535, 0 for no pings, not 1e-06"] = { keep_alive = 0.000001 },
        ["will has no option \"txt\""] = { will = { topic = "gone", txt = "ada" } },
        ["MQTT 5 has no property \"sesion_expiry\""] = { version = "5", properties = { sesion_expiry = 60 } },
        ["session_expiry is a whole number"] = { version = "5", properties = { session_expiry = "1m" } },
    } do
        local other = t:actor(mqtt, options)
        refused(why, other.connect, other)
    end
    expect(ada.connected, true)
end)

scenario("a connect takes the place of one that is under way, and nothing has ended", { tags = { "mqtt", "endings" } }, function(t)
    local ada = t:actor(mqtt)
    ada:never "disconnected"
    t:network { latency = "50ms" }
    local first = spawn(function() return pcall(ada.connect, ada) end)
    wait "60ms"
    ada:connect()
    join(first)
    expect(ada.connected, true)
end)
