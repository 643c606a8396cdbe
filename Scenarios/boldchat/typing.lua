-- Who is typing, both ways.
local in_chat = require("beginnings").in_chat

scenario("the visitor sees the agent type and stop", { tags = { "typing" } }, function(t)
    local visitor, sam = in_chat(t)
    sam:typing(true)
    visitor:expect("typing", { active = true, person = { name = "Sam", type = "operator" } })
    sam:typing(false)
    visitor:expect("typing", { active = false })

    visitor:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
end)

scenario("the agent sees the visitor type, and the message ends it", { tags = { "typing" } }, function(t)
    local visitor, sam = in_chat(t)
    visitor:typing(true)
    sam:expect("typing", { active = true })
    visitor:say "Hello?"
    sam:expect("message", { text = "Hello?" })
    visitor:expect("message_sent", { text = "Hello?" })

    visitor:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
end)
