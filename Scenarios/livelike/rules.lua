-- What is easily taken for granted: defaults, what a deleted message leaves, and when the broadcast catches up.
local livelike = require "livelike"
local beginnings = require "beginnings"
local late = "what is late comes together with what follows it"
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

scenario("of the history a member is shown what the broadcast has reached, and the rest when it does", {
    tags = { "sync", "history" },
}, function(t)
    t:server(livelike)
    local ada = listening(t, { name = "Ada" })
    for number = 1, 3 do
        ada:say("older " .. number, "lobby", number == 2 and "2024-01-01T20:00:05Z" or nil)
        ada:expect "message_sent"
    end
    ada:say("Kick-off", "lobby", "2024-01-01T20:00:00Z")
    ada:say("GOAL!", "lobby", "2024-01-01T20:00:10Z")
    for _ = 1, 2 do ada:expect "message_sent" end
    local ben = t:actor(livelike, { name = "Ben", page_size = 2 })
    ben:set_play_head "2024-01-01T20:00:02Z"
    ben:connect "lobby"
    expect(ben:expect("history").messages, { { text = "Kick-off" } })
    ben:expect("connected", { messages = 1 })
    ben:load_next_history()
    ben:expect("history", { count = 1, messages = { { text = "older 3" } } })
    expect(ben:messages(), { { text = "older 3" }, { text = "Kick-off" } })
    ben:expect("message", { text = "older 2" })
    ben:expect("message", { text = "GOAL!" })
    expect(ben:messages(), { { text = "older 2" }, { text = "older 3" }, { text = "Kick-off" }, { text = "GOAL!" } })
end)

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

scenario("a block holds without a room, by the answer to it alone", { tags = { "blocking" } }, function(t)
    local service = t:server(livelike)
    local ada, ben = listening(t, { name = "Ada" }), listening(t, { name = "Ben" })
    ada:disconnect()
    ada:expect "disconnected"
    ada:block(ben.profile_id)
    ada:expect "completed"
    expect(ada:blocked(), { ben.profile_id })
    ada:unblock(ben.profile_id)
    ada:expect "completed"
    expect(ada:blocked(), {})
end)

-- In real time a busy machine may show one message late and the next in time, so that less lies between them.
scenario("messages go one by one, a tenth of a second after the answer to the one before", {
    tags = { "outbox" }, clock = "virtual",
    faults = { clock_jump = late, delay = late, reorder = late },
}, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    for number = 1, 3 do ada:say("number " .. number) end
    local before
    for number = 1, 3 do
        ben:expect("message", { text = "number " .. number })
        if before then expect(now() - before, match.between(0.099, 5)) end
        before = now()
    end
    t:allow { "message_sent", "message" }
end)

scenario("an avatar that is set later is that of later messages, for everybody", { tags = { "profiles" } }, function(t)
    t:server(livelike)
    local ada, ben = listening(t, { name = "Ada", shouldDisplayAvatar = true }), listening(t, { name = "Ben" })
    ada:say "Before"
    expect(ben:expect("message", { text = "Before" }).avatar, nil)
    ada:set_avatar "https://a.example/ada.png"
    ada:say "After"
    ben:expect("message", { text = "After", avatar = "https://a.example/ada.png" })
    t:allow { "message_sent", "message" }
end)

scenario("a message that was refused keeps its place among those that come later", { tags = { "history" } }, function(t)
    local host, ada, ben = moderated(t)
    host:mute(ada)
    local id = ada:say "Refused"
    ada:expect("error", { status = 403 })
    host:unmute(ada)
    ben:say "Later"
    ada:expect("message", { text = "Later" })
    expect(ada:message(id), { text = "Refused", failed = true })
    expect(ada:messages(), { { text = "Refused" }, { text = "Later" } })
    t:allow { "message_sent", "message" }
end)

scenario("a deleted custom message keeps no data", { tags = { "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    ada:send_custom '{"goal":1}'
    local id = ben:expect("message", { type = "custom", custom_data = '{"goal":1}' }).id
    host:delete_message(id)
    ben:expect("message_deleted", { id = id })
    expect(ben:message(id), { deleted = true, custom_data = match.absent })
    t:allow { "message_sent", "message", "message_deleted" }
end)

scenario("what a member muted in the shadow says straight to the carrier is its own", {
    tags = { "moderation", "carriage" },
}, function(t)
    local service = t:server(livelike)
    local host = service:moderator "Host"
    local ada, ben = listening(t, { name = "Ada", carriage = "pubnub" }), listening(t, { name = "Ben" })
    host:shadow_mute(ada)
    ada:say "In the shadow"
    ada:expect("message_sent", { text = "In the shadow" })
    host:shadow_unmute(ada)
    ada:say "In the light"
    ben:expect("message", { text = "In the light" })
    expect(ben:events("message"), match.count(1))
    t:allow { "message_sent", "message" }
end)

scenario("what went straight to the carrier can be deleted by its id", { tags = { "moderation", "carriage" } }, function(t)
    local service = t:server(livelike)
    local host = service:moderator "Host"
    local ada, ben = listening(t, { name = "Ada", carriage = "pubnub" }), listening(t, { name = "Ben" })
    ada:say "Wrong"
    local id = ben:expect("message", { text = "Wrong" }).id
    host:delete_message(id)
    ben:expect("message_deleted", { id = id })
    expect(ben:message(id), { deleted = true, text = "" })
    t:allow { "message_sent", "message", "message_deleted" }
end)

scenario("a session that could not be made is made by the next connect", { tags = { "connection" } }, function(t)
    local service = t:server(livelike)
    service:fail_next("/applications", 500, "Down")
    local ada = t:actor(livelike, { name = "Ada" })
    ada:connect "lobby"
    ada:expect("error", { status = 500 })
    expect(ada.state, "new")
    ada:connect "lobby"
    ada:expect("connected", { room = "lobby" })
    expect(ada.state, "ready")
end)

scenario("a request that the service drops is an error of the connection", { tags = { "connection" } }, function(t)
    local service, ada = members(t, { "Ada" })
    service:fail_next("/sticker", 0)
    ada:sticker_packs()
    ada:expect("error", { callback = "getStickerPacks", status = match.absent, message = match.contains "dropped the connection" })
end)

scenario("a service that loses most answers is heard of at last", { tags = { "loss" } }, function(t)
    local service, ada = members(t, { "Ada" })
    -- One answer in a hundred is the exception.
    local function ask_until(kind)
        local answer
        for _ = 1, 8 do
            ada:room_info "lobby"
            answer = ada:expect(any { "completed", "error" }, { within = "1m" })
            if answer.event == kind then break end
        end
        expect(answer.event, kind)
    end
    service:set_loss(0.99)
    ask_until "error"
    service:set_loss(0.01)
    ask_until "completed"
end)
