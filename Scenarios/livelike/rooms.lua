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
    t:allow "message_updated"
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
