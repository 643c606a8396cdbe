-- Servers that break the protocol of chat completions: the user hears of it, and can go on.
local openai = require "openai"

-- A server of which a scenario writes every answer: pieces of a stream, or a whole body.
local function broken(t, pieces, is_whole)
    local system = system { name = "openai", events = {} }
    function system.server.request(_, request)
        if is_whole then return { body = pieces } end
        request:begin { headers = { ["content-type"] = "text/event-stream" } }
        for _, piece in ipairs(pieces) do
            request:write(piece)
            wait "1ms"
        end
    end
    t:server(system)
    return t:actor(openai)
end

local done = "data: [DONE]\n\n"

-- A stream of chunks, each with a delta and what else a choice or the chunk has.
local function stream(chunks)
    local texts = {}
    for place, chunk in ipairs(chunks) do
        local choice = { index = chunk.index or 0, delta = chunk.delta or {}, finish_reason = chunk.reason }
        texts[place] = "data: " .. json.encode { id = chunk.id or "c1", choices = { choice } } .. "\n\n"
    end
    return table.concat(texts) .. done
end

local hello, stop = { delta = { role = "assistant", content = "Hello" } }, { reason = "stop" }

-- What calls a function.
local function calling(func, id)
    return { role = "assistant", tool_calls = { { id = id or "t", type = "function", ["function"] = func } } }
end

local streams = {
    { name = "nothing", text = "" },
    {
        name = "an end without any sign", text = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n',
        told = "the stream ended before [DONE] and without a finish_reason",
    },
    {
        name = "an end without [DONE]", told = 'the stream ended before [DONE], behind the finish_reason "stop"',
        text = 'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n',
    },
    { name = "[DONE] alone", text = done, told = "[DONE] came before any choice" },
    {
        name = "[DONE] behind usage alone", told = "[DONE] came before any choice",
        text = 'data: {"choices":[],"usage":{"total_tokens":7}}\n\n' .. done,
    },
    { name = "no JSON", text = "data: {\n\n" .. done },
    { name = "a number", text = "data: 7\n\n" .. done },
    { name = "two contents", text = 'data: {"choices":[{"delta":{"content":"x","content":"y"}}]}\n\n' .. done },
    { name = "no choices", text = "data: {}\n\n" .. done },
    { name = "choices that are none", text = 'data: {"choices":7}\n\n' .. done },
    { name = "a choice that is none", text = 'data: {"choices":[7]}\n\n' .. done },
    { name = "an error in the stream", text = 'data: {"error":{"message":"out of memory"}}\n\n' .. done },
    { name = "a tool call that is none", text = 'data: {"choices":[{"delta":{"tool_calls":[7]}}]}\n\n' .. done },
    { name = "a tool call without a name", text = 'data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}\n\n' .. done },
    {
        name = "a tool call with a huge index",
        text = 'data: {"choices":[{"delta":{"tool_calls":[{"index":99999999}]}}]}\n\n' .. done,
    },
    {
        name = "arguments that are no JSON",
        text = 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}}]}}]}\n\n' .. done,
    },
    -- Those that end well and have a text, but something else as well.
    { name = "a content that is a number", text = stream { hello, { delta = { content = 7 } }, stop } },
    { name = "a content that is an object", text = stream { hello, { delta = { content = { text = "x" } } }, stop } },
    { name = "a part that is no object", text = stream { hello, { delta = { content = { "x" } } }, stop } },
    { name = "a part whose text is none", text = stream { hello, { delta = { content = { { text = 7 } } } }, stop } },
    { name = "a refusal that is none", text = stream { hello, { delta = { refusal = true } }, stop } },
    { name = "a delta that is none", text = stream { hello, { delta = 7 }, stop } },
    { name = "a second choice", text = stream { hello, { index = 1, delta = { content = "x" } }, stop } },
    { name = "a chunk of another answer", text = stream { hello, { id = "c2", delta = { content = "x" } }, stop } },
    { name = "a text behind the finish_reason", text = stream { hello, stop, { delta = { content = "x" } } } },
    { name = "a finish_reason that is none", text = stream { hello, { reason = 7 } } },
    { name = "a finish_reason tool_calls without a call", text = stream { hello, { reason = "tool_calls" } } },
    { name = "a text of the role user", text = stream { { delta = { role = "user", content = "Hello" } }, stop } },
    { name = "tool calls that are none", text = stream { hello, { delta = { tool_calls = 7 } }, stop } },
    { name = "choices with names", text = 'data: {"choices":{"0":{"delta":{"content":"x"}}}}\n\n' .. done },
    { name = "arguments that are a number", text = stream { { delta = calling { name = "f", arguments = "7" } } } },
    { name = "arguments that are a list", text = stream { { delta = calling { name = "f", arguments = "[7]" } } } },
}
scenario("a broken stream is an error", { tags = { "openai", "broken" }, rows = streams }, function(t, row)
    local ada = broken(t, { row.text })
    ada:say "Hello"
    local problem = ada:expect("error", { code = "protocol" })
    if row.told then expect(problem.message, match.contains(row.told)) end
end)

local whole = "the answer was whole already, and what a lost connection takes away behind it is not waited for"
scenario("what comes behind [DONE] is an error, and what came before it counts", {
    tags = { "openai", "broken" }, faults = { cut = whole, truncate = whole, half_close = whole, delay = whole },
    rows = {
        { name = "a text", text = stream { { delta = { content = "x" } } } },
        { name = "half an event", text = "data: garbage" },
        { name = "bytes", text = "garbage" },
        { name = "a text behind a second [DONE]", text = done .. stream { { delta = { content = "x" } } } },
        { name = "a text behind a ping", text = 'data: {"type":"ping"}\n\n' .. stream { { delta = { content = "x" } } } },
        { name = "a call", text = stream { { delta = calling { name = "f" } } } },
    },
}, function(t, row)
    local ada = broken(t, { stream { hello, stop } .. row.text })
    ada:say "Hello"
    ada:expect("message", { text = "Hello", finish_reason = "stop" })
    ada:expect("error", { code = "protocol", message = match.contains "behind [DONE]" })
end)

scenario("what says nothing may come behind [DONE]", {
    tags = { "openai", "broken" },
    rows = {
        { name = "usage", text = 'data: {"choices":[],"usage":{"total_tokens":7}}\n\n' },
        { name = "a ping", text = 'event: ping\ndata: {"type":"ping"}\n\n' },
        { name = "a ping that is no JSON", text = "data: ping\n\n" },
        { name = "a delta with nothing in it", text = stream { { delta = { role = "assistant", content = "" } }, stop } },
    },
}, function(t, row)
    local ada = broken(t, { stream { hello, stop } .. row.text })
    ada:say "Hello"
    ada:expect("message", { text = "Hello", finish_reason = "stop" })
    wait "3s"
end)

for _, sign in ipairs { ": alive\n\n", done } do
    scenario("a stream with signs of life behind [DONE] is left soon: " .. json.encode(sign), {
        tags = { "openai", "broken" },
    }, function(t)
        local signs = 0
        local system = system { name = "openai", events = {} }
        function system.server.request(_, request)
            request:begin { headers = { ["content-type"] = "text/event-stream" } }
            request:write(stream { hello, stop })
            while signs < 60 and request:write(sign) do
                signs = signs + 1
                wait "1s"
            end
        end
        t:server(system)
        local ada = t:actor(openai)
        ada:say "Hello"
        ada:expect("message", { text = "Hello" })
        wait "10s"
        check(signs < 5, true, signs .. " signs of life")
    end)
end

scenario("who leaves a stream open or ends it twice breaks nothing, and is asked again", {
    tags = { "openai", "broken" },
}, function(t)
    local system = system { name = "openai", events = {} }
    function system.server.request(_, request)
        request:begin { headers = { ["content-type"] = "text/event-stream" } }
        request:write(stream { { id = "", delta = { content = "" } }, hello, { reason = "" }, stop })
        request:write(done .. ": alive\n\n")
        wait "30s"
    end
    t:server(system)
    local ada = t:actor(openai)
    for _ = 1, 2 do
        ada:say "Hello"
        ada:expect("message", { text = "Hello" }, { within = "1s" })
    end
end)

-- A whole answer with a message.
local function whole(message, reason)
    return json.encode { choices = { { index = 0, message = message, finish_reason = reason } } }
end
local parts = { { type = "thinking" }, { type = "text", text = "No" }, { type = "refusal", refusal = "!" } }
local said = {
    { name = "parts", text = "No!", content = parts }, { name = "a refusal", text = "No!", refusal = "No!" },
    { name = "a refusal beside a text", text = "Oh. No!", content = "Oh. ", refusal = "No!" },
}
for _, streams in ipairs { true, false } do
    scenario("all that a model says is heard, " .. (streams and "streamed" or "whole"), {
        tags = { "openai", "broken" }, rows = said,
    }, function(t, row)
        local message = { role = "assistant", content = row.content or json.null, refusal = row.refusal }
        local text = streams and stream { { delta = message }, stop } or whole(message, "stop")
        local ada = broken(t, streams and { text } or text, not streams)
        ada:say "Hello"
        if streams then ada:expect("token", { text = row.text }) end
        ada:expect("message", { text = row.text, finish_reason = "stop" })
    end)
end

local bodies = {
    { name = "a second choice", text = '{"choices":[{"message":{"content":"x"}},{"message":{"content":"y"}}]}' },
    { name = "a content that is a number", text = whole { content = 7 } },
    { name = "a message of the role user", text = whole { role = "user", content = "x" } },
    { name = "tool_calls without a call", text = whole({ content = "x" }, "tool_calls") },
    { name = "arguments that are an object", text = whole(calling { name = "f", arguments = { order = 4711 } }) },
    { name = "a call without an id", text = whole(calling({ name = "f", arguments = "{}" }, json.null)) },
    { name = "a call with an empty id", text = whole(calling({ name = "f", arguments = "{}" }, "")) },
    { name = "nothing", text = "", told = "nor JSON: nothing" },
    { name = "no JSON", text = "<html>", told = "nor JSON: <html>" }, { name = "a list", text = "[]" },
    { name = "two contents", text = '{"choices":[{"message":{"content":"x","content":"y"},"finish_reason":"stop"}]}' },
    { name = "null", text = "null" }, { name = "no choices", text = "{}" }, { name = "no choice", text = '{"choices":[]}' },
    { name = "no message", text = '{"choices":[{}]}' }, { name = "a message that is none", text = '{"choices":[{"message":1}]}' },
    { name = "an error with 200", text = '{"error":"no"}' },
    { name = "tool calls that are none", text = '{"choices":[{"message":{"tool_calls":[1]}}]}' },
}
scenario("a broken answer is an error", { tags = { "openai", "broken" }, rows = bodies }, function(t, row)
    local ada = broken(t, row.text, true)
    ada:say "Hello"
    local problem = ada:expect("error", { code = "protocol", status = 200 })
    if row.told then expect(problem.message, match.contains(row.told)) end
end)

scenario("an empty id of a later piece leaves the call its own", { tags = { "openai", "broken" } }, function(t)
    local first, second = calling({ name = "f", arguments = "{" }, "c7"), calling({ arguments = "}" }, "")
    for _, delta in ipairs { first, second } do delta.tool_calls[1].index = 0 end
    local ada = broken(t, { stream { { delta = first }, { delta = second }, { reason = "tool_calls" } } })
    ada:say "Hello"
    ada:expect("tool_call", { id = "c7", name = "f", text = "{}" })
end)

scenario("a stream is the same however it is divided, and with any line ends", { tags = { "openai", "broken" } }, function(t)
    local function chunk(text) return "data: " .. json.encode { choices = { { delta = { content = text } } } } end
    for _, ends in ipairs { "\n", "\r\n", "\r" } do
        local stream = "\239\187\191: a comment" .. ends .. ends .. "event: x" .. ends
        for _, text in ipairs { "größer ", "😀 ", "data: ", "end" } do stream = stream .. chunk(text) .. ends .. ends end
        stream = stream .. "id: 7" .. ends .. "data:[DONE]" .. ends .. ends
        for _, most in ipairs { 1, 3, 1000 } do
            local pieces, place = {}, 1
            while place <= #stream do
                -- Pieces of UTF-8 that are whole, for a script writes text.
                local stop = utf8.offset(stream, random.integer(1, most) + 1, place) or #stream + 1
                pieces[#pieces + 1] = stream:sub(place, stop - 1)
                place = stop
            end
            local ada = broken(t, pieces)
            t:network { pieces = most }
            ada:say "Hello"
            ada:expect("message", { text = "größer 😀 data: end" })
            t:network {}
        end
    end
end)

local pieces = {
    "data: ", "data", ":", "\n", "\n\n", "\r\n", '{"choices":[{"delta":{"content":"x"}}]}', '{"choices":', "[", "]", "{", "}",
    '{"delta":{"tool_calls":[{"index":0,"function":{"name":"f"}}]}}', "null", "[DONE]", '"', "ä", "event: e", '{"usage":{}}',
}
scenario("whatever a server sends, the user hears of it", {
    tags = { "openai", "broken" }, allow = { "error", "message", "tool_call" },
}, function(t)
    for round = 1, 80 do
        local texts = {}
        for place = 1, random.integer(1, 8) do
            local text = random.number() < 0.5 and "data: " or ""
            for _ = 1, random.integer(1, 6) do text = text .. random.pick(pieces) end
            texts[place] = text .. random.pick { "", "\n\n" }
        end
        local ada = broken(t, texts)
        ada:say "Hello"
        wait "1s"
        expect(#ada:events "error" + #ada:events "stream_ended" > 0, true, "round " .. round)
    end
end)

scenario("an answer that breaks off is an error", { tags = { "openai", "broken" } }, function(t)
    t:server(openai, { pace = "1s" })
    local ada = t:actor(openai)
    ada:say "one two three four"
    ada:expect "token"
    t:network { cut = true }
    ada:expect("error", { code = "protocol" })
    expect(#ada:events "message", 0)
end)

local function call(func) return { choices = { { delta = { tool_calls = { { index = 0, ["function"] = func } } } } } } end

local great = ("x"):rep(64 * 1024)
local endless = {
    { name = "arguments", chunk = call { arguments = great } },
    { name = "a name", chunk = call { name = great } },
    { name = "a text", chunk = { choices = { { delta = { content = great } } } } },
}
scenario("an answer may not grow for ever, whatever grows", { tags = { "openai", "broken" }, rows = endless }, function(t, row)
    local pieces, chunk = {}, "data: " .. json.encode(row.chunk) .. "\n\n"
    for place = 1, 65 do pieces[place] = chunk end
    pieces[66] = done
    local ada = broken(t, pieces)
    ada:say "Hello"
    ada:expect("error", { code = "protocol", message = match.contains "an answer of more than 4194304 bytes" })
end)

scenario("neither may an event of lines without a value", { tags = { "openai", "broken" } }, function(t)
    local lines = ("data:\n"):rep(64 * 1024)
    local pieces = {}
    for place = 1, 65 do pieces[place] = lines end
    local ada = broken(t, pieces)
    ada:say "Hello"
    ada:expect("error", { code = "protocol", message = match.contains "an event of more than 4194304 bytes" })
end)

scenario("a long line in small pieces is read like one in a single piece", { tags = { "openai", "broken" } }, function(t)
    local text = ("x"):rep(1500000)
    local ada = broken(t, { "data: " .. json.encode { choices = { { delta = { content = text } } } } .. "\n\n" .. done })
    t:network { pieces = 500 }
    ada:say "Hello"
    expect(ada:expect("message").text == text)
end)
