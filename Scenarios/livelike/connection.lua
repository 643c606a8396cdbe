-- How the subscribe loop fails and comes back, and how connecting fails.
local livelike = require "livelike"
local listening = require("beginnings").listening

scenario("what was said meanwhile arrives after the connection is back", {
    tags = { "reconnect" }, clock = "virtual",
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
    tags = { "reconnect" }, clock = "virtual", timeout = "5m",
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

scenario("a member who is ahead of the broadcast waits for its messages", { tags = { "sync" } }, function(t)
    t:server(livelike)
    local ada, ben = listening(t, { name = "Ada" }), listening(t, { name = "Ben" })
    ben:set_play_head "2024-01-01T20:00:00Z"
    ada:say("GOAL!", "lobby", "2024-01-01T20:05:00Z")
    ben:expect_silence("500ms", "message")
    ben:set_play_head "2024-01-01T20:05:01Z"
    ben:expect("message", { text = "GOAL!" })
end)

scenario("a carrier that denies access ends the loop", { tags = { "errors" }, clock = "virtual" }, function(t)
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
