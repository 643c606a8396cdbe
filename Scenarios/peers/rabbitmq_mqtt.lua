-- MQTT as RabbitMQ's plugins speak it: `scripts/peers rabbitmq` starts the broker and plays this over WebSocket and over
-- TCP.
local mqtt = require "mqtt"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "two people talk under a topic, QoS 1",
    think_time = { distribution = "exponential", mean = "500ms" },
    thresholds = { "rate(failures) == 0", "count(lost) == 0" },
}

local function client(t, topic, options)
    local own = { username = "guest", password = "guest", topic = topic }
    if t.target:find "^tcp" then own.transport = "tcp" else own.path = "/ws" end
    for key, value in pairs(options or {}) do own[key] = value end
    return t:actor(mqtt, own)
end

for qos = 0, 1 do
    scenario("two people talk under a topic, QoS " .. qos, { tags = { "peers" } }, function(t)
        local room = "room/" .. random.hex(12)
        local ada = client(t, room .. "/bob", { name = "ada", qos = qos })
        local bob = client(t, room .. "/ada", { name = "bob", qos = qos })
        for person, own in pairs { [ada] = "/ada", [bob] = "/bob" } do
            expect(person:connect(), false)
            expect(person:subscribe(room .. own, { qos = qos }), qos)
        end
        for number = 1, 3 do
            think()
            ada:say("Question " .. number)
            bob:expect("message", { text = "Question " .. number, topic = room .. "/bob" })
            bob:say("Answer " .. number)
            ada:expect("message", { text = "Answer " .. number })
        end
    end)
end

scenario("what is kept reaches who comes later", { tags = { "peers" } }, function(t)
    local topic = "lamp/" .. random.hex(12)
    local lamp, phone = client(t, topic), client(t, topic)
    lamp:connect()
    expect(lamp:publish(topic, "on", { qos = 1, retain = true }), 0)
    phone:connect()
    phone:subscribe(topic, { qos = 1 })
    phone:expect("message", { topic = topic, text = "on", retain = true })
    lamp:publish(topic, "", { qos = 1, retain = true })
    phone:expect("message", { topic = topic, text = "" })
end)

scenario("a session waits for who comes back", { tags = { "peers" } }, function(t)
    local topic = "away/" .. random.hex(12)
    local ada, bob = client(t, topic, { clean = false, client_id = random.hex(12) }), client(t, topic)
    expect(ada:connect(), false)
    ada:subscribe(topic, { qos = 1 })
    ada:disconnect()
    ada:expect "disconnected"
    bob:connect()
    bob:publish(topic, "You were away", { qos = 1 })
    expect(ada:connect(), true)
    ada:expect("message", { text = "You were away", qos = 1 })
    ada:unsubscribe(topic)
end)

scenario("a will is published for who vanished", { tags = { "peers" } }, function(t)
    local topic = "gone/" .. random.hex(12)
    local ada = client(t, topic, { will = { topic = topic, text = "ada is gone", qos = 1 } })
    local bob = client(t, topic)
    bob:connect()
    bob:subscribe(topic, { qos = 1 })
    ada:connect()
    ada:drop()
    ada:expect "disconnected"
    bob:expect("message", { topic = topic, text = "ada is gone" })
end)

scenario("pings keep a connection while the scenario waits", { tags = { "peers", "slow" } }, function(t)
    local ada = client(t, "a", { keep_alive = "2s" })
    ada:connect()
    wait "7s"
    expect(ada:publish("a", "still here", { qos = 1 }), 0)
end)

scenario("who has no right is told why", { tags = { "peers" } }, function(t)
    local stranger = client(t, "a", { password = "wrong" })
    expect(stranger:connect(), nil)
    -- Version 3.10 closes the WebSocket, later ones answer as the protocol has it.
    stranger:expect(any { event "refused", event("disconnected", { reason = "unauthenticated" }) })
end)

scenario("bytes arrive as they are", { tags = { "peers" } }, function(t)
    local topic = "bytes/" .. random.hex(12)
    local ada = client(t, topic)
    ada:connect()
    ada:subscribe(topic)
    ada:publish(topic, { base64 = "AP+AwIA=" })
    ada:expect("message", { base64 = "AP+AwIA=" })
end)
