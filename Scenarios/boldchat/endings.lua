-- How a chat ends, and what is asked afterwards.
local in_chat = require("beginnings").in_chat

scenario("the visitor ends the chat and rates it", { tags = { "smoke", "survey" } }, function(t)
    local visitor = in_chat(t)
    visitor:finish()
    local survey = visitor:expect("post_chat", { reason = "visitor" }).form
    survey:fill { overall = 5, comments = "Quick and kind." }:submit()
    visitor:expect("ended", { reason = "visitor" })
end)

scenario("the agent ends the chat", { tags = { "survey" } }, function(t)
    local visitor, sam = in_chat(t)
    sam:finish()
    visitor:expect("post_chat", { reason = "operator" }).form:submit()
    visitor:expect("ended", { reason = "operator" })
end)

scenario("without a survey the session ends with the chat", { tags = { "survey" } }, function(t)
    local visitor = in_chat(t, nil, { post_chat = false })
    visitor:never "post_chat"
    visitor:finish()
    visitor:expect("ended", { reason = "visitor" })
end)

scenario("the transcript goes to the address that the visitor asks for", { tags = { "transcript" } }, function(t)
    local visitor, sam, desk = in_chat(t)
    sam:say "Your ticket is 1815."
    visitor:expect("message", { text = "Your ticket is 1815." })
    visitor:email_history "ada@example.com"
    visitor:expect "transcript_requested"
    visitor:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
    expect(desk:mails(), match.has { to = "ada@example.com" })
end)

scenario("what is said after the end is told to be lost", { tags = { "errors" } }, function(t)
    local visitor, sam = in_chat(t)
    sam:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
    visitor:say "One more thing"
    visitor:expect("error", { code = -203, operation = "say" })
end)

scenario("a transcript to something that is no address is refused", { tags = { "transcript" } }, function(t)
    local visitor = in_chat(t)
    visitor:email_history "ada at home"
    visitor:expect("error", { code = -205 })
    visitor:finish()
    visitor:expect("post_chat").form:submit()
    visitor:expect "ended"
end)
