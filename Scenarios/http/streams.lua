-- Answers that come word by word: when the first word came, how long the pauses were, and what it all said.
local http = require "http"

-- A chunk of OpenAI's chat completions.
local function delta(text)
    return { object = "chat.completion.chunk", choices = { { index = 0, delta = { content = text } } } }
end

scenario("deltas are joined until the stream says that it is done", { tags = { "smoke", "http" } }, function(t)
    t:server(http, {
        answers = {
            {
                to = "POST /v1/chat/completions",
                after = "100ms",
                gap = "20ms",
                events = { delta "", delta "It left", delta " this", delta " morning.", "[DONE]" },
            },
        },
    })
    local visitor = t:actor(http, { url = "/v1/chat/completions" })

    visitor:send { model = "small", stream = true, messages = { { role = "user", content = "Where is my order?" } } }
    visitor:expect("stream_started", { status = 200 })
    visitor:expect("token", { text = "It left" })
    visitor:expect("token", { text = " this", gap = match.between(0, 5) })
    local ended = visitor:expect("stream_ended", { complete = true, pieces = 5 })
    expect(ended.text, "It left this morning.")
    expect(ended.time_to_first, match.between(0.12, 5))
    expect(ended.time_to_last, match.between(0.16, 5))
    expect(ended.gaps, { count = 2, largest = match.between(0, 5), mean = match.between(0, 5) })
    visitor:expect("message", { text = "It left this morning." })
end)

scenario("whoever is not interested in words expects the message", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { events = { delta "Good ", delta "morning!", "[DONE]" }, gap = "10ms" } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { stream = true }
    visitor:expect("message", { text = "Good morning!" })
end)

scenario("cumulative events have all of the text so far", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "POST /gradio_api/call/chat", json = { event_id = "9f3c" } },
            {
                to = "GET /gradio_api/call/chat/9f3c",
                gap = "20ms",
                events = {
                    { event = "generating", data = { "It" } },
                    { event = "heartbeat", data = json.null },
                    { event = "generating", data = { "It is" } },
                    { event = "generating", data = { "It was four." } },
                    { event = "complete", data = { "It was four." } },
                },
            },
        },
    })
    local visitor = t:actor(http, { url = "/gradio_api/call/chat", mode = "cumulative" })

    visitor:send { data = { "What is two and two?" } }
    local call = visitor:expect("response", { ok = true }).json.event_id
    visitor:get(call)
    visitor:expect("token", { text = "It", event = "generating" })
    visitor:expect("chunk", { event = "heartbeat" })
    visitor:expect("token", { text = " is" })
    visitor:expect("token", { text = "It was four.", replaces = true })
    visitor:expect("stream_ended", { complete = true, text = "It was four." })
    visitor:expect("message", { text = "It was four." })
end)

scenario("a failure that the stream tells of is an error", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { events = { { event = "error", data = json.null } } } } })
    local visitor = t:actor(http, { url = "/gradio_api/call/chat/1", mode = "cumulative" })
    visitor:get()
    visitor:expect("stream_ended", { complete = false })
    visitor:expect("error", { code = "stream_error" })
end)

scenario("each line of JSON is a message of its own", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            {
                to = "POST /webhooks/rest/webhook",
                gap = "20ms",
                lines = { { recipient_id = "ada", text = "One moment." }, { recipient_id = "ada", text = "It left." } },
            },
        },
    })
    local visitor = t:actor(http, { url = "/webhooks/rest/webhook", query = { stream = true } })
    visitor:send { sender = "ada", message = "Where is my order?" }
    visitor:expect("message", { text = "One moment.", json = { recipient_id = "ada" } })
    visitor:expect("message", { text = "It left." })
    visitor:expect("stream_ended", { complete = true, pieces = 2, text = "One moment.\nIt left." })
end)

scenario("lines of JSON may be deltas as well", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            {
                lines = {
                    { message = { content = "Good " }, done = false },
                    { message = { content = "morning!" }, done = false },
                    { message = { content = "" }, done = true },
                },
            },
        },
    })
    local visitor = t:actor(http, { url = "/api/chat", mode = "deltas", piece = "$.message.content" })
    visitor:send { model = "small" }
    visitor:expect("message", { text = "Good morning!" })
end)

scenario("the data of events may be the text itself", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = { { pieces = { "id: 1\nretry: 250\ndata: Go", "od \n\n", ": still here\n\ndata: morning!\n\n" } } },
    })
    local visitor = t:actor(http, { url = "/chat", stream = "sse", piece = "$", done = "" })
    visitor:get()
    visitor:expect("token", { text = "Good ", id = "1", retry = 0.25, data = "Good " })
    visitor:expect("message", { text = "Good morning!" })
end)

scenario("a stream that has ended says what a reconnection goes by", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer = server:peer "peer"
    local visitor = t:actor(http, { url = "/chat", stream = "sse", piece = "$", done = "" })
    local events = { headers = { ["Content-Type"] = "text/event-stream" } }

    visitor:get()
    peer:expect "request"
    peer:begin(events)
    peer:write "id: 1\ndata: Good \n\nid: 2\nretry: 250\n\n"
    peer:finish()
    local ended = visitor:expect("stream_ended", { text = "Good ", last_event_id = "2", retry = 0.25 })
    visitor:expect "message"
    wait(ended.retry)
    visitor:get("/chat", { headers = { ["Last-Event-ID"] = ended.last_event_id } })
    peer:expect("request", { headers = { ["last-event-id"] = "2" } })
    peer:begin(events)
    peer:write "id: 3\ndata: morning!\n\n"
    peer:finish()
    visitor:expect("message", { text = "morning!" })
end)

scenario("a peer writes an answer piece by piece, by hand", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer = server:peer "peer"
    local visitor = t:actor(http, { url = "/chat" })

    visitor:send { message = "hello" }
    peer:expect("request", { method = "POST", path = "/chat", json = { message = "hello" } })
    peer:begin { headers = { ["Content-Type"] = "text/event-stream" } }
    visitor:expect "stream_started"
    peer:write_event(delta "Good ")
    visitor:expect("token", { text = "Good " })
    visitor:expect_silence("100ms", "token")
    peer:write "data: {\"choices\":[{\"delta\":{\"content\":\"eve"
    peer:write "ning!\"}}]}\n\n"
    visitor:expect("token", { text = "evening!" })
    peer:write_event "[DONE]"
    peer:finish()
    visitor:expect("message", { text = "Good evening!" })
end)

scenario("a visitor who has read enough stops the answer", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer = server:peer "peer"
    local visitor = t:actor(http, { url = "/chat" })
    local request = visitor:send { message = "Tell me everything." }
    peer:expect "request"
    peer:begin { headers = { ["Content-Type"] = "text/event-stream" } }
    peer:write_event(delta "In the beginning")
    visitor:expect "token"
    visitor:cancel(request)
    visitor:expect("stream_ended", { complete = false, text = "In the beginning" })
    peer:expect("abandoned", { request = request })
end)
