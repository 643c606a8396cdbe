-- A bot that answers by calling a URL of whoever asked (a webhook): the scenario has a server beside the bot. With
-- `--target NAME` the bot is the real one; here its part is played as well, so that the scenario can be rehearsed.
local http = require "http"

scenario("a bot answers by webhook", { tags = { "http" } }, function(t)
    local hooks = t:server(http, { callback = true })
    local webhook = hooks:peer "webhook"
    local bot = t:server(http, { answers = { { to = "POST /messages", status = 202 } } })
    local visitor = t:actor(http, { name = "visitor", server = bot })

    visitor:post("/messages", { text = "Where is my order?", reply_to = hooks.url .. "/replies" })
    visitor:expect("response", { status = 202 })

    local caller = t:actor(http, { name = "bot", server = hooks })
    caller:post("/replies", { text = "It left this morning." })
    webhook:expect("request", { path = "/replies", json = { text = "It left this morning." } })
    webhook:respond { status = 204 }
    caller:expect("response", { status = 204 })
    visitor:expect_silence("1s", "response")
end)

scenario("a server beside the target is nobody's server by itself", { tags = { "http" } }, function(t)
    local port = math.random(20000, 29999) -- usually a fixed one; here one that hardly anybody else has
    local hooks = t:server(http, { callback = true, port = port })
    expect(hooks.url, "http://127.0.0.1:" .. port)
    t:server(http, { answers = { { json = { who = "the bot" } } } })

    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("response", { json = { who = "the bot" } })
    hooks:peer("webhook"):expect_silence("1s", "request")
end)
