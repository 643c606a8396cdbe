-- Members meet in a room: connecting, talking, images, reactions, threads.
local livelike = require "livelike"
local members = require("beginnings").members

scenario("a message reaches everybody, its sender included, once", { tags = { "smoke" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    local own = ada:say "hi"
    ada:expect("message", { mine = true, text = "hi", client_message_id = own })
    ada:expect("message_sent", { text = "hi", client_message_id = own })
    ben:expect("message", { mine = false, text = "hi", from = "Ada" })
    ada:expect_silence("500ms", "message")
    expect(ada:messages(), match.count(1))
end)

scenario("it does not matter whether the answer or the echo comes first", { tags = { "order" } }, function(t)
    local _, ada = members(t, { "Ada" }, { echo_order = "echo_first" })
    ada:say "hi"
    ada:expect("message", { mine = true, text = "hi" })
    ada:expect "message_sent"
    ada:expect_silence("500ms", "message")
    expect(ada:messages(), match.count(1))
end)

scenario("who comes later reads what was said before", { tags = { "history" } }, function(t)
    local _, ada = members(t, { "Ada" })
    ada:say "first"
    ada:expect "message_sent"
    local ben = t:actor(livelike, { name = "Ben", nickname = "Ben" })
    ben:connect "lobby"
    ben:expect("connected", { messages = 1 })
    expect(ben:messages(), { { text = "first", from = "Ada" } })
end)

scenario("an image is uploaded before its message", { tags = { "images" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    ada:send_image(nil, "R0lGODdhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=", 40, 30)
    ada:expect("message", { mine = true, type = "image" })
    local url = ada:expect("attachment_uploaded").url
    ben:expect("message", { type = "image", from = "Ada", image_url = url, width = 40, height = 30 })
end)

scenario("an application sends what it likes", { tags = { "custom" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    ada:send_custom(json.encode { poll = "Who wins?" })
    local data = ben:expect("message", { type = "custom" }).custom_data
    expect(json.decode(data), { poll = "Who wins?" })
end)

scenario("a reaction replaces the one before", { tags = { "reactions" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" }, { reactions = { "like", "love" } })
    ada:say "We won!"
    local id = ben:expect("message", { text = "We won!" }).id
    ben:react(id, "like")
    ada:expect("message_updated", { id = id, reaction = "like", added = true })
    ben:react(id, "love")
    ada:expect("message_updated", { id = id, reaction = "love", added = true })
    ben:expect("message_updated", { id = id, reaction = "love", added = true })
    t:allow "message_updated"
    expect(ada:message(id).reactions, { { id = "love" } })
    expect(ben:message(id).reactions, { { id = "love" } })
end)

scenario("reactions in a hurry end with the last one", { tags = { "reactions" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" }, { reactions = { "like", "love", "laugh" } })
    ada:say "We won!"
    local id = ben:expect("message", { text = "We won!" }).id
    ben:react(id, "like")
    ben:react(id, "love")
    ben:react(id, "laugh")
    ada:expect("message_updated", { reaction = "laugh", added = true })
    expect(ada:message(id).reactions, { { id = "laugh" } })
    ben:react(id, "like")
    ben:unreact(id)
    ada:expect("message_updated", { reaction = "like", added = false })
    -- Ben takes his reaction away when the answer is there, which may come later than the others hear of it.
    ben:expect("message_updated", { reaction = "laugh", added = false })
    ben:expect("message_updated", { reaction = "like", added = false })
    ada:expect_silence "500ms"
    expect(ada:message(id).reactions, nil)
    expect(ben:message(id).reactions, nil)
    t:allow "message_updated"
end)

scenario("the id that a client gave a message is good for its whole life", { tags = { "messages" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" }, { reactions = { "like" } })
    local own = ada:say "We won!"
    local sent = ada:expect("message_sent", { client_message_id = own })
    ben:expect("message", { text = "We won!" })
    -- The answer is there, the echo with the publish token may not be.
    ada:react(own, "like")
    ben:expect("message_updated", { id = sent.id, reaction = "like" })
    ada:expect("message_updated", { id = sent.id, reaction = "like" })
    expect(ada:message(own), { id = sent.id, reactions = { { id = "like" } } })
    ada:quote(own, "Indeed")
    ben:expect("message", { text = "Indeed", quote = { id = sent.id } })
    ada:delete_message(own)
    ben:expect("message_deleted", { id = sent.id })
    ada:expect("message_deleted", { id = sent.id })
    expect(ada:message(own).deleted, true)
    t:allow "message_updated"
end)

scenario("an image has sides with a fraction", { tags = { "images" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    ada:send_image("https://example.com/goal.gif", nil, 99.5, 40)
    ben:expect("message", { type = "image", width = 99.5, height = 40 })
end)

scenario("the chat view shows the session that it is given", { tags = { "rooms" } }, function(t)
    local _, ada = members(t, { "Ada" }, { rooms = { { id = "lobby" }, { id = "bar" } } })
    ada:connect "bar"
    ada:expect("connected", { room = "bar" })
    ada:set_chat_session "bar"
    expect(ada.chat_session, "bar")
    ada:say "hi"
    ada:expect("message_sent", { room = "bar" })
    ada:disconnect "bar"
    ada:expect("disconnected", { room = "bar" })
    expect(ada.chat_session, nil)
end)

scenario("an answer names what it answers", { tags = { "threads" } }, function(t)
    local _, ada, ben = members(t, { "Ada", "Ben" })
    ada:say "Who is there?"
    local id = ben:expect("message", { text = "Who is there?" }).id
    ben:quote(id, "Me")
    ada:expect("message", { text = "Me", quote = { id = id, text = "Who is there?", from = "Ada" } })
    ben:reply(id, "Me, in the thread")
    ada:expect("message", { text = "Me, in the thread", parent_id = id })
end)
