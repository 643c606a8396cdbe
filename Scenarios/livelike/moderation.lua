-- What moderators and members do about unwelcome messages.
local livelike = require "livelike"
local moderated = require("beginnings").moderated

scenario("a message that a moderator deletes leaves a placeholder", { tags = { "smoke", "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    ada:say "Buy my watches"
    local id = ben:expect("message", { text = "Buy my watches" }).id
    host:delete_message(id)
    ben:expect("message_deleted", { id = id })
    ada:expect("message_deleted", { id = id })
    expect(ben:messages(), { { id = id, deleted = true } })
end)

scenario("a muted member is heard by nobody and told so", { tags = { "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    host:mute(ada)
    ben:never("message", nil, function()
        ada:muted_status()
        ada:expect("completed", { value = { is_muted = true } })
        ada:say "Can you hear me?"
        ada:expect("error", { code = "sendMessageFailedAccessDenied", status = 403 })
    end)
    expect(ada:messages(), { { text = "Can you hear me?", failed = true } })
    host:unmute(ada)
    ada:say "And now?"
    ben:expect("message", { text = "And now?" })
end)

scenario("a member muted in the shadow does not notice", { tags = { "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    host:shadow_mute(ada)
    ada:say "Buy my watches"
    ada:expect "message_sent"
    ben:expect_silence("500ms", "message")
end)

scenario("a report reaches the moderator", { tags = { "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    host:watch()
    ada:say "Buy my watches"
    local id = ben:expect("message").id
    ben:report_message(id)
    local report = host:expect("message_reported", { message = "Buy my watches", message_id = id, status = "pending" })
    host:dismiss_report(report.id)
    expect(host:reports(), match.count(0))
end)

scenario("words of the list reach others masked or not at all", { tags = { "filter" } }, function(t)
    local options = { filtered_words = { "darn" }, rooms = { { id = "lobby", content_filter = "filtered" } } }
    local _, ada, ben = moderated(t, options)
    local eve = t:actor(livelike, { name = "Eve", includeFilteredChatMessages = true })
    eve:connect "lobby"
    eve:expect "connected"
    ada:say "darn"
    eve:expect("message", { from = "Ada", filters = match.count(match.between(1, 9)), text = match.is_not "darn" })
    ben:expect_silence("500ms", "message")
end)

scenario("who is blocked is not heard", {
    tags = { "blocks" }, faults = { reorder = "what comes after the end of the block is heard, however old it is" },
}, function(t)
    local _, ada, ben = moderated(t)
    ada:say "Hello, Ben"
    local sender = ben:expect("message").sender_id
    ben:block(sender)
    ben:expect("profile_blocked", { profile_id = sender })
    expect(ben:blocked(), { sender })
    ada:say "Ben?"
    ada:expect("message_sent", { text = "Ben?" })
    ben:expect_silence("500ms", "message")
    expect(#ben:messages(), 0, "what was said before is hidden, too")
    ben:unblock(sender)
    ben:expect "profile_unblocked"
    expect(#ben:messages() > 0, true)
    ada:say "Ben!"
    ben:expect("message", { text = "Ben!" })
end)

scenario("the room tells of its changes and its pins", { tags = { "room" } }, function(t)
    local host, ada, ben = moderated(t)
    host:update_room { title = "Final" }
    ben:expect("room_updated", { title = "Final" })
    ada:expect("room_updated", { title = "Final" })
    local pin = host:pin(host:say "Be kind")
    ben:expect("message", { text = "Be kind" })
    ben:expect("message_pinned", { pin = { id = pin } })
    host:unpin(pin)
    ben:expect("message_unpinned", { pin_id = pin })
    t:allow { "message", "message_pinned", "message_unpinned" }
end)

scenario("a member is added to one room and invited to another", { tags = { "membership" } }, function(t)
    local host, ada = moderated(t, { rooms = { { id = "lobby" }, { id = "stand" }, { id = "box" } } })
    host:add_member(ada, "stand")
    ada:expect("member_added", { room = "stand" })
    local id = host:invite(ada, "box")
    ada:expect("invitation", { room = "box", id = id, status = "pending" })
    ada:answer_invitation(id, true)
    ada:expect "completed"
end)

scenario("a deleted image leaves nothing to look at", { tags = { "moderation", "images" } }, function(t)
    local host, ada, ben = moderated(t)
    ada:send_image("https://img.example/a.png", nil, 40, 30)
    local id = ben:expect("message", { type = "image", image_url = "https://img.example/a.png" }).id
    host:delete_message(id)
    ben:expect("message_deleted", { id = id })
    ada:expect("message_deleted", { id = id })
    expect(ben:messages(), { { id = id, deleted = true, image_url = match.absent } })
end)

scenario("a member deletes what it wrote itself, and nothing else", { tags = { "moderation" } }, function(t)
    local _, ada, ben = moderated(t)
    ada:say "Oops"
    local id = ben:expect("message", { text = "Oops" }).id
    ben:delete_message(id)
    ben:expect("error", { code = "forbidden", status = 403 })
    ada:delete_message(id)
    ada:expect("message_deleted", { id = id })
    ben:expect("message_deleted", { id = id })
end)

scenario("what was deleted is not in the history of those who come later", { tags = { "moderation" } }, function(t)
    local host, ada, ben = moderated(t)
    host:say "first"
    ada:expect("message", { text = "first" })
    local id = ben:expect("message", { text = "first" }).id
    host:say "second"
    host:delete_message(id)
    for carriage, count in pairs { rest = 1, pubnub = 1 } do
        local eve = t:actor(livelike, { name = "Eve by " .. carriage, carriage = carriage })
        eve:connect "lobby"
        eve:expect("connected", { messages = count })
        expect(eve:messages(), { { text = "second" } })
    end
    t:allow { "message", "message_deleted" }
end)

scenario("muted everywhere is muted in every room", { tags = { "moderation" } }, function(t)
    local host, ada = moderated(t, { rooms = { { id = "lobby" }, { id = "stand" } } })
    ada:connect "stand"
    ada:expect("connected", { room = "stand" })
    host:mute(ada)
    for _, room in ipairs { "lobby", "stand" } do
        ada:say("Hello?", room)
        ada:expect("error", { code = "sendMessageFailedAccessDenied", room = room })
    end
    host:unmute(ada)
    host:mute(ada, "stand")
    ada:say("Hello!", "lobby")
    ada:expect("message_sent", { room = "lobby" })
    ada:muted_status "stand"
    ada:expect("completed", { value = { is_muted = true } })
    t:allow { "message", "error" }
end)

scenario("a room without a reporter takes no reports", { tags = { "moderation" } }, function(t)
    local _, ada, ben = moderated(t, { rooms = { { id = "lobby", reports = false } } })
    ada:say "Hm"
    ben:report_message(ben:expect("message").id)
    ben:expect("error", { code = "failedDueToMissingMessageReporter" })
    ben:report_message "no-such-message"
    ben:expect("error", { code = "failedToFindReportedChatMessage" })
end)

for _, kind in ipairs { "filtered", "producer", "ai" } do
    scenario("the sender of a message that a room with filter " .. kind .. " masks sees the original", {
        tags = { "filter" },
    }, function(t)
        local options = { filtered_words = { "darn" }, rooms = { { id = "lobby", content_filter = kind } } }
        local _, ada, ben = moderated(t, options)
        ada:say "darn it"
        ada:expect("message", { mine = true, text = "darn it" })
        ada:expect("message_sent", { text = "darn it" })
        ada:say "sorry"
        ben:expect("message", { text = "sorry" })
        expect(ben:messages(), { { text = "sorry" } })
    end)
end

scenario("the history has what a member muted in the shadow said for that member alone", {
    tags = { "moderation", "history" },
}, function(t)
    local host, ada, ben = moderated(t)
    host:shadow_mute(ada)
    ada:say "Buy my watches"
    ada:expect "message_sent"
    t:allow "message"
    for member, count in pairs { [ada] = 1, [ben] = 0 } do
        member:disconnect "lobby"
        member:expect "disconnected"
        member:connect "lobby"
        member:expect("connected", { messages = count })
    end
end)

scenario("who answers an invitation sets its status, and lists tell the two sides", { tags = { "membership" } }, function(t)
    local host, ada, ben = moderated(t, { rooms = { { id = "lobby" }, { id = "box" } } })
    local id = host:invite(ada, "box")
    ada:expect("invitation", { id = id, room = "box", status = "pending" })
    ada:answer_invitation(id, false)
    ada:expect("completed", { value = { id = id, status = "rejected" } })
    ben:answer_invitation(id, true)
    ben:expect("error", { status = match.one_of { 403, 404 } })
end)
