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
    tags = { "agent", "typing" }, clock = "virtual",
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
    bob["end"](bob)
    user:expect("ended", { reason = "server" })
end)
