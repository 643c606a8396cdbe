-- A conversation from its first frame to its last: greeting, buttons, an agent, a form, the end.
local oracle = require "oracle"

local menu = {
    start = {
        say = {
            text = "What would you like?",
            actions = {
                { type = "postback", label = "Order", postback = { action = "order" } },
                { type = "url", label = "Menu", url = "https://pizza.example/menu" },
            },
        },
        on = { order = "order" },
    },
    order = { say = { "Fine.", { text = "Which size?", delay = "2s" } }, on = { ["*"] = "start" } },
}

scenario("profile and hidden message open the conversation, a tapped button goes on", function(t)
    local desk = t:server(oracle, { states = menu })
    local user = t:actor(oracle, {
        user_id = "guest",
        init_user_profile = { profile = { givenName = "First" } },
        init_user_hidden_message = "hi",
    })
    user:connect()
    user:expect("message", { text = "What would you like?" })
    local frames = desk:received(user)
    expect(frames[1].profile.givenName, "First")
    expect(frames[2].messagePayload.text, "hi")
    user:tap "Order"
    user:expect("message", { text = "Fine.", end_of_turn = false })
    user:expect("message", { text = "Which size?", end_of_turn = true })
end)

scenario("an agent comes, types and leaves", {
    faults = { delay = "the user says it before a pause ends the typing" },
}, function(t)
    local desk = t:server(oracle, {
        agents = { "Bob" },
        states = { start = { say = { messages = "connecting you", agent = { subject = "help" } } } },
    })
    local bob = desk:agent "Bob"
    local user = t:actor(oracle, { enable_send_typing_status = true })
    user:connect()
    user:expect "connected"
    user:say "a person, please"
    user:expect("message", { text = "connecting you", from = "bot" })
    bob:expect("chat_waiting", { subject = "help" })
    bob:accept()
    bob:say "Bob here"
    user:expect "agent_joined"
    user:expect("message", { text = "Bob here", from = "agent", agent = "Bob" })
    bob:typing(true)
    user:expect("typing", { active = true })
    bob:typing(false)
    user:expect("typing", { active = false })
    user:enter_text "My o"
    bob:expect("typing", { active = true, text = "..." })
    user:say "My order is late."
    bob:expect("message", { text = "My order is late." })
    bob:expect("typing", { active = false })
    bob:leave "Bob has left."
    user:expect("agent_left", { name = "Bob" })
    user:expect("message", { text = "Bob has left.", from = "bot" })
end)

scenario("the user ends the conversation", function(t)
    local asked = 0
    t:server(oracle, { states = menu })
    local user = t:actor(oracle, {
        init_user_hidden_message = "hi",
        before_end_conversation = function()
            asked = asked + 1
            return true
        end,
    })
    user:connect()
    user:expect "message"
    user:end_chat()
    user:expect("ended", { reason = "user" })
    expect(asked, 1)
    user:connect()
    user:expect("message", { text = "What would you like?" })
end)

scenario("a form is checked here, then by the skill", function(t)
    local function form(complaint)
        return {
            type = "editForm", title = "Before we start", formColumns = 1, errorMessage = complaint,
            channelExtensions = complaint and { replaceMessage = "True" } or nil,
            fields = {
                {
                    displayType = "textInput", id = "name", label = "Name", required = true,
                    clientErrorMessage = "Please tell us your name",
                },
                { displayType = "toggle", id = "news", label = "News", valueOn = "true", valueOff = "false" },
            },
            actions = { { type = "submitForm", label = "Start", postback = { action = "start" } } },
        }
    end
    t:server(oracle, {
        skill = function(message)
            if message.type ~= "formSubmission" then return form() end
            if message.submittedFields.name == "Eve" then return form "Not you" end
            return "Welcome, " .. message.submittedFields.name
        end,
    })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "hi"
    local shown = user:expect("form").form
    shown:submit()
    user:expect("form_invalid", { keys = { "name" } })
    shown:fill { name = "Eve" }:submit()
    user:expect("form").form:fill { name = "Ada", news = true }:submit()
    user:expect("message", { text = "Welcome, Ada" })
end)
