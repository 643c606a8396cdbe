-- What is easily taken for granted: defaults, what a deleted message leaves, and when the broadcast catches up.
local livelike = require "livelike"
local beginnings = require "beginnings"
local listening, members, moderated = beginnings.listening, beginnings.members, beginnings.moderated

scenario("an image of a moderator has sides of a hundred unless it says otherwise", { tags = { "images" } }, function(t)
    local host, ada, ben = moderated(t)
    host:send_image "https://a.example/cat.png"
    for _, member in ipairs { ada, ben } do
        member:expect("message", { type = "image", image_url = "https://a.example/cat.png", width = 100, height = 100 })
    end
    host:send_image("https://a.example/dog.png", 30, 40)
    for _, member in ipairs { ada, ben } do member:expect("message", { width = 30, height = 40 }) end
end)

scenario("a deleted message keeps neither its quote nor its reactions", { tags = { "moderation", "quotes" } }, function(t)
    local host, ada, ben = moderated(t)
    ada:say "First"
    local first = ben:expect("message", { text = "First" }).id
    ben:quote(first, "So it was")
    local second = ada:expect("message", { text = "So it was", quote = { text = "First", from = "Ada" } }).id
    ada:react(second, "like")
    ben:expect("message_updated", { id = second, reaction = "like" })
    host:delete_message(second)
    ada:expect("message_deleted", { id = second })
    ben:expect("message_deleted", { id = second })
    for _, member in ipairs { ada, ben } do
        expect(member:message(second), { deleted = true, text = "", quote = match.absent, reactions = match.absent })
        expect(member:message(first), { text = "First", deleted = match.absent })
    end
    t:allow { "message_sent", "message", "message_updated" }
end)

for platform, step in pairs { ios = 0.2, android = 0.5 } do
    scenario("messages from ahead of the broadcast are shown when it reaches them, on " .. platform, {
        tags = { "sync" },
        faults = { delay = "what is late is shown later", clock_jump = "the clock of the broadcast goes on" },
    }, function(t)
        t:server(livelike)
        local ada, ben = listening(t, { name = "Ada" }), listening(t, { name = "Ben", platform = platform })
        ben:set_play_head "2024-01-01T20:00:00Z"
        local begin = now()
        ada:say("GOAL!", "lobby", "2024-01-01T20:00:02.050Z")
        ben:expect("message", { text = "GOAL!" }, { within = "5s" })
        expect(now() - begin, match.between(2.05, 2.15 + step))
        t:allow { "message_sent", "message" }
    end)
end

scenario("after the latest possible moment there is nothing, and the service does not even know it", {
    tags = { "history" },
    faults = { half_close = "what goes straight to the carrier is a GET, which is sent again, and stored twice" },
}, function(t)
    t:server(livelike)
    local ada, ben = listening(t, { name = "Ada", carriage = "pubnub" }), listening(t, { name = "Ben" })
    ada:say "Hello"
    ada:expect("message_sent", { text = "Hello" })
    local latest = "9223372036854775807"
    ada:get_messages(latest)
    expect(ada:expect("completed").value, {})
    ada:get_messages "0"
    expect(ada:expect("completed").value, { { text = "Hello" } })
    ben:get_messages(latest)
    ben:expect("error", { status = 400, message = match.contains "valid date/time" })
    ben:get_messages "0"
    expect(ben:expect("completed").value, { { text = "Hello" } })
    t:allow "message"
end)

scenario("a heartbeat goes out when the script asks for it, and as often as the application says", {
    tags = { "presence" },
}, function(t)
    local service = t:server(livelike, { heartbeat = 30 })
    local ada = listening(t, { name = "Ada" })
    service:fail_next("/heartbeat", 503, "Busy", 1)
    ada:send_heartbeat()
    ada:expect_silence("1s", "disconnected")
    wait "61s"
    expect(ada.rooms, { { room = "lobby", state = "connected" } })
end)

scenario("who is blocked can be heard again", {
    tags = { "blocks" }, faults = { reorder = "what comes after the end of the block is heard, however old it is" },
}, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    ada:block(ben.profile_id)
    ada:expect("completed", { callback = "blockProfile" })
    expect(ada:blocked(), { ben.profile_id })
    ben:say "You do not hear me"
    ben:expect("message_sent", { text = "You do not hear me" })
    ada:unblock(ben.profile_id)
    ada:expect("completed", { callback = "unblockProfile" })
    expect(ada:blocked(), {})
    expect(ada:events "message", {})
    ben:say "But now"
    ada:expect("message", { text = "But now" })
    expect(service.messages, 2)
    t:allow { "profile_blocked", "profile_unblocked", "message", "message_sent" }
end)
