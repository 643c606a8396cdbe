local support = require "support"

scenario("an agent answers, and the visitor rates the conversation", { tags = { "own" } }, function(t)
    local desk = t:server(support)
    local sam = desk:agent "Sam"
    local ada = t:actor(support, { user = "ada" })

    ada:connect()
    ada:expect("queue", { position = 1 })
    sam:accept()
    sam:typing(true)
    ada:expect("typing", { active = true })
    sam:say "Good morning, how can I help?"
    ada:expect("message", { from = "Sam", text = match.contains "help" })
    ada:say "Where is my order?"
    sam:expect("message", { text = "Where is my order?" })
    sam:ask "Were we of help?"
    ada:expect("survey")
    ada:answer_survey(5)
    sam:expect("survey_answered", { score = 5 })
    sam:finish()
    ada:expect("ended", { by = "agent" })
    sam:expect("chat_ended")
    expect(ada.state, "ended")
end)

scenario("those who wait move up", { tags = { "own" } }, function(t)
    local desk = t:server(support)
    local sam = desk:agent "Sam"
    local ada, bob = t:actor(support, { user = "ada" }), t:actor(support, { user = "bob" })

    ada:connect()
    bob:connect()
    ada:expect("queue", { position = 1 })
    bob:expect("queue", { position = 2 })
    ada:expect("queue", { position = 1 })
    sam:accept()
    bob:expect("queue", { position = 1 })
end)

scenario("a ping is answered while the scenario does something else", { tags = { "own" } }, function(t)
    local desk = t:server(support)
    local ada = t:actor(support)

    ada:connect()
    ada:expect("queue")
    wait "1m"
    expect(ada.state, "waiting")
    ada:leave()
    ada:expect("ended", { by = "visitor" })
end)
