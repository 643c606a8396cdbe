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

scenario("what means nothing is refused, and nothing is sent", { tags = { "mistakes" } }, function(t)
    local function refused(words, act, ...)
        local done, why = pcall(act, ...)
        expect({ done, tostring(why) }, { false, match.contains(words) })
    end
    local service = t:server(livelike)
    local ada = t:actor(livelike)
    ada:connect "lobby"
    ada:expect "connected"
    refused('takes an ISO 8601 time', ada.say, ada, "GOAL!", nil, "yesterday")
    refused('takes an ISO 8601 time', ada.send_custom, ada, "{}", nil, "yesterday")
    refused("from 0 to 100000 points", ada.send_image, ada, "https://a.example/b.png", nil, -1, 20)
    refused("from 0 to 100000 points", ada.send_image, ada, "https://a.example/b.png", nil, 20, 1e308)
    refused("from 0 on, not -1", ada.create_room, ada, { chat_message_throttle_seconds = -1 })
    refused('has "mesages" in its path', service.fail_next, service, "/mesages")
    refused("needs a part of the path", service.fail_next, service, "")
    refused("from 1 on, not 0", service.fail_next, service, "/profile", 500, "No", 0)
    refused("from 1 on, not -1", service.fail_next, service, "/profile", 500, "No", -1)
    refused("from 0 to 100000, not -1", service:moderator("Host").send_image, service:moderator "Host", "https://a.example/b.png", -1)
    for name, case in pairs {
        hold = { 1e-9, "at least 1ms" }, heartbeat = { -1, "from 1 to 3600, not -1" },
    } do
        refused(case[2], t.server, t, livelike, { [name] = case[1] })
    end
    local rooms = { { id = "lobby", chat_message_throttle_seconds = -1 } }
    refused("from 0 on, not -1", t.server, t, livelike, { rooms = rooms })
    refused("at least 1ms, not 0s", t.actor, t, livelike, { retry_interval = 0 })
    expect(service.messages, 0)
end)
