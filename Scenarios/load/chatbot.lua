-- Visitors who ask a bot over HTTP that streams its answers, and who come back later when it refuses for now.
-- `repartee load Scenarios/load/chatbot.lua` plays it as many users, `--target` against a bot elsewhere.
local http = require "http"

workload {
    executor = "ramping_vus",
    stages = {
        { name = "ramp-up", duration = "5s", target = 50 },
        { name = "steady", duration = "10s", target = 50 },
    },
    graceful_stop = "10s",
    think_time = { distribution = "exponential", mean = "1s" },
    thresholds = {
        "p95(first_token) < 800ms during \"steady\"",
        "p99(token_gap) < 200ms",
        "p99(last_token) < 2s",
        "rate(rate_limited) < 0.05",
        "rate(failures) == 0",
    },
}

-- A chunk of OpenAI's chat completions.
local function delta(text)
    return { choices = { { index = 0, delta = { content = text } } } }
end

scenario("a visitor asks a bot that streams its answers", { tags = { "load", "http" } }, function(t)
    t:server(http, {
        shared = true,
        answers = {
            { to = "POST /v1/chat/completions", times = 3, status = 429, headers = { ["Retry-After"] = "1" } },
            {
                to = "POST /v1/chat/completions",
                after = "200ms",
                gap = "30ms",
                events = { delta "It left", delta " this", delta " morning.", "[DONE]" },
            },
        },
    })
    local visitor = t:actor(http, { url = "/v1/chat/completions" })
    think()
    for _ = 1, 3 do
        visitor:send { stream = true, messages = { { role = "user", content = "Where is my order?" } } }
        local outcome = visitor:expect(any { event("message", { text = "It left this morning." }), event "rate_limited" })
        if outcome.event == "message" then break end
        wait(outcome.retry_after)
    end
end)
