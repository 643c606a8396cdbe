-- How the subscribe loop fails and comes back, and how connecting fails.
local livelike = require "livelike"
local listening = require("beginnings").listening

scenario("what was said meanwhile arrives after the connection is back", {
    tags = { "reconnect" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    service:drop_subscribers()
    ada:expect "disconnected"
    ada:expect("reconnecting", { attempt = 1, ["in"] = 3 })
    service:moderator("Host"):say "You missed this"
    ada:expect(seq { event "reconnected", event("message", { text = "You missed this" }) })
    expect(ada:messages(), match.count(1))
end)

scenario("the pauses of an Android client double", {
    tags = { "reconnect" }, timeout = "5m", faults = { half_close = "a refusal is lost, and its request repeated" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t, { platform = "android" })
    service:fail_next("/v2/subscribe", 500, "gone", 2)
    service:drop_subscribers()
    ada:expect "disconnected"
    for attempt, pause in ipairs { 1, 2, 4 } do
        ada:expect("reconnecting", { attempt = attempt, ["in"] = pause })
    end
    service:moderator("Host"):say "Are you back?"
    ada:expect(seq { event "reconnected", event("message", { text = "Are you back?" }) })
end)

scenario("a service that refuses the profile is an error and no connection", { tags = { "errors" } }, function(t)
    local service = t:server(livelike)
    local ada = t:actor(livelike)
    ada:never("connected", nil, function()
        service:fail_next("/profile", 401, "Who are you?")
        ada:connect "lobby"
        ada:expect("error", { code = "unauthorized", status = 401 })
    end)
end)

scenario("a room that does not exist cannot be connected to", { tags = { "errors" } }, function(t)
    t:server(livelike)
    local ada = t:actor(livelike)
    ada:connect "attic"
    ada:expect("error", { code = "notFound404" })
end)

scenario("a throttled room refuses a second message that comes too soon", { tags = { "errors" } }, function(t)
    t:server(livelike, { rooms = { { id = "lobby", chat_message_throttle_seconds = 60 } } })
    local ada = listening(t)
    ada:say "one"
    ada:expect("message_sent", { text = "one" })
    ada:say "two"
    ada:expect("error", { status = 429 })
end)

scenario("an empty message is not sent", { tags = { "errors" } }, function(t)
    t:server(livelike)
    local ada = listening(t)
    ada:say ""
    ada:expect("error", { code = "emptyMessage" })
    expect(ada:messages(), match.count(0))
end)

scenario("a member who is ahead of the broadcast waits for its messages", {
    tags = { "sync" }, faults = { clock_jump = "the clock of the broadcast goes on" },
}, function(t)
    t:server(livelike)
    local ada, ben = listening(t, { name = "Ada" }), listening(t, { name = "Ben" })
    ben:set_play_head "2024-01-01T20:00:00Z"
    ada:say("GOAL!", "lobby", "2024-01-01T20:05:00Z")
    ben:expect_silence("500ms", "message")
    ben:set_play_head "2024-01-01T20:05:01Z"
    ben:expect("message", { text = "GOAL!" })
end)

scenario("a carrier that denies access ends the loop", {
    tags = { "errors" }, faults = { half_close = "a refusal is lost, and its request repeated" },
}, function(t)
    local service = t:server(livelike)
    local ada = t:actor(livelike)
    service:fail_next("/v2/subscribe", 403, "Forbidden")
    ada:connect "lobby"
    t:allow("error", { code = "accessDenied" })
    ada:expect("error", { code = "accessDenied", status = 403 })
    ada:expect_silence("1m", "reconnecting")
end)

scenario("a message may go straight to the carrier", { tags = { "carriage" } }, function(t)
    t:server(livelike)
    local ada, ben = listening(t, { name = "Ada", carriage = "pubnub" }), listening(t, { name = "Ben" })
    ada:say "straight"
    ben:expect("message", { text = "straight", mine = false })
end)

group("answers of a former session", function()
    scenario("do not connect the next one twice", { tags = { "rooms" } }, function(t)
        t:server(livelike)
        t:network { latency = "100ms" }
        local ada = t:actor(livelike, { name = "Ada" })
        ada:connect "lobby"
        wait "1050ms"
        ada:disconnect "lobby"
        ada:expect "disconnected"
        ada:connect "lobby"
        ada:expect("connected", { room = "lobby" })
        ada:expect_silence("2s", "connected")
    end)

    scenario("bring no history to the next one", { tags = { "history" } }, function(t)
        local service = t:server(livelike)
        local host = service:moderator "Host"
        for number = 1, 30 do host:say("message " .. number, "lobby") end
        t:network { latency = "100ms" }
        local ada = t:actor(livelike, { name = "Ada" })
        ada:connect "lobby"
        ada:expect("history", { initial = true, count = 25 })
        ada:expect "connected"
        ada:load_next_history()
        ada:disconnect "lobby"
        ada:expect "disconnected"
        ada:connect "lobby"
        ada:expect("history", { initial = true, count = 25 })
        ada:expect("connected", { messages = 25 })
        ada:load_next_history()
        ada:expect("history", { initial = false, count = 5 })
        expect(ada:messages(), match.count(30))
    end)
end)

scenario("the pauses of an iOS client stay the same", {
    tags = { "reconnect" }, timeout = "5m", faults = { half_close = "a refusal is lost, and its request repeated" },
}, function(t)
    local service = t:server(livelike)
    local ada = listening(t, { platform = "ios" })
    service:fail_next("/v2/subscribe", 500, "gone", 2)
    service:drop_subscribers()
    ada:expect "disconnected"
    for attempt = 1, 3 do ada:expect("reconnecting", { attempt = attempt, ["in"] = 3 }) end
    ada:expect "reconnected"
    wait "100ms" -- so that the loop waits for messages
    service:drop_subscribers()
    ada:expect("reconnecting", { attempt = 1, ["in"] = 3 })
    ada:expect "reconnected"
    t:allow "disconnected"
end)

scenario("a list keeps as many messages as it may, the newest", { tags = { "messages" } }, function(t)
    local service = t:server(livelike)
    local ada = listening(t, { message_limit = 3 })
    local host = service:moderator "Host"
    for number = 1, 5 do
        host:say("message " .. number)
        ada:expect("message", { text = "message " .. number })
    end
    expect(ada:messages(), { { text = "message 3" }, { text = "message 4" }, { text = "message 5" } })
    expect(#ada:messages(), 3)
end)

scenario("what comes twice is shown and deleted once", { tags = { "messages" } }, function(t)
    local service = t:server(livelike)
    local ada = listening(t)
    local function publish(event, payload)
        service:publish_raw("chatroom.lobby", { event = event, payload = payload })
    end
    local payload = { id = "M1", message = "Hello", sender_id = "somebody", sender_nickname = "Eve", chat_room_id = "lobby" }
    publish("message-created", payload)
    publish("message-created", payload)
    ada:expect("message", { id = "m1", text = "Hello", from = "Eve" })
    publish("message-deleted", { id = "M1" })
    publish("message-deleted", { id = "M1" })
    ada:expect("message_deleted", { id = "m1" })
    publish("message-created", payload)
    ada:expect_silence "500ms"
    expect(ada:messages(), { { id = "m1", deleted = true } })
    expect(#ada:messages(), 1)
end)

scenario("events carry what came over the wire unless the application does without", { tags = { "messages" } }, function(t)
    local service = t:server(livelike)
    local ada, ben = listening(t, { name = "Ada" }), listening(t, { name = "Ben", raw = false })
    service:moderator("Host"):say "Hello"
    expect(json.encode(ada:expect("message").raw), match.contains "message-created")
    expect(ben:expect("message").raw, nil)
end)

scenario("an Android client that is ahead of the broadcast shows the oldest of more than twenty", {
    tags = { "sync" }, faults = { delay = "what is late is shown later", clock_jump = "the clock of the broadcast goes on" },
}, function(t)
    t:server(livelike)
    local ada = listening(t, { name = "Ada" })
    local ben = listening(t, { name = "Ben", platform = "android" })
    t:allow { "message_sent", "message" }
    ben:set_play_head "2024-01-01T20:00:00Z"
    for number = 1, 22 do
        ada:say("goal " .. number, "lobby", "2024-01-01T20:05:00Z")
        ada:expect "message_sent"
    end
    for number = 1, 2 do ben:expect("message", { text = "goal " .. number }) end
    wait "500ms"
    expect(#ben:events "message", 2)
    ben:set_play_head "2024-01-01T20:05:01Z"
    ben:expect("message", { text = "goal 22" })
    expect(#ben:events "message", 22)
end)

scenario("a throttled room refuses what goes straight to the carrier as well", { tags = { "carriage" } }, function(t)
    t:server(livelike, { rooms = { { id = "lobby", chat_message_throttle_seconds = 60 } } })
    local ada = listening(t, { carriage = "pubnub" })
    ada:say "one"
    ada:expect("message_sent", { text = "one" })
    ada:say "two"
    ada:expect("error", { status = 429 })
    wait "61s"
    ada:say "three"
    ada:expect("message_sent", { text = "three" })
end)

scenario("a member who pauses hears nothing, and everything once when it resumes", {
    tags = { "reconnect" },
}, function(t)
    local service = t:server(livelike)
    local host = service:moderator "Host"
    local ada = listening(t)
    host:say "Before"
    ada:expect("message", { text = "Before" })
    wait "100ms"
    ada:pause()
    wait "100ms" -- so that the service sees that nobody waits
    expect(service.subscribers, 0)
    host:say "Meanwhile"
    ada:say "I am away"
    ada:expect_silence("1s", "message", { mine = false })
    local ok, why = pcall(ada.pause, ada)
    expect({ ok, tostring(why) }, { false, match.contains "pause needs a loop that runs" })
    ada:resume()
    ada:expect("message", { text = "Meanwhile" })
    host:say "After"
    ada:expect("message", { text = "After" })
    ada:expect_silence("1s", "message", { mine = false })
    expect(pcall(ada.resume, ada), false)
end)

scenario("a room that is connected in a pause waits for its end", { tags = { "reconnect" } }, function(t)
    t:server(livelike, { rooms = { { id = "lobby" }, { id = "stands" } } })
    local ada = listening(t)
    ada:pause()
    ada:connect "stands"
    ada:expect_silence("1s", "connected")
    ada:resume()
    ada:expect("connected", { room = "stands" })
end)
