-- A bot on Gradio, whose answers come as everything that there is so far: `scripts/peers gradio_chat` starts
-- Tests/Peers/gradio_chat.py and plays this with the plain HTTP client.
local http = require "http"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "a question is answered word by word",
    think_time = { distribution = "exponential", mean = "2s" }, thresholds = { "rate(failures) == 0" },
}

local slow = { within = "30s" }

scenario("a question is answered word by word", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http, { url = "/gradio_api/call/chat", mode = "cumulative" })
    think()
    visitor:send { data = { "Where is my order?" } }
    visitor:get(visitor:expect("response", { ok = true }, slow).json.event_id)
    visitor:expect("message", { text = "You said: Where is my order?" }, slow)
end)

scenario("its words come one after the other", { tags = { "peers" } }, function(t)
    local visitor = t:actor(http, { url = "/gradio_api/call/chat", mode = "cumulative" })
    visitor:send { data = { "one two three" } }
    visitor:get(visitor:expect("response", { ok = true }).json.event_id)
    visitor:expect("token", { text = "You" })
    visitor:expect("stream_ended", { complete = true, text = "You said: one two three" })
    visitor:expect("message", { text = "You said: one two three" })
end)
