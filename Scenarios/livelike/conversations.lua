-- Whole conversations as members see them, held against those that are stored in `transcripts`.
local livelike = require "livelike"
local beginnings = require "beginnings"

-- Calls a method of a member and returns the value with which it was completed.
local function answered(member, method, ...)
    member[method](member, ...)
    return member:expect("completed").value
end

scenario("two members talk in every way, and see what is stored", { tags = { "conversations" } }, function(t)
    local _, ada, ben = beginnings.members(t, { "Ada", "Ben" }, {
        rooms = { { id = "lobby", title = "Lobby", custom_data = "green" } }, reactions = { "like", "love" }, stickers = { "goal" },
    })
    ada:set_avatar "https://example.com/ada.png"
    local own = ada:say "Who wins?"
    local id = ada:expect("message_sent", { client_message_id = own }).id
    ben:expect("message", { id = id })
    ben:react(id, "like")
    for _, member in ipairs { ada, ben } do member:expect("message_updated", { reaction = "like", added = true }) end
    ben:react(id, "love")
    for _, member in ipairs { ada, ben } do member:expect("message_updated", { reaction = "love", added = true }) end
    ben:unreact(id)
    for _, member in ipairs { ada, ben } do member:expect("message_updated", { reaction = "love", added = false }) end
    ben:quote(id, "We do")
    ada:expect("message", { text = "We do" })
    ben:reply(id, "In the thread")
    ada:expect("message", { text = "In the thread" })
    ben:send_image("https://example.com/goal.gif", nil, 30, 20)
    ada:expect("message", { type = "image" })
    ben:send_custom "{\"poll\":1}"
    ada:expect("message", { type = "custom" })
    ben:say ":goal:"
    ada:expect("message", { text = ":goal:", big_sticker = true })
    ada:delete_message(id)
    ben:expect("message_deleted", { id = id })
    ada:expect("message_deleted", { id = id })
    expect(ben:messages(), match.all_of {
        match.count(6), match.has { id = id, deleted = true, text = "" }, match.has { type = "image", width = 30 },
    })
    expect(ada:messages(), match.count(6))
    expect(ada:message(id), { deleted = true, reactions = match.absent })
    ada:disconnect "lobby"
    ada:expect("disconnected", { room = "lobby" })
    expect(ada.rooms, {})
    ada:expect_transcript "talk of Ada"
    ben:expect_transcript "talk of Ben"
end)

scenario("a member asks for everything that can be asked for, and gets what is stored", {
    tags = { "conversations" },
}, function(t)
    local service, ada, ben = beginnings.members(t, { "Ada", "Ben" }, {
        rooms = { { id = "lobby", title = "Lobby" } }, reactions = { "like" }, stickers = { "goal" },
    })
    local first = service:moderator("Host"):say "first"
    ada:expect("message", { text = "first" })
    ben:expect("message", { text = "first" })
    service:moderator("Host"):say "second"
    local second = ada:expect("message", { text = "second" })
    ben:expect("message", { text = "second" })
    expect(answered(ada, "message_count"), { count = 2 })
    expect(answered(ada, "get_messages", "0"), match.count(2))
    expect(answered(ada, "get_messages", second.timetoken), match.count(0))
    expect(answered(ada, "get_message_count", "0"), 2)
    expect(answered(ada, "get_message_count", second.timetoken), 0)
    expect(answered(ada, "sticker_packs"), match.count(1))
    expect(answered(ada, "reaction_packs"), match.count(1))
    expect(answered(ada, "room_info", "lobby"), { id = "lobby", title = "Lobby" })
    expect(answered(ada, "members"), match.count(0))
    answered(ada, "join")
    expect(answered(ada, "members"), match.count(1))
    expect(answered(ada, "my_rooms"), match.count(1))
    answered(ada, "leave")
    expect(answered(ada, "my_rooms"), match.count(0))
    expect(answered(ada, "muted_status"), { is_muted = false })
    expect(answered(ada, "get_replies", first), match.count(0))
    expect(answered(ada, "token_gate", "0x1"), { access = "allowed" })
    expect(answered(ada, "pinned_messages"), match.count(0))
    expect(answered(ada, "invitations"), match.count(0))
    answered(ada, "server_time")
    expect(answered(ada, "set_display_name", "Countess"), "Countess")
    expect({ ada.nickname, ada.state }, { "Countess", "ready" })
    ada:load_next_history()
    ada:expect("history", { count = 0, ["end"] = true })
    expect(ada.rooms, { { room = "lobby", title = "Lobby", messages = 2 } })
    expect(service:room("lobby"), { id = "lobby" })
    expect({ service.messages, service.rooms, service.profiles }, { 2, { "lobby" }, match.between(2, 4) })
    ada:expect_transcript "questions of Ada"
end)

scenario("a room has members, invitations and pins, and its members see what is stored", {
    tags = { "conversations" },
}, function(t)
    local _, ada, ben = beginnings.members(t, { "Ada", "Ben" })
    local room = answered(ada, "create_room", {
        title = "Fans", visibility = "members", custom_data = "red", content_filter = "filtered",
    }).id
    ada:connect(room)
    ada:expect("connected", { room = room })
    ben:connect(room)
    ben:expect("error", { code = "forbidden", room = room })
    answered(ada, "invite", ben.profile_id, room)
    local invitation = ben:expect("invitation", { room = room }).id
    answered(ben, "answer_invitation", invitation)
    ben:connect(room)
    ben:expect("connected", { room = room })
    expect(answered(ada, "members", room), match.count(2))
    expect(answered(ada, "invitations", "sent"), match.count(1))
    expect(answered(ada, "invitations", "sent", "pending"), match.count(0))
    ada:say("Rules", room)
    local id = ada:expect("message_sent", { room = room }).id
    ben:expect("message", { text = "Rules" })
    ben:pin(id, room)
    ben:expect("error", { code = "forbidden" })
    ada:pin(id, room)
    local pin = ben:expect("message_pinned", { room = room }).pin.id
    -- The answer and the word of the pin come over two connections: nothing orders them, and the transcript has a gap.
    ada:expect(all {
        event("message_pinned", { room = room, pin = { id = pin, message_payload = { text = "Rules" } } }),
        event("completed", { room = room, value = { id = pin, message_id = id }, callback = "pinMessage" }),
    })
    expect(answered(ben, "pinned_messages", nil, room), match.count(1))
    ada:unpin(pin, room)
    ben:expect("message_unpinned", { pin_id = pin })
    ada:expect(all {
        event("message_unpinned", { pin_id = pin }), event("completed", { room = room, callback = "unpinMessage" }),
    })
    expect(answered(ben, "pinned_messages", nil, room), match.count(0))
    answered(ben, "leave", room)
    expect(answered(ada, "members", room), match.count(1))
    ada:expect_transcript "room of Ada"
    ben:expect_transcript "room of Ben"
end)

scenario("a moderator rules a room, and its members see what is stored", { tags = { "conversations" } }, function(t)
    local host, ada, ben = beginnings.moderated(t, {
        filtered_words = { "darn" }, rooms = { { id = "lobby", content_filter = "filtered" } },
    })
    host:watch()
    ada:say "Buy my watches"
    local id = ben:expect("message").id
    ben:report_message(id)
    local report = host:expect("message_reported", { message_id = id, reported_by_id = ben.profile_id })
    expect(host:reports(), match.count(1))
    host:dismiss_report(report.id)
    expect(host:reports(), match.count(0))
    host:delete_message(id)
    ben:expect("message_deleted", { id = id })
    ada:expect("message_deleted", { id = id })
    host:mute(ada)
    ada:say "Hello?"
    ada:expect("error", { status = 403 })
    host:unmute(ada)
    host:shadow_mute(ada)
    ada:say "In the shadow"
    ada:expect "message_sent"
    host:shadow_unmute(ada)
    ada:say "In the light"
    ben:expect("message", { text = "In the light" })
    ada:say "darn it"
    ada:expect("message_sent", { text = "darn it" })
    host:update_room { title = "Final", custom_data = "blue" }
    ben:expect("room_updated", { title = "Final", custom_data = "blue" })
    ada:expect("room_updated", { title = "Final" })
    host:send_image("https://example.com/goal.gif", 40, 30)
    ben:expect("message", { type = "image", width = 40, height = 30 })
    ada:expect("message", { type = "image", mine = false })
    host:send_custom "{}"
    ben:expect("message", { type = "custom", custom_data = "{}" })
    ada:expect("message", { type = "custom", custom_data = "{}" })
    host:invite(ada)
    ada:expect("invitation", { room = "lobby", by = "Host" })
    host:add_member(ben)
    ben:expect("member_added", { room = "lobby", by = "Host" })
    ben:block(ada.profile_id)
    ben:expect "profile_blocked"
    ada:say "Ben?"
    ada:expect("message_sent", { text = "Ben?" })
    host:say "Kick-off"
    -- What Ada said has come before that, and only so while she was blocked.
    ben:expect("message", { text = "Kick-off" })
    ada:expect("message", { text = "Kick-off" })
    ben:unblock(ada.profile_id)
    ben:expect "profile_unblocked"
    expect(ben:blocked(), {})
    local heard = {}
    for number, message in ipairs(ben:messages()) do heard[number] = message.deleted and "-" or message.text end
    expect(heard, { "-", "In the light", "", "", "Kick-off" })
    ada:expect_transcript "rules of Ada"
    ben:expect_transcript "rules of Ben"
end)

scenario("an Android client sees what is stored", { tags = { "conversations" } }, function(t)
    local service = t:server(livelike)
    local host = service:moderator "Host"
    for number = 1, 5 do host:say("message " .. number) end
    local ada = t:actor(livelike, {
        name = "Ada", nickname = "Ada", platform = "android", carriage = "pubnub", page_size = 2, shouldDisplayAvatar = true,
        avatarURL = "https://example.com/ada.png",
    })
    ada:connect "lobby"
    ada:expect("connected", { messages = 2 })
    ada:load_next_history()
    ada:expect("history", { count = 2, ["end"] = false })
    ada:load_next_history()
    ada:expect("history", { count = 1 })
    ada:say "straight"
    local id = ada:expect("message_sent", { text = "straight" }).id
    ada:react(id, "heart")
    ada:expect("message_updated", { id = id, reaction = "heart", added = true, by_id = ada.profile_id })
    ada:unreact(id)
    ada:expect("message_updated", { id = id, reaction = "heart", added = false })
    host:say "www.example.com"
    ada:expect("message", { text = "www.example.com", links = match.absent })
    expect(ada:messages(), match.count(7))
    wait "200ms" -- so that the loop waits for messages
    service:drop_subscribers()
    ada:expect "disconnected"
    ada:expect("reconnecting", { attempt = 1, ["in"] = 1 })
    ada:expect "reconnected"
    host:say "back"
    ada:expect("message", { text = "back" })
    ada:expect_transcript "Android"
end)
