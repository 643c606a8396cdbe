-- What the product has not: a scenario learns so at once, instead of waiting for what never comes.
local livelike = require "livelike"

for method, feature in pairs {
    typing = "typing indicators", presence = "presence indicators", read_receipt = "read receipts",
    fill_form = "forms", queue_position = "queues", rate_agent = "surveys", end_chat = "an end of conversations",
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
