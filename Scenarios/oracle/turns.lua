-- The turns of a conversation: buttons, the indicator of an awaited answer, stars, functions of the application.
local oracle = require "oracle"

scenario("once an answer was tapped the buttons above it cannot be used", { tags = { "buttons" } }, function(t)
    t:server(oracle, {
        states = {
            start = { say = { text = "Tea or coffee?", actions = { "Tea", "Coffee" } }, on = { ["*"] = "served" } },
            served = { say = "Here you are." },
        },
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "Something warm"
    user:expect("message", { text = "Tea or coffee?" })
    user:tap "Tea"
    user:expect("message", { text = "Here you are." })
    local tapped, why = pcall(function() user:tap "Coffee" end)
    expect(tapped, false)
    expect(tostring(why), match.contains "Coffee")
end)

scenario("the indicator of an awaited answer goes when the turn ends", { tags = { "typing" } }, function(t)
    t:server(oracle, {
        skill = function()
            return { { text = "Let me look.", end_of_turn = false }, { text = "It is on its way.", delay = "500ms" } }
        end,
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "Where is my order?"
    user:expect("typing", { active = true, person = { type = "bot" } })
    user:expect("message", { text = "Let me look.", end_of_turn = false })
    user:expect("message", { text = "It is on its way.", end_of_turn = true })
    user:expect("typing", { active = false })
end)

scenario("a survey with stars takes one tap", { tags = { "survey" } }, function(t)
    local rated
    local desk = t:server(oracle, {
        skill = function(message)
            rated = message.postback or rated
            return message.postback and "Thank you!" or "Hello."
        end,
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "Hi"
    user:expect("message", { text = "Hello." })
    desk:survey {
        text = "How was it?", channelExtensions = { displayType = "stars" }, actions = { "1", "2", "3", "4", "5" },
    }
    user:expect("post_chat", { text = "How was it?", rating = true, actions = match.count(5) })
    user:rate(4)
    user:expect("message", { text = "Thank you!" })
    expect(rated, { action = "4" })
end)

scenario("a function of the application can keep the conversation going", { tags = { "endings" } }, function(t)
    t:server(oracle, { echo = true })
    local user = t:actor(oracle, { before_end_conversation = function() return false end })
    user:connect()
    user:expect "connected"
    user:end_chat()
    user:expect_silence("1s", "ended")
    user:say "Still here?"
    user:expect("message", { text = "Still here?" })
end)
