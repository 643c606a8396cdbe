-- Messages over a network that is late, shaky or lossy.
local livelike = require "livelike"
local listening = require("beginnings").listening

-- What a member has heard of others, in its order.
local function heard(ada)
    local texts = {}
    for number, message in ipairs(ada:events "message") do texts[number] = message.text end
    return texts
end

-- Lets a moderator say numbers, and returns them as texts.
local function count(host, last, pause)
    local said = {}
    for number = 1, last do
        said[number] = tostring(number)
        host:say(said[number])
        wait(pause)
    end
    return said
end

scenario("a late service delivers late and in order", { tags = { "latency" } }, function(t)
    local service = t:server(livelike, { latency = "150ms" })
    local ada, begin = t:actor(livelike), now()
    ada:connect "lobby"
    ada:expect "connected"
    -- Application, profile, room, subscription and history are five answers, one after the other.
    expect(now() - begin, match.between(0.74, 4))
    wait "500ms"
    begin = now()
    service:moderator("Host"):say "hello"
    ada:expect("message", { text = "hello" })
    expect(now() - begin, match.between(0.14, 2))
end)

scenario("jitter neither loses nor repeats nor reorders messages", { tags = { "latency" } }, function(t)
    local service = t:server(livelike, { latency = "5ms", jitter = "60ms" })
    local ada = listening(t)
    t:allow "message"
    local said = count(service:moderator "Host", 20, "15ms")
    ada:expect("message", { text = said[#said] })
    expect(heard(ada), said)
end)

scenario("what a lossy network swallows comes again once", {
    tags = { "loss", "reconnect" }, faults = { reorder = "while one answer is held back, no other one can be swallowed" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t, { retry_interval = "20ms" })
    service:set_loss(0.4)
    t:allow { "message", "disconnected", "reconnecting", "reconnected" }
    local said = count(service:moderator "Host", 30, "30ms")
    service:set_loss(0)
    ada:expect("message", { text = said[#said] })
    expect(heard(ada), said)
    expect(ada:events "disconnected", match.is_not(match.count(0)))
end)

scenario("a dropped subscription is noticed and renewed", { tags = { "reconnect" } }, function(t)
    local service = t:server(livelike)
    local ada = listening(t, { retry_interval = "50ms" })
    repeat wait "10ms" until service:drop_subscribers() == 1
    ada:expect(seq { event "disconnected", event("reconnecting", { attempt = 1 }), event "reconnected" })
    service:moderator("Host"):say "Welcome back"
    ada:expect("message", { text = "Welcome back" })
end)

scenario("a request that the service drops fails, though the connection had served before", {
    tags = { "errors" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    service:fail_next("chatroom-messages-count", 0)
    ada:message_count()
    ada:expect("error", { callback = "getMessageCount" })
    ada:message_count()
    ada:expect("completed", { value = { count = 0 } })
end)

scenario("a room in which nobody speaks stays connected for hours", {
    tags = { "reconnect" }, clock = "virtual", timeout = "4h",
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    ada:expect_silence("3h", "disconnected")
    service:moderator("Host"):say "Is anybody there?"
    ada:expect("message", { text = "Is anybody there?" })
end)

scenario("a connection that breaks while a message is sent is told to its sender", { tags = { "errors" } }, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    service:fail_next("/chatroom-messages/", 0)
    ada:say "Hello?"
    ada:expect("error", { callback = "sendMessage" })
    expect(ada:messages(), { { text = "Hello?", failed = true } })
end)

scenario("a service grows late while it runs, and prompt again", {
    tags = { "latency" },
    faults = { delay = "it takes the time of answers", one_byte = "it takes the time of answers",
        reorder = "it takes the time of answers", clock_jump = "it takes the time of answers",
        half_close = "a repeated request takes its time twice" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    local function counted()
        local begin = now()
        ada:message_count()
        ada:expect("completed", { callback = "getMessageCount" })
        return now() - begin
    end
    expect(counted(), match.between(0, 1))
    service:set_latency "2s"
    expect(counted(), match.between(1.99, 3.5))
    service:set_latency("0s", "400ms")
    local total = 0
    for _ = 1, 10 do
        total = total + counted()
    end
    expect(total, match.between(0.5, 3.6), "chance adds to the latency")
    service:set_latency "0s"
    expect(counted(), match.between(0, 1))
end)

scenario("a carrier that does not answer for 310 seconds is asked again", {
    tags = { "reconnect" }, clock = "virtual", timeout = "1h",
    faults = {
        clock_jump = "the 310 seconds are those of the client's clock", reorder = "an answer waits for another one",
        delay = "an answer that is late begins the 310 seconds anew",
    },
}, function(t)
    local service = t:server(livelike, { hold = "30m" })
    local ada = listening(t)
    ada:expect_silence("309s", "disconnected")
    ada:expect("disconnected", { reason = match.contains "in time" }, { within = "5s" })
    ada:expect("reconnecting", { attempt = 1 })
    ada:expect("reconnected", nil, { within = "5s" })
    service:moderator("Host"):say "Still there?"
    ada:expect("message", { text = "Still there?" })
    ada:expect_silence("300s", "disconnected")
    ada:expect("disconnected", nil, { within = "15s" })
    t:allow { "reconnecting", "reconnected" }
end)

for _, row in ipairs {
    { "remove", 400, "messageActionDoesntExist" }, { "remove", 500, "failedToRemoveMessageAction" },
    { "add", 409, "messageActionAlreadyAdded" }, { "add", 500, "failedToSendMessageAction" },
} do
    scenario(("to %s a reaction that the carrier answers with %d is %s, and the next one goes out"):format(
        row[1], row[2], row[3]), {
        tags = { "errors", "reactions" }, faults = { half_close = "the refusal is lost, and its request repeated" },
    }, function(t)
        local service = t:server(livelike)
        local ada = listening(t)
        t:allow { "message", "message_sent", "message_updated" }
        ada:say "We won!"
        local id = ada:expect("message_sent").id
        wait "100ms"
        if row[1] == "remove" then
            ada:react(id, "like")
            ada:expect("message_updated", { reaction = "like", added = true })
        end
        service:fail_next("message-actions", row[2])
        if row[1] == "remove" then ada:unreact(id) else ada:react(id, "like") end
        ada:expect("error", { code = row[3], status = row[2], id = id })
        ada:react(id, "love")
        ada:expect("message_updated", { id = id, reaction = "love", added = true })
    end)
end
