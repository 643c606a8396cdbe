-- A chatbot over plain HTTP: a question is posted, the answer is JSON with what the bot says.
local http = require "http"

-- Rasa's REST channel: the answer is a list of messages.
local webhook = "/webhooks/rest/webhook"

scenario("a bot answers with a list of messages, each of which is one", { tags = { "smoke", "http" } }, function(t)
    t:server(http, {
        answers = {
            {
                to = "POST " .. webhook,
                contains = "order",
                json = {
                    { recipient_id = "ada", text = "Your order left this morning." },
                    {
                        recipient_id = "ada",
                        text = "Anything else?",
                        buttons = { { title = "Yes", payload = "/more" }, { title = "No", payload = "/bye" } },
                    },
                },
            },
            { to = "POST " .. webhook, json = { { recipient_id = "ada", text = "Good morning, Ada!" } } },
        },
    })
    local visitor = t:actor(http, { url = webhook })

    visitor:send { sender = "ada", message = "hi" }
    visitor:expect("message", { text = "Good morning, Ada!" })
    visitor:send { sender = "ada", message = "where is my order?" }
    visitor:expect("message", { text = "Your order left this morning." })
    visitor:expect("message", { text = "Anything else?", json = match.buttons { "Yes", "No" } })
end)

scenario("the text stands where a JSON path says", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            {
                to = "/v1/chat/completions",
                json = { choices = { { message = { role = "assistant", content = "Four." }, finish_reason = "stop" } } },
            },
        },
    })
    local visitor = t:actor(http, { url = "/v1/chat/completions", text = "$.choices[0].message.content" })
    visitor:send { model = "small", messages = { { role = "user", content = "What is two and two?" } } }
    visitor:expect("message", { text = "Four.", json = match.path("$.choices[0].finish_reason", "stop") })
end)

scenario("messages without a text are messages if a path leads to them", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { json = { replies = { { image = "cat.png" }, { text = "A cat." } } } } } })
    local visitor = t:actor(http, { url = "/chat", messages = "$.replies[*]" })
    visitor:send "Show me a cat."
    visitor:expect("message", { json = { image = "cat.png" }, text = match.absent })
    visitor:expect("message", { text = "A cat." })
end)

scenario("a bot that the script itself plays answers what it was asked", { tags = { "http" } }, function(t)
    t:server(http, {
        handler = function(request)
            return { json = { { text = "You said: " .. request.json.message } } }
        end,
    })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    visitor:expect("message", { text = "You said: hello" })
end)

scenario("an answer may take its time, and says how long it took", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { json = { text = "Done." }, after = "200ms" } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "think" }
    visitor:expect("response", { status = 200, time = match.between(0.2, 5) })
    visitor:expect("message", { text = "Done." })
end)
