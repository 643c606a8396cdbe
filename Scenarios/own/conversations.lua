-- A chat of one's own: the visitors and agents of the support chat that README.md teaches.
local support = require "support"

-- Brings a visitor into a conversation with an agent.
local function in_chat(t)
    local desk = t:server(support)
    local sam, ada = desk:agent "Sam", t:actor(support, { user = "ada" })
    ada:connect()
    ada:expect("queue", { position = 1 })
    sam:accept()
    return ada, sam, desk
end

scenario("an agent answers, and the visitor rates the conversation", { tags = { "own" } }, function(t)
    local ada, sam = in_chat(t)
    sam:typing(true)
    ada:expect("typing", { active = true })
    sam:say "Good morning, how can I help?"
    ada:expect("message", { from = "Sam", text = match.contains "help" })
    ada:say "Where is my order?"
    sam:expect("message", { text = "Where is my order?" })
    sam:ask "Were we of help?"
    ada:expect("survey")
    ada:answer_survey(5)
    sam:expect("survey_answered", { score = 5 })
    sam:finish()
    ada:expect("ended", { by = "agent" })
    sam:expect("chat_ended", { by = "agent" })
    expect(ada.state, "ended")
end)

scenario("who comes back at once is in the new conversation alone", {
    tags = { "own" }, faults = { one_byte = "the desk hears later that the visitor has gone" },
}, function(t)
    local ada, sam, desk = in_chat(t)
    ada:connect()
    ada:expect("queue", { position = 1 })
    local done, message = pcall(function() sam:say "Are you still there?" end)
    expect(done, false)
    expect(tostring(message), match.contains "the visitor has gone")
    local bob = desk:agent "Bob"
    bob:accept()
    bob:say "Welcome back"
    ada:expect("message", { from = "Bob" })
    ada:say "Hello again"
    bob:expect("message", { text = "Hello again" })
end)

scenario("those who wait move up when somebody is served", { tags = { "own" } }, function(t)
    local desk = t:server(support)
    local sam = desk:agent "Sam"
    local ada, bob = t:actor(support, { user = "ada" }), t:actor(support, { user = "bob" })
    ada:connect()
    ada:expect("queue", { position = 1 })
    bob:connect()
    bob:expect("queue", { position = 2 })
    ada:expect("queue", { position = 1 })
    sam:accept()
    bob:expect("queue", { position = 1 })
end)

scenario("those who wait move up when somebody leaves", { tags = { "own" } }, function(t)
    t:server(support)
    local ada, bob = t:actor(support, { user = "ada" }), t:actor(support, { user = "bob" })
    ada:connect()
    ada:expect("queue", { position = 1 })
    bob:connect()
    bob:expect("queue", { position = 2 })
    ada:expect("queue", { position = 1 })
    ada:leave()
    ada:expect("ended", { by = "visitor" })
    bob:expect("queue", { position = 1 })
end)

scenario("a message that was sent is acknowledged", { tags = { "own" } }, function(t)
    local ada, sam = in_chat(t)
    ada:say "One"
    ada:say "Two"
    ada:expect("message_sent", { text = "One", id = "m1" })
    ada:expect("message_sent", { text = "Two", id = "m2" })
    sam:expect("message", { text = "One" })
    sam:expect("message", { text = "Two" })
end)

scenario("an agent sees that the visitor types", { tags = { "own" } }, function(t)
    local ada, sam = in_chat(t)
    ada:typing(true)
    sam:expect("typing", { active = true })
    ada:typing(false)
    sam:expect("typing", { active = false })
end)

scenario("a ping is answered while the scenario does something else", { tags = { "own" } }, function(t)
    local ada, sam = in_chat(t)
    ada:never("disconnected", { code = 4008 })
    wait "20s"
    ada:leave()
    ada:expect("ended", { by = "visitor" })
    sam:expect("chat_ended", { by = "visitor" })
end)

scenario("a visitor who cannot answer a ping in time is let go", { tags = { "own", "network" }, clock = "virtual" }, function(t)
    local ada = in_chat(t)
    t:network { latency = "4s" }
    ada:expect("disconnected", { code = 4008, reason = "no pong" }, { within = "30s" })
    ada:expect("error", { code = "closed", message = "the connection was closed: 4008 no pong" })
end)

scenario("who leaves before an agent came is not waited for", { tags = { "own" } }, function(t)
    local desk = t:server(support)
    local sam, ada = desk:agent "Sam", t:actor(support)
    ada:connect()
    ada:expect "queue"
    ada:leave()
    ada:expect("ended", { by = "visitor" })
    ada:expect "disconnected"
    local done, message = pcall(function() sam:accept() end)
    expect(done, false)
    expect(tostring(message), match.contains "nobody waits")
end)

scenario("who is lost before an agent came is no mistake of the scenario", { tags = { "own", "network" }, clock = "virtual" }, function(t)
    local desk = t:server(support)
    local sam, ada = desk:agent "Sam", t:actor(support)
    ada:connect()
    ada:expect "queue"
    t:network { latency = "4s" }
    ada:expect("disconnected", { code = 4008 }, { within = "30s" })
    ada:expect("error", { code = "closed" })
    wait "10s"
    local done, failure = pcall(function() sam:accept() end)
    expect(done, false)
    expect(tostring(failure), match.contains "nobody waits: the visitor has gone")
    t:network { latency = 0 }
    local bob = t:actor(support, { name = "Bob" })
    bob:connect()
    bob:expect "queue"
    sam:accept()
    bob:expect "agent_joined"
end)

scenario("a frame that is none is an error that the visitor observes", { tags = { "own" } }, function(t)
    local broken = system { name = "support", events = {} }
    function broken.server.request() return { json = { token = "t" } } end
    function broken.server.text() end
    function broken.server.connected(_, client)
        client:send_json { type = "hello", session = "s1" }
        client:send "no JSON"
        client:send "[]"
        client:send_json { type = "teleport" }
        client:send_json { type = "queue", position = "first" }
        client:send_bytes "\0\1"
    end
    t:server(broken)
    local ada = t:actor(support)
    ada:connect()
    for _, text in ipairs { "is no JSON", "no object of JSON", "no message", "position is", "a binary message" } do
        ada:expect("error", { code = "protocol", message = match.contains(text) })
    end
    expect(ada.state, "waiting")
end)

scenario("who speaks before the conversation or after it is told so", { tags = { "own", "mistakes" } }, function(t)
    local desk = t:server(support)
    local sam, ada = desk:agent "Sam", t:actor(support)
    local function refused(why, command)
        local done, message = pcall(command)
        expect(done, false)
        expect(tostring(message), match.contains(why))
    end
    local spoken = { function() ada:say "Hello" end, function() ada:typing(true) end, function() ada:answer_survey(5) end }
    refused("nobody waits", function() sam:accept() end)
    refused("no visitor", function() sam:say "Hello" end)
    for _, command in ipairs(spoken) do refused("not connected", command) end
    ada:connect()
    ada:expect "queue"
    sam:accept()
    ada:leave()
    ada:expect("ended", { by = "visitor" })
    sam:expect("chat_ended", { by = "visitor" })
    for _, command in ipairs(spoken) do refused("has ended", command) end
    refused("has ended", function() sam:say "Are you there?" end)
end)
