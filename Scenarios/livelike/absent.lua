-- What the product has not: a scenario learns so at once, instead of waiting for what never comes.
local livelike = require "livelike"

for method, feature in pairs {
    typing = "typing indicators", presence = "presence indicators", read_receipt = "read receipts",
    fill_form = "forms", queue_position = "queues", rate_agent = "surveys", end_chat = "end of conversations",
    register_push = "push notifications", transcript = "transcripts by mail",
} do
    scenario("LiveLike has no " .. feature, { tags = { "absent" } }, function(t)
        t:server(livelike)
        local ada = t:actor(livelike)
        local done, why = pcall(ada[method], ada)
        expect(done, false)
        expect(tostring(why), match.contains("LiveLike has no " .. feature))
    end)
end

for event, feature in pairs {
    typing = "typing indicators", form = "forms", queue = "queues", agent_joined = "queues", post_chat = "surveys",
    ended = "end of conversations",
} do
    scenario("who waits for " .. event .. " learns that LiveLike has no " .. feature, { tags = { "absent" } }, function(t)
        t:server(livelike)
        local ada = t:actor(livelike, { name = "Ada" })
        local done, why = pcall(ada.expect, ada, event)
        expect(done, false)
        expect(tostring(why), match.contains(("LiveLike has no %s, so Ada never observes %q"):format(feature, event)))
    end)
end
