-- A failure shows the line, what was expected, what came closest and what arrived when.
local boldchat = require "boldchat"

scenario("the wrong words", function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    wait "3s"
    sam:typing(true)
    wait "1s"
    sam:say "It left this evening."
    visitor:expect(
        "message", { from = "operator", text = match.contains "this morning", person = { name = "Tom" } },
        { within = "2s" })
end)
