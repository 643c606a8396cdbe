-- A bot that is closed for a while under load: what the page of a load run has to show.
local http = require "http"

workload {
    executor = "constant_vus",
    users = 40,
    duration = "60s",
    think_time = "1s",
    thresholds = { "rate(failures) < 1%", "p90(response) < 300ms" },
}

scenario("asks", function(t)
    t:server(http, {
        shared = true,
        answers = {
            { after = "100ms", times = 600, json = { text = "Yes." } },
            { status = 503, text = "the desk is closed", times = 200 },
            { after = "250ms", json = { text = "Yes." } },
        },
    })
    local ada = t:actor(http, { url = "/chat" })
    ada:send { text = "Are you there?" }
    ada:expect("message", { text = "Yes." })
    think()
end)
