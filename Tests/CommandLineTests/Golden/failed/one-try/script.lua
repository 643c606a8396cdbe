-- A bot that does not always know the answer, as a language model: how often it does is decided by several tries.
local http = require "http"

local function ask(t, knows)
    t:server(http, {
        handler = function(request)
            wait(0.2)
            local answer = random.number() < knows and "It ships on Monday." or "I do not know."
            return { json = { { text = answer } } }
        end,
    })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "When does my order ship?" }
    visitor:expect("message", { text = match.contains "Monday" })
end

scenario("a bot that knows too seldom", { passes = { at_least = 0.9 } }, function(t) ask(t, 0.6) end)
