-- Reading back: pages, counts, and what goes wrong.
local livelike = require "livelike"

-- A room with thirty messages, and a member who has read the latest ten.
local function thirty(t, options)
    local service = t:server(livelike)
    local host = service:moderator "Host"
    for number = 1, 30 do host:say("message " .. number) end
    local ada = t:actor(livelike, { name = "Ada", page_size = 10 })
    ada:connect "lobby"
    ada:expect("connected", { messages = 10 })
    return ada, service
end

scenario("older messages come page by page until there are none", { tags = { "history" } }, function(t)
    local ada = thirty(t)
    for page = 1, 2 do
        ada:load_next_history()
        ada:expect("history", { initial = false, count = 10 })
    end
    expect(ada:messages(), match.count(30))
    expect(ada:messages()[1].text, "message 1")
    ada:load_next_history()
    ada:expect("history", { count = 0, ["end"] = true })
end)

scenario("a second page is not loaded while the first is on its way", { tags = { "history" } }, function(t)
    local ada = thirty(t)
    ada:load_next_history()
    ada:load_next_history()
    ada:expect("error", { code = "concurrentLoadHistoryCalls" })
    ada:expect("history", { count = 10 })
end)

scenario("a page that fails can be asked for again", {
    tags = { "history" },
    faults = { half_close = "a GET is sent again where its connection ends, and only the first one was to fail" },
}, function(t)
    local ada, service = thirty(t)
    service:fail_next("chatroom-messages", 500)
    ada:load_next_history()
    ada:expect("error", { status = 500 })
    ada:load_next_history()
    ada:expect("history", { count = 10 })
end)

scenario("the service counts", { tags = { "history" } }, function(t)
    local ada = thirty(t)
    ada:message_count()
    ada:expect("completed", { value = { count = 30 } })
end)

for _, row in ipairs { { "rest", 60 }, { "pubnub", 25 } } do
    local carriage, expected = row[1], row[2]
    scenario(("a page of the older SDK has %d messages by %s"):format(expected, carriage), {
        tags = { "history" },
    }, function(t)
        local host = t:server(livelike):moderator "Host"
        for number = 1, 70 do host:say(tostring(number)) end
        local ada = t:actor(livelike, { carriage = carriage, messageHistoryLimit = 60 })
        ada:connect "lobby"
        ada:expect("history", { initial = true, count = expected })
        ada:expect("connected", { messages = expected })
        expect(ada:messages()[1].text, tostring(71 - expected))
    end)
end
