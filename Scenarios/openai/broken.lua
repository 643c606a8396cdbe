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
local streams = {
    { name = "nothing", text = "" },
    { name = "an end without [DONE]", text = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n' },
    { name = "no JSON", text = "data: {\n\n" .. done },
    { name = "a number", text = "data: 7\n\n" .. done },
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
}
scenario("a broken stream is an error", { tags = { "openai", "broken" }, rows = streams }, function(t, row)
    local ada = broken(t, { row.text })
    ada:say "Hello"
    ada:expect("error", { code = "protocol" })
end)

local bodies = {
    { name = "nothing", text = "" }, { name = "no JSON", text = "<html>" }, { name = "a list", text = "[]" },
    { name = "null", text = "null" }, { name = "no choices", text = "{}" }, { name = "no choice", text = '{"choices":[]}' },
    { name = "no message", text = '{"choices":[{}]}' }, { name = "a message that is none", text = '{"choices":[{"message":1}]}' },
    { name = "an error with 200", text = '{"error":"no"}' },
    { name = "tool calls that are none", text = '{"choices":[{"message":{"tool_calls":[1]}}]}' },
}
scenario("a broken answer is an error", { tags = { "openai", "broken" }, rows = bodies }, function(t, row)
    local ada = broken(t, row.text, true)
    ada:say "Hello"
    ada:expect("error", { code = "protocol", status = 200 })
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
