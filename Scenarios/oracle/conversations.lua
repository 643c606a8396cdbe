-- Whole conversations as users see them, held against those that are stored in `transcripts`.
local oracle = require "oracle"

-- What can be read from a user that no event tells.
local function facts(user)
    return {
        status = user.status, polling = user.polling, typing = user.typing, unread = user.unread, language = user.language,
        input = user.input, agent = user.agent, messages = user.messages,
    }
end

local form = {
    type = "editForm", title = "Delivery", formColumns = 1,
    fields = {
        { displayType = "textInput", id = "name", label = "Name", required = true, minLength = 2, maxLength = 10 },
        { displayType = "numberInput", id = "count", label = "Count", minValue = 1, maxValue = 9 },
        { displayType = "datePicker", id = "day", label = "Day" },
        { displayType = "singleSelect", id = "size", label = "Size", layoutStyle = "list",
          options = { { label = "Small", value = "s" }, { label = "Large", value = "l" } } },
        { displayType = "multiSelect", id = "extras", label = "Extras", layoutStyle = "checkboxes",
          options = { { label = "Olives", value = "o" }, { label = "Ham", value = "h" } } },
        { displayType = "toggle", id = "gift", label = "Gift", valueOn = "yes", valueOff = "no", defaultValue = "no" },
    },
    actions = { { type = "submitForm", label = "Send", postback = { action = "send" } } },
}

local cards = {
    type = "card", layout = "vertical", headerText = "Pizzas",
    cards = {
        { title = "Margherita", description = "Tomato", imageUrl = "https://p.example/m.png", actions = { "Order" } },
        { title = "Funghi", actions = { "Order" } },
    },
    globalActions = { "Help" },
}

local function skill(message)
    if message.type == "formSubmission" then return "Sent to " .. message.submittedFields.name .. "." end
    if message.type == "attachment" then return "Got " .. message.attachment.type .. "." end
    if message.type == "location" then return "Found you." end
    if message.type == "postback" then return "You chose " .. tostring(message.text) .. "." end
    if message.text == "menu" then return cards end
    if message.text == "form" then return form end
    if message.text == "agent" then
        return { messages = "One moment.", agent = { subject = "Help", actions = { { label = "Done", action = "done" } } } }
    end
    return { { text = "You said", end_of_turn = false }, { text = tostring(message.text), delay = "200ms" } }
end

for _, polling in ipairs { false, true } do
    local kind = polling and "HTTP requests" or "a WebSocket"

    scenario("a user talks, taps, fills in and sends over " .. kind .. ", and sees what is stored", {
        tags = { "conversations" }, faults = { delay = "what is sent late has not come yet when the skill is asked" },
    }, function(t)
        local desk = t:server(oracle, { skill = skill, suggestions = { "pizza", "pizzeria", "pasta" } })
        if polling then desk:fault("refuse_socket", 503) end
        local user = t:actor(oracle, {
            name = "user", user_id = "ada", enable_autocomplete = true, enable_long_polling = polling, enable_timestamp = true,
            init_user_profile = { profile = { givenName = "Ada" } }, sdk_metadata = { shop = "north" }, thread_id = "order",
            enable_clear_message = true, enable_local_conversation_history = true,
        })
        user:connect()
        user:expect("connected", {}, { within = "20s" })
        expect(facts(user), { polling = polling, messages = 0, input = "" })
        user:say "Hello"
        user:expect("message", { text = "Hello", end_of_turn = true })
        user:say "menu"
        user:expect("message", { type = "card" })
        user:tap("Order", { card = "Funghi" })
        user:expect("message", { text = "You chose Order." })
        user:say "form"
        local shown = user:expect("form").form
        shown:fill { name = "A", count = 12 }:submit()
        user:expect("form_invalid", { keys = match.all_of { match.has "name", match.has "count" } })
        shown:fill { name = "Ada", count = 3, size = "l", extras = { "o", "h" }, gift = "yes" }:submit()
        user:expect("message", { text = "Sent to Ada." })
        user:send_location(52.5, 13.4, "Berlin")
        user:expect("message", { text = "Found you." })
        user:upload { name = "a.txt", text = "content" }
        user:expect("message", { text = "Got file." })
        if not polling then
            user:suggest "pizz"
            user:expect("suggestions", { texts = { "pizza", "pizzeria" } })
        end
        user:minimize_chat()
        desk:say "Are you there?"
        user:expect("message", { text = "Are you there?" })
        expect(user.unread, 1)
        user:open_chat()
        expect(user.unread, 0)
        user:enter_text "un"
        expect(facts(user), { typing = false, input = "un", polling = polling })
        local said = {}
        for _, frame in ipairs(desk:received(user)) do
            if frame.messagePayload then
                said[#said + 1] = frame.messagePayload.type
            end
        end
        local expected = { "text", "text", "postback", "text", "formSubmission", "location", "attachment" }
        -- Completions are asked for over a WebSocket only.
        if not polling then expected[#expected + 1] = "suggest" end
        expect(said, match.equals(expected))
        expect(desk:received(user), match.has { messagePayload = { text = "Hello" }, sdkMetadata = { shop = "north" } })
        expect(desk:profile(user).givenName, "Ada")
        user:clear_messages()
        expect(user.messages, 0)
        user:disconnect()
        user:expect "disconnected"
        t:allow { "message", "unread_changed", "typing", "link_changed" }
        user:expect_transcript("talk over " .. kind)
    end)
end

scenario("agents take over, type, hand back and end, and the user sees what is stored", {
    tags = { "conversations" }, faults = { delay = "who types is told late, after what was said meanwhile" },
}, function(t)
    local desk = t:server(oracle, { skill = skill, agents = { "Bob", "Eve" } })
    local bob, eve = desk:agent "Bob", desk:agent "Eve"
    local user = t:actor(oracle, {
        name = "user", enable_send_typing_status = true, enable_agent_sneak_preview = true, typing_status_interval = "3s",
    })
    user:connect()
    user:expect "connected"
    user:say "agent"
    user:expect("message", { text = "One moment." })
    bob:expect("chat_waiting", { subject = "Help" })
    eve:expect("chat_waiting", { subject = "Help" })
    bob:delay("Two more.", 2)
    user:expect("queue", { position = 2, text = "Two more." })
    bob:accept(user, "Bob here")
    user:expect("agent_joined", { agent = { name = "Bob" } })
    user:expect("message", { text = "Bob here", from = "agent" })
    expect(user:get_agent_details(), { name = "Bob" })
    user:enter_text "My"
    bob:expect("typing", { active = true, text = "My" })
    user:say "My order"
    bob:expect("message", { text = "My order" })
    bob:expect("typing", { active = false })
    bob:typing(true)
    user:expect("typing", { active = true })
    bob:send { type = "text", text = "Which one?", actions = { "First" } }
    user:expect("message", { text = "Which one?" })
    user:tap "First"
    bob:expect("message", { type = "postback", postback = { action = "First" } })
    bob:leave("Bye.")
    user:expect("agent_left", { name = "Bob" })
    user:expect("message", { text = "Bye." })
    user:say "Hello"
    user:expect("message", { text = "Hello", from = "bot" })
    user:say "agent"
    eve:expect("chat_waiting", { subject = "Help" })
    eve:reject "We are closed."
    user:expect("unavailable", { text = "We are closed." })
    user:say "agent"
    eve:expect("chat_waiting", { subject = "Help" })
    eve:accept(user, "Eve here")
    user:expect("message", { text = "Eve here" })
    eve:finish()
    user:expect("ended", { reason = "server" })
    t:allow { "message", "typing" }
    user:expect_transcript "agents"
end)

scenario("a network that fails in every way is told as it is stored", { tags = { "conversations" } }, function(t)
    local desk = t:server(oracle, { skill = skill })
    local user = t:actor(oracle, { name = "user", reconnect_max_attempts = 2, reconnect_interval = "300ms" })
    user:connect()
    user:expect "connected"
    desk:drop(user)
    user:expect "reconnecting"
    user:expect "reconnected"
    user:say "one"
    user:expect("message", { text = "one", end_of_turn = true })
    desk:close(1001, "restart", user)
    user:expect "reconnecting"
    user:expect "reconnected"
    user:say "two"
    user:expect("message", { text = "two", end_of_turn = true })
    user:go_offline()
    user:expect "disconnected"
    user:go_online()
    user:expect "connected"
    user:say "three"
    user:expect("message", { text = "three" })
    desk:enable(false)
    desk:drop(user)
    user:expect "disconnected"
    user:expect("error", {}, { within = "5s" })
    desk:enable()
    user:connect()
    user:expect "connected"
    expect(user.messages, 9)
    user:disconnect()
    user:expect "disconnected"
    user:destroy()
    user:expect "destroyed"
    t:allow { "reconnecting", "reconnected", "disconnected", "link_changed", "error", "typing" }
    user:expect_transcript "network"
end)

scenario("a user who speaks and listens hears what is stored", { tags = { "conversations" } }, function(t)
    local desk = t:server(oracle, {
        echo = true, speech = { "order a pizza", { error = "RecognitionNoSpeechTimeout" } },
        voices = { { name = "Ada", culture = "en-us", default = true }, { name = "Max", culture = "de-de" } },
    })
    local user = t:actor(oracle, {
        name = "user", enable_speech_recognition = true, enable_speech_synthesis = true, speech_locale = "en-us",
        init_speech_synthesis_muted = false,
    })
    user:connect()
    user:expect "connected"
    user:start_recording { duration = "300ms" }
    user:expect("speech_final", { text = "order a pizza" })
    user:expect("message", { text = "order a pizza" })
    user:expect("speech_spoken", {}, { within = "10s" })
    expect(user:is_speaking(), false)
    user:mute()
    desk:say "Silence"
    user:expect("message", { text = "Silence" })
    user:expect_silence("300ms", "speech_spoken")
    user:mute(false)
    user:speak "Aloud"
    expect(user:is_speaking(), true)
    user:stop_speech()
    user:expect "speech_stopped"
    expect({ user:is_speaking(), user:is_recording() }, { false, false })
    t:allow { "typing", "speech_partial", "speech_level", "recording_stopped" }
    user:expect_transcript "speech"
end)
