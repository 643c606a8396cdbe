-- STOMP over WebSocket as RabbitMQ's plugin web-stomp speaks it: `scripts/peers rabbitmq` starts the broker and plays
-- this.
local stomp = require "stomp"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "two people talk under a topic",
    think_time = { distribution = "exponential", mean = "500ms" },
    thresholds = { "rate(failures) == 0", "count(lost) == 0", "count(duplicated) == 0" },
}

local function client(t, destination, options)
    local own = { login = "guest", passcode = "guest", destination = destination }
    for key, value in pairs(options or {}) do own[key] = value end
    return t:actor(stomp, own)
end

scenario("two people talk under a topic", { tags = { "peers" } }, function(t)
    local room = "/topic/room." .. random.hex(12)
    local ada, bob = client(t, room .. ".bob", { name = "ada" }), client(t, room .. ".ada", { name = "bob" })
    for person, own in pairs { [ada] = ".ada", [bob] = ".bob" } do
        expect(person:connect(), true)
        person:subscribe(room .. own)
    end
    for number = 1, 3 do
        think()
        ada:say("Question " .. number)
        bob:expect("message", { text = "Question " .. number })
        bob:say("Answer " .. number)
        ada:expect("message", { text = "Answer " .. number })
    end
end)

scenario("whatever stands in a text or a header arrives as it was", { tags = { "peers" } }, function(t)
    local destination = "/topic/odd." .. random.hex(12)
    local ada = client(t, destination)
    ada:connect()
    ada:subscribe(destination)
    local odd = "zwei Zeilen:\n\\n \0 und größer 😀"
    ada:send(destination, odd, { ["x-note"] = "1:2\\3\n4" })
    ada:expect("message", { text = odd, headers = { ["x-note"] = "1:2\\3\n4" } })
end)

scenario("a message of a queue that is refused is not lost", { tags = { "peers" } }, function(t)
    local queue = "/queue/orders." .. random.hex(12)
    local shop, agent = client(t, queue), client(t, queue)
    agent:connect()
    agent:subscribe(queue, { ack = "client-individual" })
    shop:connect()
    shop:send(queue, "order 1")
    agent:nack(agent:expect("message", { text = "order 1" }).ack)
    agent:ack(agent:expect("message", { text = "order 1" }, { within = "5s" }).ack)
    agent:expect_silence("500ms", "message")
end)

scenario("what a transaction holds happens with its commit or not at all", { tags = { "peers" } }, function(t)
    local destination = "/topic/bulk." .. random.hex(12)
    local ada = client(t, destination)
    ada:connect()
    ada:subscribe(destination)
    ada:begin "t1"
    ada:send(destination, "one", { transaction = "t1" })
    ada:expect_silence("500ms", "message")
    ada:commit "t1"
    ada:expect("message", { text = "one" })
    ada:begin "t2"
    ada:send(destination, "two", { transaction = "t2" })
    ada:abort "t2"
    ada:expect_silence("500ms", "message")
end)

scenario("heart-beats keep a connection while the scenario waits", { tags = { "peers", "slow" } }, function(t)
    local destination = "/topic/slow." .. random.hex(12)
    local ada = client(t, destination, { heartbeat = "2s" })
    ada:connect()
    ada:subscribe(destination)
    wait "9s"
    ada:say "Still here"
    ada:expect("message", { text = "Still here" })
end)

scenario("who has no right is told why", { tags = { "peers" } }, function(t)
    local stranger = client(t, "/topic/a", { passcode = "wrong" })
    expect(stranger:connect(), false)
    stranger:expect("refused", { message = "Bad CONNECT" })
    stranger:expect "disconnected"
end)

scenario("who says goodbye is let go", { tags = { "peers" } }, function(t)
    local ada = client(t, "/topic/bye." .. random.hex(12))
    ada:connect()
    ada:say "Goodbye"
    -- RabbitMQ closes on DISCONNECT without the receipts that it owes.
    ada:expect("message_sent", { text = "Goodbye" })
    ada:disconnect()
    ada:expect "disconnected"
    expect(ada.connected, false)
end)
