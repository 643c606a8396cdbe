-- A bot that does not offer what the scenario presses has failed; the script is not wrong.
local oracle = require "oracle"

local function connected(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    return user, desk
end

scenario("a button that is not there", function(t)
    local user, desk = connected(t)
    desk:say { text = "What shall it be?", actions = { "Order", "Cancel" } }
    user:expect("message", { text = "What shall it be?" })
    user:tap "Buy"
end)

scenario("a form that never came", function(t)
    local user = connected(t)
    user:submit_form { name = "Ada" }
end)

scenario("a button that one of two bots would have can be asked for", function(t)
    local user = connected(t)
    local ok, problem = pcall(function() user:tap "Buy" end)
    expect(ok, false)
    print(tostring(problem))
end)
