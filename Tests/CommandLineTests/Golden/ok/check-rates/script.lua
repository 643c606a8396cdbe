-- Of a bot that answers differently each time, each soft check has a rate of its own.
local http = require "http"

scenario("a bot that is mostly polite and short", { passes = { at_least = 0.8 } }, function(t)
    t:server(http, {
        handler = function()
            local answer = random.number() < 0.9 and "It ships on Monday, dear Ada." or "Monday."
            return { json = { { text = answer } } }
        end,
    })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "When does my order ship?" }
    local answer = visitor:expect("message", { text = match.contains "Monday" })
    check(answer.text, match.contains "Ada")
    check(#answer.text < 40, true, "longer than a line")
end)
