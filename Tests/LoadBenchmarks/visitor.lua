-- The work of `scripts/bench visitors`: each visitor holds a conversation with an agent of a simulated server of its
-- own, a question every half minute, until the run stops.
local boldchat = require "boldchat"

workload {
    executor = "ramping_vus",
    stages = {
        { name = "ramp-up", duration = "40s", target = tonumber(env "VISITORS") },
        { name = "steady", duration = "60s", target = tonumber(env "VISITORS") },
    },
    graceful_stop = "60s",
    thresholds = { "count(lost) == 0", "count(duplicated) == 0", "count(misdelivered) == 0", "rate(failures) == 0" },
}

scenario("a visitor talks with an agent", { timeout = "10m" }, function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    sam:expect("chat_waiting", nil, { within = "60s" })
    sam:accept(visitor)
    visitor:expect("accepted", nil, { within = "60s" })
    wait(random.number(0, 30))
    local question = 0
    while not t.stopping do
        question = question + 1
        visitor:say("Question " .. question)
        sam:expect("message", { text = "Question " .. question }, { within = "60s" })
        sam:say("Answer " .. question)
        visitor:expect("message", { text = "Answer " .. question }, { within = "60s" })
        wait(30)
    end
    visitor:end_session()
end)
