-- Servers that refuse for now say when to come back: an outcome of its own, not an error.
local http = require "http"

scenario("whoever asks too much is told to wait, waits and is served", { tags = { "smoke", "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "POST /chat", times = 1, status = 429, headers = { ["Retry-After"] = "1" } },
            { to = "POST /chat", json = { text = "Now I have time." } },
        },
    })
    local visitor = t:actor(http, { url = "/chat" })

    visitor:send { message = "hello" }
    local limited = visitor:expect("rate_limited", { status = 429, retry_after = 1 })
    wait(limited.retry_after)
    visitor:send { message = "hello" }
    visitor:expect("message", { text = "Now I have time." })
end)

scenario("a server that is overloaded may name a date", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = { { status = 503, headers = { ["Retry-After"] = "Wed, 21 Oct 2015 07:28:00 GMT" }, text = "Busy." } },
    })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    -- The date has passed, so there is nothing to wait for.
    visitor:expect("rate_limited", { status = 503, retry_after = 0, body = "Busy." })
end)

scenario("what is no time to wait is told as it was written", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { status = 429, headers = { ["Retry-After"] = "1.5" } } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    visitor:expect("rate_limited", { retry_after = match.absent, retry_after_text = "1.5" })
end)

scenario("without Retry-After, 429 is a limit and 503 an answer that must be expected", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { times = 1, status = 429 }, { status = 503, text = "Down." } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    visitor:expect("rate_limited", { status = 429, retry_after = match.absent, retry_after_text = match.absent })
    visitor:send { message = "hello" }
    visitor:expect("response", { status = 503, ok = false, body = "Down." })
end)
