-- A failure in a module shows the line of the scenario first, then what it called.
local chat = require "chat"

local function asked(t)
    local visitor = chat.visitor(t)
    visitor:ask "Where is it?"
    return visitor
end

scenario("an expectation in a module", function(t)
    local visitor = chat.visitor(t)
    visitor:ask "Where is it?"
    visitor:answer "on its way"
end)

scenario("an expectation in a module, called by a helper", function(t)
    asked(t):answer "on its way"
end)

scenario("an error in a module", function(t)
    chat.broken()
end)
