-- What goes wrong is an event that says so; whoever does not expect it has a failure.
local http = require "http"

local function delta(text)
    return { choices = { { delta = { content = text } } } }
end

scenario("a stream that is cut in the middle keeps what it had", { tags = { "smoke", "http" } }, function(t)
    t:server(http, {
        answers = { { events = { delta "It left", delta " this", delta " morning." }, gap = "50ms", drop_after = 2 } },
    })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "Where is my order?" }
    visitor:expect("stream_ended", { complete = false, text = "It left this", pieces = 2 })
    visitor:expect("error", { code = "connection_lost" })
end)

scenario("a stream that ends too early is not complete, however orderly", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { events = { delta "It left" } } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "Where is my order?" }
    visitor:expect("stream_ended", { complete = false, text = "It left" })
    visitor:expect("error", { code = "incomplete", message = match.contains "[DONE]" })
end)

scenario("a server that hangs up without an answer", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { drop_after = 0 } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    visitor:expect("error", { code = "connection_lost" })
end)

scenario("a body that is shorter than it says", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer = server:peer "peer"
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    peer:expect "request"
    peer:begin { headers = { ["Content-Type"] = "application/json" }, length = 100 }
    peer:write "{\"text\":"
    peer:finish()
    visitor:expect("error", { code = "connection_lost", status = 200 })
end)

scenario("a body has no length below 0", { tags = { "http" } }, function(t)
    local server = t:server(http)
    local peer = server:peer "peer"
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    peer:expect "request"
    local begun, why = pcall(peer.begin, peer, { length = -5 })
    expect(begun, false)
    expect(tostring(why), match.contains "length is a whole number from 0 on, not -5")
    peer:begin { headers = { ["Content-Type"] = "application/json" }, length = 2 }
    peer:write "{}"
    peer:finish()
    visitor:expect "response"
end)

scenario("time limits: of a whole answer, and of the silence in a stream", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "/whole", after = "10s", json = {} },
            { to = "/slow", pieces = { "{", "}" }, gap = "10s" },
            { to = "/stream", lines = { { text = "One moment." }, { text = "Never said." } }, gap = "10s" },
        },
    })
    local visitor = t:actor(http, { timeout = "300ms", silence = "300ms" })
    visitor:get "/whole"
    visitor:expect("error", { code = "timed_out", message = match.contains "300ms" })
    visitor:get "/slow"
    visitor:expect("error", { code = "timed_out", status = 200 })
    visitor:get "/stream"
    visitor:expect("message", { text = "One moment." })
    visitor:expect("stream_ended", { complete = false, text = "One moment." })
    visitor:expect("error", { code = "timed_out" })
end)

scenario("JSON that is none", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "/whole", text = "<html>busy</html>", headers = { ["Content-Type"] = "application/json" } },
            { to = "/twice", text = '{"id":1,"id":2}', headers = { ["Content-Type"] = "application/json" } },
            { to = "/stream", events = { delta "Good ", "{\"choices\":", delta "morning!", "[DONE]" } },
        },
    })
    local visitor = t:actor(http)
    visitor:get "/whole"
    visitor:expect("response", { body = "<html>busy</html>", json = match.absent })
    visitor:expect("error", { code = "invalid_json" })
    visitor:get "/twice"
    visitor:expect("response", { json = match.absent })
    visitor:expect("error", { code = "invalid_json", message = match.contains 'two members "id"' })
    visitor:get "/stream"
    visitor:expect("error", { code = "invalid_json", message = match.contains "piece 2" })
    visitor:expect("message", { text = "Good morning!" })
end)

local begun = 'data: {"choices":[{"index":0,"delta":{"content":"Good "}}]}\n\n'
local done = "data: [DONE]\n\n"

-- A server that answers with the bytes of a stream.
local function streamed(text)
    return { answers = { { headers = { ["Content-Type"] = "text/event-stream" }, text = text } } }
end

local failures = {
    { name = "an error", text = 'data: {"error":{"message":"overloaded"}}\n\n' },
    { name = "an error in a chunk", text = 'data: {"error":"overloaded","choices":[{"delta":{"content":""}}]}\n\n' },
    { name = "an event of that name", text = 'event: error\ndata: {"message":"overloaded"}\n\n' },
}
scenario("a stream that tells of a failure has failed, even if its mark follows", {
    tags = { "http" }, rows = failures,
}, function(t, row)
    t:server(http, streamed(begun .. row.text .. done))
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("stream_ended", { complete = false, text = "Good " })
    visitor:expect("error", { code = "stream_error", message = match.contains "overloaded" })
end)

scenario("so has one of lines whose last word is a failure", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { lines = { { text = "One moment." }, { error = "overloaded" } } } } })
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("message", { text = "One moment." })
    visitor:expect("stream_ended", { complete = false })
    visitor:expect("error", { code = "stream_error", message = match.contains "overloaded" })
end)

local odd = {
    { name = "a content that is a number", text = begun:gsub('"Good "', "7") .. done, why = "piece 2" },
    { name = "a content that is a list", text = begun:gsub('"Good "', "[]") .. done, why = "piece 2" },
    { name = "a text behind the mark", text = done .. begun:gsub("Good", "RAIN-42"), why = "RAIN-42" },
}
scenario("a text that would go unheard is an error", { tags = { "http" }, rows = odd }, function(t, row)
    t:server(http, streamed(begun .. row.text))
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect(all {
        event("message", { text = "Good " }),
        event("error", { code = "invalid_stream", message = match.contains(row.why) }),
    })
end)

scenario("what says nothing behind the mark, and other paths to the text, are no errors", {
    tags = { "http" },
}, function(t)
    local rest = done .. ": alive\n\ndata: {\"usage\":{}}\n\n"
    local chunk = 'data: {"choices":[{"index":0,"delta":{"content":["Good "]}}]}\n\n'
    t:server(http, streamed(chunk .. done .. rest))
    local visitor = t:actor(http, { piece = "$.choices[0].delta.content[0]" })
    visitor:get "/"
    visitor:expect("message", { text = "Good ", finish_reason = match.absent })
end)

scenario("why a stream of OpenAI's API ended is told with its message", { tags = { "http" } }, function(t)
    local last = { choices = { { index = 0, delta = {}, finish_reason = "content_filter" } } }
    t:server(http, { answers = { { events = { delta "Good ", last, { choices = {} }, "[DONE]" } } } })
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("message", { text = "Good ", finish_reason = "content_filter" })
end)

scenario("more than a script wants to take in", { tags = { "http" } }, function(t)
    t:server(http, {
        answers = {
            { to = "/whole", text = string.rep("a", 2000) },
            { to = "/stream", lines = { { text = string.rep("a", 2000) } } },
        },
    })
    local visitor = t:actor(http, { body_limit = 1000 })
    visitor:get "/whole"
    visitor:expect("error", { code = "too_large" })
    visitor:get "/stream"
    visitor:expect("stream_ended", { complete = false, pieces = 0 })
    visitor:expect("error", { code = "too_large" })
end)

scenario("an error of the server is an answer that must be expected", { tags = { "http" } }, function(t)
    t:server(http, { answers = { { status = 500, json = { error = "out of order" } } } })
    local visitor = t:actor(http, { url = "/chat" })
    visitor:send { message = "hello" }
    visitor:expect("response", { status = 500, ok = false, json = { error = "out of order" } })
end)

scenario("where nobody listens", { tags = { "http" } }, function(t)
    local visitor = t:actor(http, { url = "http://127.0.0.1:1/chat" })
    visitor:send { message = "hello" }
    visitor:expect("error", { code = "cannot_connect" })
end)
