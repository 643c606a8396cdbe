-- What a client keeps of a conversation, what counts as unread, and the times that messages carry.
local oracle = require "oracle"
local connected = require("beginnings").connected

local function guest(t, options) return connected(t, options, { echo = true }) end

scenario("a client that starts again shows what was said before", { tags = { "history" } }, function(t)
    local user, desk = guest(t, { display_previous_messages = true, user_id = "ada" })
    user:say "first"
    user:expect("message", { text = "first" })
    desk:say { text = "Go on?", actions = { "Yes" } }
    user:expect("message", { text = "Go on?" })
    user:destroy()
    user:expect "destroyed"
    user:initialize()
    user:expect("history", { count = 3, messages = {
        { from = "user", text = "first" }, { from = "bot", text = "first" }, { from = "bot", text = "Go on?" },
    } })
    user:expect "connected"
    expect(user:screen().buttons[1], { label = "Yes", enabled = false })
end)

scenario("without the flag a client starts with nothing", { tags = { "history" } }, function(t)
    local user = guest(t)
    user:say "first"
    user:expect("message", { text = "first" })
    user:destroy()
    user:initialize()
    user:expect "connected"
    expect(#user:events "history", 0)
    expect(#user:screen().messages, 0)
end)

scenario("the history has the messages as they came, with dates, and no hidden ones", {
    tags = { "history" },
}, function(t)
    local user = guest(t, { init_user_hidden_message = "psst", user_id = "ada" })
    user:expect("message", { text = "psst" })
    user:say "loud"
    user:expect("message", { text = "loud" })
    local history = user:history()
    expect(history, { messagesCount = 3, userId = "ada" })
    expect(history.messages[1], { messagePayload = { text = "psst" }, source = "BOT", date = match.type "number" })
    expect(history.messages[2], { messagePayload = { text = "loud" }, userId = "ada" })
end)

scenario("a client keeps only so many messages", { tags = { "history" } }, function(t)
    local user = guest(t, { message_cache_size_limit = 3 })
    for number = 1, 4 do
        user:say("message " .. number)
        user:expect("message", { text = "message " .. number })
    end
    expect(user:history().messagesCount, 3)
    expect(user:screen().messages[1], { from = "bot", text = "message 3" })
end)

scenario("the history can be forgotten with the view or behind it", { tags = { "history" } }, function(t)
    local user = guest(t, { display_previous_messages = true })
    user:say "first"
    user:expect("message", { text = "first" })
    user:clear_history(true)
    expect(#user:screen().messages, 0)
    user:destroy()
    user:initialize()
    user:expect "connected"
    expect(#user:events "history", 0)
end)

scenario("the button that clears the messages is there if the configuration says so", {
    tags = { "history" },
}, function(t)
    local user = guest(t, { enable_clear_message = true })
    user:say "first"
    user:expect("message", { text = "first" })
    user:clear_messages()
    expect(#user:screen().messages, 0)
end)

scenario("without its flag nothing clears the messages", { tags = { "history" } }, function(t)
    local user = guest(t)
    expect(pcall(user.clear_messages, user), false)
end)

scenario("what comes while the chat is closed is unread until it opens", { tags = { "history", "unread" } }, function(t)
    local user, desk = guest(t)
    user:minimize_chat()
    desk:say { "one", "two" }
    user:expect("unread_changed", { count = 1 })
    user:expect("message", { text = "one" })
    user:expect("unread_changed", { count = 2 })
    user:expect("message", { text = "two" })
    expect(user.unread, 2)
    user:open_chat()
    user:expect("unread_changed", { count = 0 })
    user:minimize_chat()
    desk:say "three"
    user:expect("unread_changed", { count = 1 })
    user:expect("message", { text = "three" })
    user:mark_all_read()
    expect(user:history().unreadCount, 0)
end)

scenario("a text that comes in pieces is one unread message", {
    tags = { "history", "unread", "stream" },
    faults = { delay = "a late piece comes after its text was taken as it was" },
}, function(t)
    local user, desk = guest(t)
    user:minimize_chat()
    desk:say { stream = { "Once ", "upon ", "a time" }, interval = "10ms" }
    user:expect("message_updated", { text = "Once " })
    expect(user.unread, 1)
    user:expect("unread_changed", { count = 1 })
    user:expect("message", { text = "Once upon a time" })
    expect(user.unread, 1)
    t:allow "message_updated"
end)

scenario("first messages wait until the chat opens", { tags = { "first messages" } }, function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle, {
        open_chat_on_load = false, init_user_hidden_message = "hi", init_user_profile = { profile = { email = "a@b" } },
        device_token = "device", device_type = "android",
    })
    user:connect()
    user:expect "connected"
    user:expect_silence("200ms", "message")
    user:open_chat()
    user:expect("message", { text = "hi" })
    user:say "Is that all?"
    user:expect("message", { text = "Is that all?" })
    local frames = desk:received()
    expect(frames[1], { profile = { email = "a@b" } })
    expect(frames[2], { messagePayload = { text = "hi" } })
    expect(frames[3], { state = { type = "token", deviceToken = "device", deviceType = "android" } })
end)

scenario("opening the chat after its end begins another conversation", { tags = { "first messages" } }, function(t)
    local user = guest(t, { init_user_hidden_message = "hi" })
    user:expect("message", { text = "hi" })
    expect(user.expanded, true)
    user:end_chat()
    user:expect("ended", { reason = "user" })
    expect(user.expanded, false, "the end collapses the chat")
    user:open_chat()
    expect(user.expanded, true)
    user:expect "connected"
    user:expect("message", { text = "hi" })
end)

scenario("a client without a view leaves the first messages to the script", { tags = { "first messages" } }, function(t)
    local user, desk = guest(t, { enable_headless = true, init_user_hidden_message = "hi" })
    user:expect_silence("200ms", "message")
    expect(#desk:received(), 0)
    user:minimize_chat()
    desk:say "one"
    user:expect("message", { text = "one" })
    expect(user.unread, 0)
end)

-- The words for an age at every interval, in seconds.
local ages = {
    { 10, "A few seconds ago" }, { 60, "1min ago" }, { 120, "2min ago" }, { 3540, "59min ago" }, { 3600, "1hr ago" },
    { 86400, "1d ago" }, { 2592000, "1mth ago" }, { 31536000, "1yr ago" }, { 63072000, "2yr ago" },
}

scenario("the latest message tells its age for two years", {
    tags = { "timestamps" }, clock = "virtual", timeout = "20000h",
    faults = { clock_jump = "ages are told by the client's clock" },
}, function(t)
    local user, desk = guest(t)
    desk:say "Hello"
    local hello = user:expect("message", { text = "Hello", timestamp = "Now", timestamp_header = match.any })
    user:disconnect()
    local before = 0
    for _, row in ipairs(ages) do
        wait(row[1] - before)
        before = row[1]
        user:expect("timestamp_changed", { text = row[2], age = row[1] })
    end
    expect(hello.timestamp_header, match.pattern "^%a%a%a %a%a%a %d+, %d%d:%d%d %a%a$")
end)

scenario("every message can carry its time in a form of one's own", {
    tags = { "timestamps" },
}, function(t)
    local user, desk = guest(t, { timestamp_mode = "default", timestamp_format = "yyyy-MM-dd HH:mm" })
    desk:say "Hello"
    user:expect("message", { timestamp = match.pattern "^%d%d%d%d%-%d%d%-%d%d %d%d:%d%d$" })
    user:expect_silence("2m", "timestamp_changed")
end)

scenario("times can be left out", { tags = { "timestamps" } }, function(t)
    local user, desk = guest(t, { enable_timestamp = false })
    desk:say "Hello"
    user:expect("message", { text = "Hello", timestamp = match.absent })
    user:expect_silence("2m", "timestamp_changed")
end)
