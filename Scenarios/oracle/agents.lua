-- An agent takes over from the skill and hands back; and what stands for queue and pre-chat on the way.
local oracle = require "oracle"

-- A user whom the skill has just sent to the agents.
local function waiting(t, options)
    local desk = t:server(oracle, {
        agents = { "Bob" }, exit_keywords = { "bye" },
        skill = function(message)
            if message.text ~= "Agent" then return "You said: " .. tostring(message.text) end
            return { messages = "I am connecting you.", agent = { subject = "Help" } }
        end,
    })
    local bob = desk:agent "Bob"
    local user = t:actor(oracle, options)
    user:connect()
    user:expect "connected"
    user:say "Agent"
    user:expect("message", { from = "bot", text = "I am connecting you." })
    bob:expect("chat_waiting", { subject = "Help" })
    return user, bob, desk
end

scenario("an agent answers, types and hands back to the skill", { tags = { "smoke", "agent", "typing" } }, function(t)
    local user, bob = waiting(t)
    bob:accept(user, "Hi, Bob here")
    user:expect("agent_joined", { agent = { name = "Bob" } })
    user:expect("message", { from = "agent", text = "Hi, Bob here", agent = "Bob" })
    bob:typing(true)
    user:expect("typing", { active = true, person = { type = "agent" } })
    bob:say "What can I do?"
    user:expect("message", { from = "agent", text = "What can I do?" })
    bob:typing(false)
    user:expect("typing", { active = false })
    bob:leave "Bob has left."
    user:expect("agent_left", { name = "Bob" })
    user:expect("message", { from = "bot", text = "Bob has left." })
end)

scenario("the agent learns what the user said before", { tags = { "agent" } }, function(t)
    local user, bob = waiting(t)
    expect(bob:events("chat_waiting")[1].history, match.has { source = "USER", payload = { text = "Agent" } })
    bob:accept(user)
    user:say "My pizza is cold"
    bob:expect("message", { from = "user", text = "My pizza is cold" })
end)

scenario("an agent is told at most every three seconds that the user types", {
    tags = { "agent", "typing" }, faults = { delay = "what is late is not counted" },
}, function(t)
    local user, bob = waiting(t, { enable_send_typing_status = true })
    bob:accept(user, "Hi")
    user:expect("message", { text = "Hi" })
    for length = 1, 7 do
        user:enter_text(("My pizza"):sub(1, length))
        wait "1s"
    end
    expect(bob:events "typing", match.count(3), "at 0, 3 and 6 seconds")
    user:say "My pizza is cold"
    bob:expect("message", { text = "My pizza is cold" })
    bob:expect("typing", { active = false })
end)

scenario("an agent sees the words before they are sent if the client allows it", {
    tags = { "agent", "typing" },
}, function(t)
    local user, bob = waiting(t, { enable_send_typing_status = true, enable_agent_sneak_preview = true })
    bob:accept(user, "Hi")
    user:expect("message", { text = "Hi" })
    user:enter_text "My piz"
    bob:expect("typing", { active = true, text = "My piz" })
end)

scenario("a word sends the agent away", { tags = { "agent" } }, function(t)
    local user, bob = waiting(t)
    bob:accept(user, "Hi")
    user:expect("message", { from = "agent", text = "Hi" })
    user:say "bye"
    bob:expect "chat_ended"
    user:expect("message", { from = "bot" })
    user:say "Hello?"
    user:expect("message", { from = "bot", text = "You said: Hello?" })
end)

scenario("a user waits in the queue until an agent comes", { tags = { "agent", "queue" } }, function(t)
    local user, bob, desk = waiting(t)
    desk:queue(2)
    user:expect("queue", { position = 2, text = "You are number 2 in the queue." })
    bob:delay("You are next.", 1)
    user:expect("queue", { position = 1, text = "You are next." })
    bob:accept(user, "Thanks for waiting")
    user:expect("message", { text = "Thanks for waiting" })
end)

scenario("a user learns that no agent will come", { tags = { "agent", "unavailable" } }, function(t)
    local user, bob = waiting(t)
    bob:reject "We open at nine."
    user:expect("unavailable", { text = "We open at nine." })
    user:say "Never mind"
    user:expect("message", { from = "bot", text = "You said: Never mind" })
end)

scenario("an agent ends the session", { tags = { "agent", "endings" } }, function(t)
    local user, bob = waiting(t)
    bob:accept(user, "Hi")
    user:expect("message", { text = "Hi" })
    bob:finish()
    user:expect("ended", { reason = "server" })
end)

-- What the skill asks for when it sends the user to the agents, and where it goes on afterwards.
local function handing_over(t)
    local desk = t:server(oracle, {
        agents = { "Bob" },
        states = {
            start = {
                say = {
                    messages = "I am connecting you.",
                    agent = {
                        subject = "Refund", properties = { order = 7 },
                        actions = { { action = "refund", label = "Refund", description = "Gives the money back" } },
                        waiting_message = "Bob is here.", rejected_message = "Come back at nine.",
                        conclusion_message = "Bob has gone.", on = { refund = "refunded", rejected = "sorry" },
                    },
                },
                on = { ["*"] = "start" },
            },
            refunded = { say = "Your money is on its way.", on = { ["*"] = "start" } },
            sorry = { say = "I can only say sorry.", on = { ["*"] = "start" } },
        },
    })
    local bob = desk:agent "Bob"
    local user = t:actor(oracle, { init_user_profile = { profile = { givenName = "Ada", surname = "L.", email = "a@b" } } })
    user:connect()
    user:expect "connected"
    user:say "I want my money back"
    user:expect("message", { text = "I am connecting you." })
    return user, bob
end

scenario("an agent sends the user back to the skill for what only it can do", { tags = { "agent", "handover" } }, function(t)
    local user, bob = handing_over(t)
    bob:accept(user, "Hi, Bob here")
    user:expect("message", { from = "bot", text = "Bob is here." })
    user:expect("message", { from = "agent", text = "Hi, Bob here" })
    local chosen, why = pcall(bob.choose, bob, "upgrade")
    expect(chosen, false)
    expect(tostring(why), match.contains "refund")
    bob:choose "refund"
    user:expect("message", { from = "bot", text = "Bob has gone." })
    user:expect("message", { from = "bot", text = "Your money is on its way." })
end)

scenario("the skill goes on in a state of its own when nobody is there", {
    tags = { "agent", "handover", "unavailable" },
}, function(t)
    local user, bob = handing_over(t)
    bob:reject()
    user:expect("unavailable", { text = "Come back at nine." })
    user:expect("message", { text = "I can only say sorry." })
end)

scenario("an agent system gets and posts the messages of the vendor's webhook", {
    tags = { "agent", "handover", "webhook" },
}, function(t)
    local user, bob = handing_over(t)
    local request = bob:expect("chat_waiting").raw
    expect(request.messagePayload, {
        type = "agentRequest", text = "Refund", customProperties = { order = 7 },
        userProfile = { firstName = "Ada", lastName = "L.", email = "a@b" },
        actions = { { action = "refund", label = "Refund" } },
        conversationHistory = {
            { source = "USER", payload = { text = "I want my money back" } },
            { source = "BOT", payload = { text = "I am connecting you." } },
        },
    })
    local function post(payload) bob:post { userId = request.userId, messagePayload = payload } end
    post { type = "agentRequestResponse", status = "delayed", text = "Five minutes" }
    user:expect("queue", { text = "Five minutes" })
    post { type = "agentRequestResponse", status = "delayed", text = "One minute" }
    user:expect("queue", { text = "One minute" })
    post { type = "agentRequestResponse", status = "accepted", text = "" }
    user:expect("message", { text = "Bob is here." })
    post { type = "agent", text = "Hi, Bob here" }
    user:expect("message", { from = "agent", text = "Hi, Bob here" })
    post { type = "agentAction", action = "refund" }
    user:expect("message", { text = "Bob has gone." })
    user:expect("message", { text = "Your money is on its way." })
    expect(pcall(bob.post, bob, { type = "telepathy" }), false)
end)

scenario("an agent system can refuse and can leave", { tags = { "agent", "handover", "webhook" } }, function(t)
    local user, bob = waiting(t)
    bob:post { type = "agentRequestResponse", status = "rejected", text = "We open at nine." }
    user:expect("unavailable", { text = "We open at nine." })
    user:say "Agent"
    user:expect("message", { text = "I am connecting you." })
    bob:post { type = "agentRequestResponse", status = "accepted" }
    bob:post { type = "agent", text = "Morning" }
    user:expect("message", { from = "agent", text = "Morning" })
    bob:post { type = "agentLeft", text = "Bye" }
    user:expect("agent_left", { name = "Bob" })
    user:expect("message", { from = "bot", text = "Bye" })
end)

scenario("the word that sends the agent away ends the conversation of the agent system", {
    tags = { "agent", "handover", "webhook" },
}, function(t)
    local user, bob = waiting(t)
    bob:accept(user, "Hi")
    user:expect("message", { text = "Hi" })
    user:say "bye"
    expect(bob:expect("chat_ended").raw.messagePayload, { type = "botConversationEnded" })
    user:expect("message", { from = "bot" })
end)

scenario("a pre-chat form, a place in the queue, closing time and a survey have events of their own", {
    tags = { "agent", "pre_chat", "queue", "unavailable", "survey" },
}, function(t)
    local user, bob, desk = waiting(t)
    local form = {
        type = "editForm", title = "Who are you?", formColumns = 1,
        fields = { { displayType = "textInput", id = "name", label = "Name", required = true } },
        actions = { { type = "submitForm", label = "Go" } },
    }
    desk:pre_chat(form)
    user:expect("pre_chat", { form = { title = "Who are you?" } }).form:fill { name = "Ada" }:submit()
    user:expect "form_submitted"
    user:expect("message", { text = match.contains "You said" })
    desk:queue(3)
    user:expect("queue", { position = 3 })
    desk:unavailable { "Leave us a note:", form }
    user:expect("unavailable", { text = "Leave us a note:" })
    user:expect("unavailable", { form = { title = "Who are you?" } })
    desk:survey { text = "How was it?", channelExtensions = { displayType = "stars" }, actions = { "1", "2", "3" } }
    user:expect("post_chat", { rating = true })
    expect(user:rate(3), match.contains "3")
    user:expect "message"
end)

scenario("what the user types is told in any case when the application does it itself", {
    tags = { "agent", "typing" },
}, function(t)
    local user, bob = waiting(t)
    bob:accept(user)
    user:send_typing_status(true, "My")
    bob:expect("typing", { active = true, text = "My" })
    user:send_typing_status(false)
    bob:expect("typing", { active = false })
end)

for interval, count in pairs { ["1s"] = 3, ["5s"] = 2 } do
    scenario(("with an interval of %s eight seconds of typing are told %d times"):format(interval, count), {
        tags = { "agent", "typing" }, faults = { delay = "what is late is not counted" },
    }, function(t)
        local user, bob = waiting(t, { enable_send_typing_status = true, typing_status_interval = interval })
        bob:accept(user, "Hi")
        user:expect("message", { text = "Hi" })
        for length = 1, 8 do
            user:enter_text(("x"):rep(length))
            wait "1s"
        end
        expect(bob:events "typing", match.count(count), "three seconds are the least")
    end)
end

scenario("an agent who types is seen though the skill seemed about to answer", { tags = { "agents", "typing" } }, function(t)
    local desk = t:server(oracle, {})
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:say "Hello?"
    user:expect("typing", { active = true, person = { type = "bot" } })
    desk:say { typing = true }
    user:expect("typing", { active = true, person = { type = "agent" } })
    desk:say { text = "Kim here", from = "agent", channelExtensions = { agentName = "Kim" } }
    user:expect("message", { from = "agent", text = "Kim here" })
    t:allow { "agent_joined", "typing" }
end)

scenario("a misspelt detail of an agent is refused", { tags = { "agents", "screen" } }, function(t)
    t:server(oracle, { echo = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    expect(pcall(user.set_agent_details, user, { nam = "Kim" }), false)
    expect(pcall(user.set_agent_details, user, { name_text_color = "mauve-ish" }), false)
    user:set_agent_details { name = "Kim", name_text_color = "#102030" }
    expect(user:get_agent_details(), { name = "Kim", nameTextColor = "#102030" })
end)

scenario("an agent is drawn in the colors that the application sets", { tags = { "agents", "screen" } }, function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    desk:say { text = "Hi", from = "agent", channelExtensions = { agentSession = { name = "Bob Baker" } } }
    user:expect("message", { text = "Hi" })
    user:set_agent_details {
        name = "Kim", avatar_image = "k.png", name_text_color = "#102030", avatar_text_color = "#112131",
        avatar_background_color = "#122232",
    }
    local html = user:screen_html()
    for _, color in ipairs { "rgb(16 32 48", "rgb(17 33 49", "rgb(18 34 50" } do
        expect(html, match.contains(color))
    end
    t:allow { "agent_joined" }
end)
