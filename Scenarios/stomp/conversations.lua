-- STOMP: texts between clients of a broker, acknowledgements, receipts, transactions and heart-beats.
local stomp = require "stomp"

-- A client that is connected, and the peer on the server's side.
local function connected(t, options, settings)
    local server = t:server(stomp, settings)
    local peer, ada = server:peer "Sam", t:actor(stomp, options)
    expect(ada:connect(), true)
    return ada, peer
end

scenario("a text reaches who has subscribed, and the sender hears that the broker has it", { tags = { "stomp" } }, function(t)
    local server = t:server(stomp)
    local ada, bob = t:actor(stomp, { name = "ada" }), t:actor(stomp, { name = "bob" })
    ada:connect()
    bob:connect()
    bob:subscribe "/topic/chat"
    ada:say "Hello"
    bob:expect("message", { text = "Hello", destination = "/topic/chat" })
    ada:expect("message_sent", { text = "Hello" })
end)

scenario("whatever stands in a text or a header arrives as it was", { tags = { "stomp", "escapes" } }, function(t)
    local ada, peer = connected(t)
    ada:subscribe("/topic/odd: \\ \n\r", { note = "a:b\\c\nd" })
    local odd = "zwei Zeilen:\n\\n \0 und größer 😀"
    ada:send("/topic/odd: \\ \n\r", odd, { ["x:y"] = "1:2\\3\n4\r5" })
    ada:expect("message", { text = odd, destination = "/topic/odd: \\ \n\r", headers = { ["x:y"] = "1:2\\3\n4\r5" } })
    peer:expect("message", { text = odd })
end)

scenario("who may not enter is told why", { tags = { "stomp", "auth" } }, function(t)
    t:server(stomp, { users = { ada = "right" } })
    local stranger = t:actor(stomp, { login = "ada", passcode = "wrong" })
    local ada = t:actor(stomp, { login = "ada", passcode = "right" })
    expect(stranger:connect(), false)
    stranger:expect("refused", { message = "Bad CONNECT", text = match.contains "Access refused" })
    stranger:expect "disconnected"
    expect(ada:connect(), true)
    ada:expect("connected", { version = "1.2" })
end)

scenario("a server of another version is refused", { tags = { "stomp" } }, function(t)
    t:server(stomp, { version = "1.1" })
    local ada = t:actor(stomp)
    expect(ada:connect(), false)
    ada:expect("refused", { text = match.contains "1.1" })
    ada:expect "disconnected"
end)

scenario("a message of a queue that is refused goes to the next one", { tags = { "stomp", "ack" } }, function(t)
    local server = t:server(stomp)
    local peer = server:peer "shop"
    local ada, bob = t:actor(stomp, { name = "ada" }), t:actor(stomp, { name = "bob" })
    for _, agent in ipairs { ada, bob } do
        agent:connect()
        agent:subscribe("/queue/orders", { ack = "client-individual" })
    end
    peer:send("/queue/orders", "order 1")
    local first = bob:expect("message", { text = "order 1" })
    bob:nack(first.ack)
    peer:expect("acknowledged", { client = 2, accepted = false })
    ada:ack(ada:expect("message", { text = "order 1" }).ack)
    peer:expect("acknowledged", { client = 1, accepted = true })
end)

scenario("a queue keeps its messages for who comes later", { tags = { "stomp" } }, function(t)
    local ada, peer = connected(t)
    peer:send("/queue/orders", "order 1", { priority = "4" })
    peer:send("/queue/orders", "order 2")
    ada:subscribe "/queue/orders"
    ada:expect("message", { text = "order 1", headers = { priority = "4" } })
    ada:expect("message", { text = "order 2" })
end)

scenario("what a transaction holds happens with its commit or not at all", { tags = { "stomp", "transactions" } }, function(t)
    local ada, peer = connected(t)
    ada:begin "t1"
    ada:send("/topic/a", "one", { transaction = "t1" })
    ada:send("/topic/a", "two", { transaction = "t1" })
    peer:expect_silence("1s", "message")
    ada:commit "t1"
    peer:expect("message", { text = "one" })
    peer:expect("message", { text = "two" })
    ada:begin "t2"
    ada:send("/topic/a", "three", { transaction = "t2" })
    ada:abort "t2"
    peer:expect_silence("1s", "message")
end)

scenario("heart-beats keep a connection while the scenario waits", { tags = { "stomp", "heartbeat" } }, function(t)
    local ada, peer = connected(t, { heartbeat = "4s" }, { heartbeat = "5s" })
    ada:subscribe "/topic/chat"
    wait "12s"
    expect(ada.connected, true)
    peer:say "Still there?"
    ada:expect("message", { text = "Still there?" })
end)

scenario("a server that misses its heart-beats is left", { tags = { "stomp", "heartbeat" }, clock = "virtual" }, function(t)
    local ada = connected(t)
    t:network { latency = "1h" }
    ada:expect("error", { code = "silence" }, { within = "1m" })
    ada:expect("disconnected", { reason = "silence" })
end)

scenario("who does not want heart-beats gets none", { tags = { "stomp", "heartbeat" } }, function(t)
    local ada = connected(t, { heartbeat = 0 })
    wait "12s"
    expect(ada.connected, true)
end)

scenario("an error of the server's ends the connection", { tags = { "stomp", "endings" } }, function(t)
    local ada, peer = connected(t)
    peer:refuse(1, "the shop closes")
    ada:expect("refused", { message = "the shop closes" })
    ada:expect("disconnected", { code = 1002 })
end)

scenario("who says goodbye was heard to the end", { tags = { "stomp", "endings" } }, function(t)
    local ada, peer = connected(t)
    ada:say "Goodbye"
    expect(ada:disconnect(), true)
    ada:expect("disconnected", { code = 1000 })
    peer:expect("message", { text = "Goodbye" })
    peer:expect("left", { client = 1 })
    expect(ada.connected, false)
end)

scenario("who connects again at once is not taken for gone", { tags = { "stomp", "endings" } }, function(t)
    local ada, peer = connected(t)
    for _, leave in ipairs { ada.disconnect, function() end } do
        leave(ada)
        expect(ada:connect(), true)
        ada:expect("disconnected", { code = 1000 })
    end
    ada:never "disconnected"
    wait "1m"
    ada:say "Still here"
    peer:expect("message", { text = "Still here" })
end)

scenario("a connect takes the place of one that is under way, and nothing has ended", { tags = { "stomp", "endings" } }, function(t)
    local ada = t:actor(stomp)
    ada:never "disconnected"
    t:network { latency = "50ms" }
    local first = spawn(function() return pcall(ada.connect, ada) end)
    wait "60ms"
    ada:connect()
    join(first)
    expect(ada.connected, true)
end)

scenario("bytes that are no text are told in base64", { tags = { "stomp", "binary" } }, function(t)
    local system = system { name = "stomp", events = {} }
    function system.server.upgrade() return "v12.stomp" end
    function system.server.text(_, client)
        client:send "CONNECTED\nversion:1.2\n\n\0"
        client:send_bytes "MESSAGE\ndestination:/a\nmessage-id:1\nsubscription:0\n\n\255\254\0"
    end
    t:server(system)
    local ada = t:actor(stomp)
    ada:connect()
    ada:expect("message", { text = "", base64 = "//4=" })
end)

-- A command that is refused before anything is sent, and why.
local function refused(why, command, ...)
    local passed, problem = pcall(command, ...)
    expect(passed, false)
    expect(tostring(problem), match.contains(why))
end

scenario("commands of a client that is not connected are refused", { tags = { "stomp", "mistakes" } }, function(t)
    t:server(stomp)
    local ada = t:actor(stomp)
    local commands = {
        function() ada:say "Hello" end, function() ada:send("/topic/chat", "Hello") end, function() ada:ack "1" end,
        function() ada:subscribe "/topic/chat" end, function() ada:disconnect() end,
    }
    for _, command in ipairs(commands) do refused("not connected", command) end
    expect(ada:connect(), true)
    ada:disconnect()
    for _, command in ipairs(commands) do refused("not connected", command) end
    ada:expect "disconnected"
end)

scenario("frames that could not be sent are refused", { tags = { "stomp", "mistakes" } }, function(t)
    local ada = connected(t)
    refused("needs destination", ada.send, ada)
    refused("needs text", ada.send, ada, "/topic/chat")
    refused("the header priority is a text, not a table", ada.send, ada, "/topic/chat", "Hello", { priority = {} })
    refused("headers is a table", ada.send, ada, "/topic/chat", "Hello", { "priority" })
    refused("ack is \"auto\"", ada.subscribe, ada, "/topic/chat", { ack = "cleint" })
    expect(ada.connected, true)
end)

scenario("names that nobody has given are refused", { tags = { "stomp", "mistakes" } }, function(t)
    local ada, peer = connected(t)
    refused('there is no subscription "s7"', ada.unsubscribe, ada, "s7")
    refused('there is no message to answer "m7"', ada.ack, ada, "m7")
    refused('there is no message to answer "m7"', ada.nack, ada, "m7")
    for _, method in ipairs { "commit", "abort" } do refused('there is no transaction "t1"', ada[method], ada, "t1") end
    refused('there is no transaction "t1"', ada.send, ada, "/topic/a", "one", { transaction = "t1" })
    local id = ada:subscribe("/queue/orders", { ack = "client" })
    for _, text in ipairs { "one", "two", "three" } do peer:send("/queue/orders", text) end
    local first, second, third = ada:expect("message").ack, ada:expect("message").ack, ada:expect("message").ack
    refused('there is no transaction "t1"', ada.ack, ada, first, "t1")
    ada:ack(second)
    for _, ack in ipairs { first, second } do refused("there is no message to answer", ada.ack, ada, ack) end
    ada:ack(third)
    ada:begin "t1"
    refused('the transaction "t1" has begun', ada.begin, ada, "t1")
    ada:abort "t1"
    ada:unsubscribe(id)
    refused("there is no subscription", ada.unsubscribe, ada, id)
    t:allow { "acknowledged" }
    local other = t:actor(stomp, { heartbeat = 1e-9 })
    refused("at least 1ms", other.connect, other)
end)
