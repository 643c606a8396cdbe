-- Answers and what goes along: threads, quotes, reactions, pins and metadata.
local livelike = require "livelike"
local moderated = require("beginnings").moderated

scenario("a thread keeps its replies together and does not nest", { tags = { "threads" } }, function(t)
    local _, ada, ben = moderated(t)
    ada:say "Who scores first?"
    local id = ben:expect("message").id
    ben:reply(id, "Grace")
    local reply = ada:expect("message", { text = "Grace", parent_id = id }).id
    ada:reply(id, "Never")
    ben:expect("message", { text = "Never", parent_id = id })
    ben:get_replies(id)
    ben:expect("completed", { callback = "getChatMessages", value = { { text = "Grace" }, { text = "Never" } } })
    local done, why = pcall(ada.reply, ada, reply, "Inside")
    expect(done, false)
    expect(tostring(why), match.contains "threads do not nest")

    local eve = t:actor(livelike, { name = "Eve" })
    eve:connect "lobby"
    eve:expect "connected"
    expect(eve:message(id), { text = "Who scores first?", replies = 2 })
end)

scenario("a quote carries what it quotes, one level deep", { tags = { "quotes" } }, function(t)
    local _, ada, ben = moderated(t)
    ada:say "First"
    local first = ben:expect("message").id
    ben:quote(first, "Second")
    local second = ada:expect("message", { quote = { id = first, text = "First", from = "Ada" } })
    ada:quote(second.id, "Third")
    local third = ben:expect("message", { text = "Third", quote = { id = second.id, text = "Second" } })
    expect(json.encode(third.quote), match.is_not(match.contains "First"))
end)

scenario("a quote of somebody blocked is marked", { tags = { "quotes", "blocks" } }, function(t)
    local host, ada, ben = moderated(t)
    host:say "Official"
    local official = ada:expect("message")
    ben:expect "message"
    ben:block(official.sender_id)
    ben:expect "profile_blocked"
    ada:quote(official.id, "Look")
    ben:expect("message", { text = "Look", quote = { blocked = true } })
end)

scenario("a reaction is given, changed and taken back", { tags = { "reactions" } }, function(t)
    local _, ada, ben = moderated(t, { reactions = { "like", "love" } })
    ada:say "We won!"
    local id = ben:expect("message").id
    t:allow "message_updated"
    ben:react(id, "like")
    ada:expect("message_updated", { id = id, reactions = { { id = "like", by = ben.profile_id } } })
    ben:expect("message_updated", { id = id, reaction = "like", added = true })
    ben:react(id, "love")
    ada:expect(seq {
        event("message_updated", { reaction = "like", added = false }),
        event("message_updated", { reaction = "love", added = true }),
    })
    ben:expect("message_updated", { reaction = "love" })
    ben:unreact(id)
    ada:expect("message_updated", { reaction = "love", added = false, reactions = match.absent })
    ben:expect("message_updated", { reaction = "love", added = false })
    ben:unreact(id)
    ben:expect("error", { code = "foundNoAction" })
end)

scenario("who comes later sees the reactions in the history", { tags = { "reactions", "history" } }, function(t)
    local _, ada, ben = moderated(t)
    ada:say "We won!"
    local id = ben:expect("message").id
    ben:react(id, "heart")
    ada:expect "message_updated"
    t:allow "message_updated"
    local eve = t:actor(livelike, { name = "Eve", carriage = "pubnub" })
    eve:connect "lobby"
    eve:expect "connected"
    expect(eve:messages(), { { id = id, reactions = { { id = "heart", by = ben.profile_id } } } })
end)

scenario("pins belong to producers and to the creator of a room", { tags = { "pins" } }, function(t)
    local host, ada, ben = moderated(t)
    ada:say "Pin me"
    local id = ben:expect("message").id
    ben:pin(id)
    ben:expect("error", { code = "forbidden", status = 403 })
    host:pin(id)
    ben:expect("message_pinned", { pin = { message_id = id, message_payload = { message = "Pin me" } } })
    ada:expect "message_pinned"
    host:pin(host:say "Pin me too")
    for _, member in ipairs { ada, ben } do
        member:expect(all { event("message", { text = "Pin me too" }), event "message_pinned" })
    end
    for ordering, first in pairs { pinned_at = "Pin me", ["-pinned_at"] = "Pin me too" } do
        ben:pinned_messages(ordering)
        local pins = ben:expect("completed", { callback = "getPinMessageInfoList" }).value
        expect(pins[1].message_payload.message, first)
    end
end)

scenario("the creator of a room pins, once per message", { tags = { "pins" } }, function(t)
    local _, ada = moderated(t)
    ada:create_room { title = "Mine" }
    local room = ada:expect("completed", { callback = "createChatRoom" }).value.id
    ada:connect(room)
    ada:expect("connected", { room = room })
    ada:say("Rules", room)
    local id = ada:expect("message_sent", { room = room }).id
    ada:pin(id, room)
    local pin = ada:expect("message_pinned", { room = room, pin = { message_id = id } }).pin.id
    ada:pin(id, room)
    ada:expect("error", { status = 409, message = match.contains "already Pinned" })
    ada:unpin(pin, room)
    ada:expect("message_unpinned", { pin_id = pin })
    ada:unpin(pin, room)
    ada:expect("error", { code = "notFound404", status = 404 })
end)

scenario("who quotes an image or a custom message quotes what it shows", { tags = { "quotes" } }, function(t)
    local host, ada, ben = moderated(t)
    host:send_image("https://example.com/goal.gif", 40, 30)
    local image = ada:expect("message", { type = "image" }).id
    host:send_custom "{}"
    local custom = ada:expect("message", { type = "custom" }).id
    ada:quote(image, "What a goal!")
    ben:expect("message", { text = "What a goal!",
        quote = { id = image, image_url = "https://example.com/goal.gif", width = 40, height = 30 } })
    ada:quote(custom, "What is it?")
    ben:expect("message", { text = "What is it?", quote = { id = custom, custom_data = "{}" } })
    t:allow "message"
end)

scenario("a message is quoted with an image, by its URL and by its bytes", { tags = { "quotes" } }, function(t)
    local service = t:server(livelike)
    for _, carriage in ipairs { "rest", "pubnub" } do
        local ada, ben = t:actor(livelike, { nickname = "Ada", carriage = carriage }), t:actor(livelike)
        for _, member in ipairs { ada, ben } do
            member:connect "lobby"
            member:expect "connected"
        end
        ben:say "Did you see that?"
        local id = ada:expect("message").id
        ada:send_image("https://example.com/goal.gif", nil, 40, 30, nil, id)
        local quote = { id = id, text = "Did you see that?" }
        local image = ben:expect("message", { type = "image", image_url = "https://example.com/goal.gif", quote = quote })
        ada:send_image(nil, "R0lGODdhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=", nil, nil, nil, image.id)
        local second = ben:expect("message", { type = "image", quote = { id = image.id, width = 40, height = 30 } })
        expect(json.encode(second.quote), match.is_not(match.contains "Did you"))
        for _, member in ipairs { ada, ben } do member:disconnect "lobby" end
    end
    local eve = t:actor(livelike)
    eve:connect "lobby"
    eve:expect "connected"
    local count = service.messages
    local done, why = pcall(eve.send_image, eve, "https://example.com/goal.gif", nil, nil, nil, nil, "no such message")
    expect({ done, tostring(why) }, { false, match.contains 'no message "no such message" is loaded' })
    expect(service.messages, count)
end)

scenario("what an application says beside a message reaches everybody as it is", { tags = { "metadata" } }, function(t)
    for _, carriage in ipairs { "rest", "pubnub" } do
        local service = t:server(livelike)
        local ada = t:actor(livelike, { server = service, carriage = carriage })
        local ben = t:actor(livelike, { server = service })
        for _, member in ipairs { ada, ben } do
            member:connect "lobby"
            member:expect "connected"
        end
        local role = { role = "vip", seats = { 1, 2 }, ["a b"] = { c = true } }
        ada:say("Hi", nil, nil, role)
        local id = ben:expect("message", { text = "Hi", metadata = role }).id
        ada:quote(id, "Hi again", nil, { n = 1 })
        ben:expect("message", { text = "Hi again", metadata = { n = 1 }, quote = { text = "Hi" } })
        ada:reply(id, "And again", nil, { n = 2 })
        ben:expect("message", { text = "And again", metadata = { n = 2 }, parent_id = id })
        ada:send_image("https://example.com/goal.gif", nil, nil, nil, nil, nil, { n = 3 })
        ben:expect("message", { type = "image", metadata = { n = 3 } })
        ada:say("Plain", nil, nil, {})
        ben:expect("message", { text = "Plain", metadata = match.absent })
        expect(ada:message(id), { metadata = role, mine = true })
        expect(ada:messages()[4], { type = "image", metadata = { n = 3 } })
        local eve = t:actor(livelike, { server = service })
        eve:connect "lobby"
        eve:expect "connected"
        expect(eve:message(id), { text = "Hi", metadata = role })
        service:moderator("Host"):delete_message(id)
        for _, member in ipairs { ada, ben, eve } do
            member:expect("message_deleted", { id = id })
            expect(member:message(id), { deleted = true, metadata = match.absent })
        end
    end
end)
