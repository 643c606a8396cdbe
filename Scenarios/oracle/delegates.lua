-- Functions of the application that see each message before it is sent or shown, and may change or drop it.
local beginnings = require "beginnings"
local connected, messages = beginnings.connected, beginnings.messages

-- A user whose application has these functions; the skill says what it hears.
local function user_with(t, functions, skill)
    return connected(t, functions, skill and { skill = skill } or { echo = true })
end

scenario("messages pass through the functions of the application", { tags = { "delegate", "smoke" } }, function(t)
    local user, desk = user_with(t, {
        before_send = function(message)
            message.messagePayload.text = message.messagePayload.text:upper()
            return message
        end,
        before_display = function(message)
            message.messagePayload.text = message.messagePayload.text .. "!"
            return message
        end,
    })
    user:say "hello"
    user:expect("message_sent", { text = "HELLO" })
    user:expect("message", { text = "HELLO!" })
    expect(desk:received()[1].messagePayload.text, "HELLO")
end)

scenario("what a function returns nothing for is not sent", { tags = { "delegate" } }, function(t)
    local user, desk = user_with(t, {
        before_send = function(message)
            if message.messagePayload.text == "secret" then return nil end
            return message
        end,
    })
    user:say "secret"
    user:say "hello"
    user:expect("message", { text = "hello" })
    expect(messages(desk), { { text = "hello" } })
    expect(#user:screen().messages, 2, "what was dropped is not shown either")
end)

scenario("what a function returns nothing for is not shown, and the turn ends all the same", {
    tags = { "delegate" },
}, function(t)
    local user = user_with(t, {
        before_display = function(message)
            if message.messagePayload.text == "spoiler" then return nil end
            return message
        end,
    })
    user:say "spoiler"
    user:expect("typing", { active = true })
    user:expect("typing", { active = false })
    user:expect_silence("200ms", "message")
end)

scenario("the function for buttons sees the action and may change what goes back", {
    tags = { "delegate", "buttons" },
}, function(t)
    local seen = {}
    local user, desk = user_with(t, {
        before_send_postback = function(action)
            seen[#seen + 1] = action
            if action.label == "No" then return nil end
            action.postback.source = "app"
            return action
        end,
        before_send = function() error "buttons do not come here" end,
    }, function(message)
        if message.type == "postback" then return "Got " .. json.encode(message.postback) end
    end)
    desk:say { text = "Sure?", actions = {
        { type = "postback", label = "No", postback = { answer = "no" } },
        { type = "postback", label = "Yes", postback = { answer = "yes" } },
    } }
    user:expect("message", { text = "Sure?" })
    user:tap "No"
    user:expect_silence("100ms", "message_sent")
    user:tap "Yes"
    user:expect("message_sent", { postback = { answer = "yes", source = "app" } })
    user:expect("message", { text = match.all_of { match.contains "yes", match.contains "app" } })
    expect(seen, { { label = "No", type = "postback" }, { label = "Yes" } })
end)

scenario("a changed message that the client's rules forbid is not used", { tags = { "delegate" } }, function(t)
    local user, desk = user_with(t, {
        before_send = function() return { messagePayload = { type = "text", text = "" } } end,
        before_display = function() return { messagePayload = { type = "card", layout = "vertical", cards = {} } } end,
    })
    user:say "hello"
    user:expect("message", { type = "text", text = "hello" })
    expect(desk:received()[1].messagePayload.text, "hello")
end)

scenario("first messages and the end of a conversation pass by the functions", {
    tags = { "delegate" },
}, function(t)
    local seen = 0
    local user, desk = user_with(t, {
        init_user_hidden_message = "hi",
        before_send = function(message)
            seen = seen + 1
            return message
        end,
    })
    user:expect("message", { text = "hi" })
    user:end_chat()
    user:expect("ended", { reason = "user" })
    expect(seen, 0)
    expect(messages(desk)[2], { type = "closeSession" })
end)

scenario("a function may wait for something before a message is shown, and the order stays", {
    tags = { "delegate" },
}, function(t)
    local user, desk = user_with(t, {
        before_display = function(message)
            if message.messagePayload.text == "first" then wait "500ms" end
            return message
        end,
    })
    desk:say { "first", "second" }
    user:expect_silence("400ms", "message")
    user:expect("message", { text = "first" })
    user:expect("message", { text = "second" })
end)

scenario("the application can keep the conversation going", { tags = { "delegate", "endings" } }, function(t)
    local asked = 0
    local user, desk = user_with(t, {
        before_end_conversation = function()
            asked = asked + 1
            return asked > 1
        end,
    })
    user:end_chat()
    user:expect "before_end"
    user:expect_silence("500ms", "ended")
    user:say "Still here"
    user:expect("message", { text = "Still here" })
    user:end_chat()
    user:expect("ended", { reason = "user" })
    expect(asked, 2)
    expect(messages(desk), { { text = "Still here" }, { type = "closeSession" } })
end)

scenario("the application can say more in the message that ends the conversation", {
    tags = { "delegate", "endings" },
}, function(t)
    local user, desk = user_with(t, {
        before_end_conversation = function(message)
            message.messagePayload.reason = "done"
            return message
        end,
    })
    user:end_chat()
    user:expect("ended", { reason = "user" })
    expect(messages(desk), { { type = "closeSession", reason = "done" } })
end)

scenario("a link can be turned into one that opens within the chat", { tags = { "delegate", "links" } }, function(t)
    local user, desk = user_with(t, {
        before_display = function(message)
            for _, action in ipairs(message.messagePayload.actions or {}) do action.type = "webview" end
            return message
        end,
    })
    desk:say { text = "Look", actions = { { type = "url", label = "Menu", url = "https://p.example/menu" } } }
    user:expect("message", { text = "Look" })
    user:tap "Menu"
    user:expect("link_opened", { url = "https://p.example/menu", handler = "webview" })
end)

scenario("what comes while the application looks at a message is shown after it, all of it", {
    tags = { "delegate" }, faults = { delay = "a late piece comes after the end of its text" },
}, function(t)
    local user, desk = user_with(t, {
        before_display = function(message)
            if message.messagePayload.text == "first" then wait "500ms" end
            return message
        end,
    })
    desk:say "first"
    desk:say { stream = { "one ", "two ", "three" }, interval = "10ms" }
    user:expect_silence("400ms", "message_updated")
    user:expect("message", { text = "first" })
    user:expect("message_updated", { text = "one " })
    user:expect("message_updated", { text = "one two " })
    user:expect("message", { text = "one two three" })
    t:allow "message_updated"
end)

scenario("messages leave in the order in which they were said, though the application is slow with the first", {
    tags = { "delegate" },
}, function(t)
    local user, desk = user_with(t, {
        before_send = function(message)
            if message.messagePayload.text == "first" then wait "500ms" end
            return message
        end,
    })
    user:say "first"
    user:say "second"
    user:expect_silence("400ms", "message_sent")
    user:expect("message", { text = "first" })
    user:expect("message", { text = "second" })
    expect(messages(desk), { { text = "first" }, { text = "second" } })
end)

scenario("what waits for the application when the server ends the session is neither sent nor shown", {
    tags = { "delegate", "endings" }, faults = { delay = "the application has time for more before a late end" },
}, function(t)
    local user, desk = user_with(t, {
        before_send = function(message)
            wait "1s"
            return message
        end,
        before_display = function(message)
            if message.messagePayload.text == "slow" then wait "1s" end
            return message
        end,
    })
    user:say "first"
    user:say "second"
    desk:say { "slow", "late" }
    wait "500ms"
    desk:end_session()
    -- The end waits behind the messages before it, as they do for the application.
    user:expect("message", { text = "slow" })
    user:expect("message", { text = "late" })
    user:expect("ended", { reason = "server" })
    user:connect()
    user:expect "connected"
    user:expect_silence("3s", "message_sent")
    user:say "third"
    user:expect("message", { text = "third" })
    for _, message in ipairs(messages(desk)) do expect(message.text ~= "second") end
    t:allow { "message_sent", "message" }
end)
