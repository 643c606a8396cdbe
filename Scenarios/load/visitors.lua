-- Visitors who are helped, one after another, for as long as the workload says. `repartee load Scenarios/load/visitors.lua`
-- plays it as many users; `repartee test` plays it once.
local boldchat = require "boldchat"

workload {
    executor = "ramping_vus",
    stages = {
        { name = "ramp-up", duration = "5s", target = 100 },
        { name = "steady", duration = "10s", target = 100 },
    },
    graceful_stop = "10s",
    think_time = { distribution = "exponential", mean = "500ms" },
    rows = { { topic = "an order" }, { topic = "an invoice" }, { topic = "a return" } },
    thresholds = {
        "count(lost) == 0",
        "rate(failures) == 0",
    },
}

scenario("a visitor asks and an agent answers", { tags = { "load" } }, function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat)
    local topic = t.user.row and t.user.row.topic or "something"

    visitor:create_chat { skip_pre_chat = true }
    sam:expect "chat_waiting"
    sam:accept(visitor)
    visitor:expect "accepted"
    for question = 1, 3 do
        think()
        local text = "Question " .. question .. " about " .. topic .. "."
        visitor:say(text)
        sam:expect("message", { text = text })
        sam:say("That is easy.")
        visitor:expect("message", { text = "That is easy." })
    end
    metric.count("questions", 3, { topic = topic })
    visitor:end_session()
end)
