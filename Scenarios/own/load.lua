-- The same client as a load test: `repartee load Scenarios/own/load.lua`.
local support = require "support"

workload {
    executor = "per_vu_iterations", users = 500, iterations = 1,
    think_time = { distribution = "exponential", mean = "2s" },
    thresholds = { "count(lost) == 0", "count(duplicated) == 0", "rate(failures) == 0" },
}

scenario("a visitor asks, and nobody is lost for a ping", { tags = { "load", "own" } }, function(t)
    local desk = t:server(support)
    local sam = desk:agent "Sam"
    local visitor = t:actor(support)

    visitor:never("disconnected", { code = 4008 })
    visitor:connect()
    visitor:expect "queue"
    sam:accept()
    for question = 1, 3 do
        think()
        visitor:say("Question " .. question)
        sam:expect("message", { text = "Question " .. question })
        sam:say("Answer " .. question)
        visitor:expect("message", { text = "Answer " .. question })
    end
    wait "10s"
    sam:finish()
    visitor:expect("ended", { by = "agent" })
    sam:expect "chat_ended"
end)
