-- The support chat of the tutorial on a server that is not simulated: `scripts/peers fastapi_support` starts
-- Tests/Peers/fastapi_support.py and plays this.
local support = require "support"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "an agent answers, and the visitor rates it",
    think_time = { distribution = "exponential", mean = "500ms" }, thresholds = { "rate(failures) == 0" },
}

scenario("an agent answers, and the visitor rates it", { tags = { "peers" } }, function(t)
    local ada = t:actor(support, { user = "ada" })
    ada:connect()
    ada:expect("queue", { position = 1 })
    for number = 1, 3 do
        think()
        ada:say("Question " .. number)
        ada:expect("typing", { active = true })
        ada:expect("message", { from = "Robin", text = "ada, you said: Question " .. number })
    end
    ada:leave()
    ada:expect "survey"
    ada:answer_survey(5)
    ada:expect("ended", { by = "visitor" })
    ada:expect("disconnected", { code = 1000, reason = "thank you for the 5" })
end)

scenario("a ping is answered while the visitor reads", { tags = { "peers", "slow" } }, function(t)
    local ada = t:actor(support)
    ada:connect()
    ada:expect "queue"
    wait "9s"
    expect(ada.state, "talking")
    ada:say "Still here"
    ada:expect("typing", { active = true })
    ada:expect("message", { text = match.contains "Still here" })
end)

scenario("two visitors are told apart", { tags = { "peers" } }, function(t)
    local visitors = {}
    for _, name in ipairs { "ada", "bob" } do visitors[name] = t:actor(support, { user = name, name = name }) end
    for name, visitor in pairs(visitors) do
        visitor:connect()
        visitor:expect "queue"
        visitor:say "Hello"
        visitor:expect("typing", { active = true })
        visitor:expect("message", { text = name .. ", you said: Hello" })
    end
end)
