-- openai: chat completions as OpenAI's API has them, and vLLM, Ollama, llama.cpp, LiteLLM and many others as well.
-- After https://platform.openai.com/docs/api-reference/chat.
--
--     local ada = t:actor(openai, { model = "small", token = secret "API_KEY", system = "You are a shop." })
--     ada:say "Where is my order?"
--     ada:expect("message", { text = match.contains "on its way" })
--
-- The client keeps the conversation: each `say` sends all of it, and what the model answers is added, so that nothing
-- can be said while an answer is under way. Answers are streamed unless `stream = false`: `token` is a piece, with the
-- time since the question or since the piece before it, `message` the whole text, `usage` what it took. A model that
-- calls tools is observed by
--
--     local call = ada:expect("tool_call", { name = "find_order", arguments = { number = 1815 } })
--     ada:answer_tool(call.id, { state = "shipped" })        -- and the model goes on
--
-- whose arguments are joined from their pieces and read as JSON; with several calls in one answer the model goes on
-- when all are answered. What a model says in its member `refusal` is a `message`, too. `refused` is an answer with an
-- error (its status, code and message), `rate_limited` one of 429. A server that breaks the protocol is the event
-- `error` with the code "protocol": a second choice, a chunk of another answer, a call without an id or whose arguments
-- are no text of a JSON object, and what comes behind the `finish_reason` or [DONE] are such breaks, too.
local S = system {
    name = "openai", title = "OpenAI chat completions", client = "user",
    options = {
        path = "string?",                          -- "/v1/chat/completions" unless given
        model = "string?", token = "string?", headers = "table?", system = "string?", tools = "list?",
        stream = "boolean?", timeout = "duration?",
        parameters = "table?",                     -- more members of the request, such as temperature
    },
    server_options = {
        -- Gets the messages and the whole request; returns a text, or a list of tool calls { name, arguments }, or a
        -- table { status, code, message, headers } to refuse. An echo unless given.
        answer = "function?",
        pace = "duration?",                        -- between two pieces of a stream; 10ms unless given
    },
    properties = { messages = "list?", model = "string?" },
    events = {
        token = { text = "string", time = "number?", gap = "number?" },
        message = { text = "string", from = "string", finish_reason = "string?" },
        message_sent = { text = "string" },
        tool_call = { id = "string", name = "string", arguments = "any?", text = "string" },
        usage = {
            prompt_tokens = "integer?", completion_tokens = "integer?", total_tokens = "integer?", cost = "number?",
            time_to_first_token = "number?",
        },
        stream_ended = { text = "string", complete = "boolean", time_to_first = "number?", time_to_last = "number?" },
        refused = { status = "integer", code = "string?", message = "string" },
        rate_limited = { message = "string", retry_after = "number?", retry_after_text = "string?" },
    },
    noise = { "token", "message_sent", "usage", "stream_ended" }, troubles = { "refused" },
    absences = { typing = "The API has no event for it; token tells that the model writes" },
    parties = { peer = {
        events = { request = { model = "string?", messages = "list", stream = "boolean" } }, noise = { "request" },
    } },
}

local events = require "openai.events"

-- The client ----------------------------------------------------------------------------------------------------------

local function fail(me, code, message, answer)
    local text = tostring(message.message or message)
    me:emit("error", {
        code = code, message = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. "",
        status = answer and answer.status or nil,
    })
end

-- Reads a number of tokens: a whole number that is not below zero. What is none is as if it had not been told.
local function count_of(value)
    return type(value) == "number" and value >= 0 and value < 1e15 and math.tointeger(value) or nil
end

-- Tells what an answer took, as far as the server says it: some routers add what it cost. `first` is the time to the
-- first piece of a stream.
local function observe_usage(me, usage, first)
    local told = type(usage) == "table" and usage or {}
    if told == usage or first then
        local cost = type(told.cost) == "number" and told.cost >= 0 and told.cost < 1e9 and told.cost or nil
        me:emit("usage", {
            prompt_tokens = count_of(told.prompt_tokens), completion_tokens = count_of(told.completion_tokens),
            total_tokens = count_of(told.total_tokens), cost = cost, time_to_first_token = first,
        }, told == usage and usage or nil)
    end
end

local function text_of(value) return type(value) == "string" and value or nil end

-- Adds a whole answer to the conversation, and tells of it.
local function observe(me, text, calls, reason)
    local message = { role = "assistant", content = text }
    if #calls > 0 then message.tool_calls = {} end
    for place, call in ipairs(calls) do
        message.tool_calls[place] = {
            id = call.id, type = "function", ["function"] = { name = call.name, arguments = call.arguments },
        }
    end
    table.insert(me.messages, message)
    me._unanswered = {}
    for _, call in ipairs(calls) do me._unanswered[call.id] = (me._unanswered[call.id] or 0) + 1 end
    if text ~= "" then me:emit("message", { text = text, from = "assistant", finish_reason = reason }) end
    for _, call in ipairs(calls) do
        local is_json, arguments = pcall(json.decode, call.arguments ~= "" and call.arguments or "{}", "unambiguous")
        local problem = not is_json and "JSON" or (type(arguments) ~= "table" or #arguments > 0) and "object"
        if problem then
            local shown = call.arguments:sub(1, 100)
            fail(me, "protocol", ("the arguments of %s are no %s: %s"):format(call.name, problem, shown))
        else
            me:emit("tool_call", { id = call.id, name = call.name, arguments = arguments, text = call.arguments })
        end
    end
end

-- Reads the header Retry-After (RFC 9110 section 10.2.3): after how many seconds, or the text if it does not say that.
local function retry_after(text)
    if not text then return nil end
    if text:find "^%d+$" and #text <= 10 then return tonumber(text) + 0.0 end
    local is_date, at = pcall(date.epoch, text)
    if is_date and text:find "^%a" then return math.max(0, at - date.epoch(date.now())) end
    return nil, text
end

-- What a failed answer says: the error of the API, or its body.
local function refuse(me, status, headers, body)
    local is_json, value = pcall(json.decode, body)
    local problem = is_json and type(value) == "table" and value.error or value
    local message, code = body:sub(1, 300), nil
    if is_json and type(problem) == "table" then
        message, code = text_of(problem.message) or message, text_of(problem.code) or text_of(problem.type)
    elseif is_json and type(problem) == "string" then
        message = problem
    end
    if not utf8.len(message) then message = message:gsub("[\128-\255]", "?") end
    if status == 429 then
        local seconds, unread = retry_after(headers["retry-after"])
        me:emit("rate_limited", { message = message, retry_after = seconds, retry_after_text = unread })
    else
        me:emit("refused", { status = status, code = code, message = message })
    end
end

-- `kind` is the type that the answer has: of a page of a proxy it says more than the place where that is no JSON.
local function observe_whole(me, body, kind)
    local is_read, value = pcall(json.decode, body, "unambiguous")
    if not is_read and not pcall(json.decode, body) then
        local shown = body == "" and "nothing" or body:sub(1, 100)
        error(("the answer of type %s is neither a stream of events nor JSON: %s"):format(kind, shown), 0)
    end
    if not is_read then error(value, 0) end
    local answer = events.whole(value)
    observe_usage(me, answer.usage)
    return function() observe(me, answer.text, answer.calls, answer.reason) end
end

local function observe_stream(me, answer, begun)
    local joined = events.joined()
    local first, last, begun_at
    local failure
    while not joined.is_done do
        local event
        event, failure = answer:read "event"
        if not event then break end
        local text = joined.add(event.data)
        if joined.has_begun and not begun_at then begun_at = now() end
        if text then
            local at = now()
            me:emit("token", {
                text = text, time = not first and at - begun or nil, gap = first and at - last or nil,
            })
            first, last = first or at, at
        end
    end
    me:emit("stream_ended", {
        text = joined.text(), complete = joined.is_done, time_to_first = first and first - begun or nil,
        time_to_last = joined.is_done and last and last - begun or nil,
    })
    if not joined.is_done then
        error(failure and failure.message or joined.missing(), 0)
    end
    observe_usage(me, joined.usage, begun_at and begun_at - begun or nil)
    local calls = joined.calls()
    return function() observe(me, joined.text(), calls, joined.reason) end
end

-- Behind [DONE] no text and no call may come. Who leaves the stream open, be it with signs of life, is heard for a
-- while and no longer.
local function observe_rest(me, answer)
    me._rests = me._rests or { count = 0 }
    me._rests.count = me._rests.count + 1
    local name = "rest " .. me._rests.count
    me._rests[name] = answer
    me:after(name, "2s")
    local event, failure
    repeat event, failure = answer:read "event" until not event or events.has_begun(event.data)
    if not me._rests[name] then return end
    me._rests[name] = nil
    me:cancel(name)
    if event then
        answer:close()
        fail(me, "protocol", "the stream went on behind [DONE]: " .. event.data:sub(1, 100), answer)
    elseif failure and failure.code == "protocol" then
        fail(me, "protocol", "the stream went on behind [DONE]: " .. failure.message, answer)
    end
end

-- Sends the conversation, and observes what comes back.
local function complete(me)
    local o = me.options
    local streams = o.stream ~= false
    local body = {}
    for name, value in pairs(o.parameters or {}) do body[name] = value end
    body.model, body.messages, body.tools, body.stream = o.model or "default", me.messages, o.tools, streams
    if streams and body.stream_options == nil then body.stream_options = { include_usage = true } end
    local begun = now()
    local answer = me:request {
        path = o.path or "/v1/chat/completions", json = body, token = o.token, headers = o.headers, stream = true,
        timeout = o.timeout or "60s",
    }
    if answer.failure then
        me._is_answered = true
        return me:emit("error", { code = answer.failure.code, message = answer.failure.message })
    end
    local kind = answer.headers["content-type"] or "unknown"
    local is_stream = kind:find("event-stream", 1, true)
    local understood, act = pcall(function()
        if answer.ok and is_stream then return observe_stream(me, answer, begun) end
        local pieces = {}
        while true do
            local piece, failure = answer:read()
            if failure then error(failure.message, 0) end
            if not piece then break end
            pieces[#pieces + 1] = piece
        end
        local text = table.concat(pieces)
        if not answer.ok then return function() refuse(me, answer.status, answer.headers, text) end end
        return observe_whole(me, text, kind)
    end)
    me._is_answered = true
    if not understood then return fail(me, "protocol", act, answer) end
    act()
    if answer.ok and is_stream then observe_rest(me, answer) end
end

-- What is said while an answer is under way would come before that in the conversation.
local function must_be_answered(me)
    if me._is_answered == false then error("an answer is still under way: expect it first", 0) end
end

local function begin(me)
    must_be_answered(me)
    if me.messages then return end
    me.messages, me._unanswered = {}, {}
    if me.options.system then table.insert(me.messages, { role = "system", content = me.options.system }) end
end

local function ask(me)
    me._is_answered = false
    me:after("complete", 0)
end

-- Says something; the answer comes while the scenario goes on.
S.commands.say = { sends = "text", function(me, text)
    begin(me)
    table.insert(me.messages, { role = "user", content = text })
    ask(me)
end }

-- Answers a call of a tool with a text or a table.
S.commands.answer_tool = { parameters = { "id: string", "result: any" }, function(me, id, result)
    begin(me)
    local count = me._unanswered[id]
    if not count then
        error(("there is no call of a tool %q that is not answered: give the id of the event tool_call"):format(id), 0)
    end
    table.insert(me.messages, {
        role = "tool", tool_call_id = id, content = type(result) == "string" and result or json.encode(result),
    })
    me._unanswered[id] = count > 1 and count - 1 or nil
    if not next(me._unanswered) then ask(me) end
end }

-- Forgets the conversation.
function S.commands.reset(me)
    must_be_answered(me)
    me.messages = nil
end

function S.on.timer(me, name)
    if name == "complete" then return complete(me) end
    local rest = (me._rests or {})[name] or require "systems.no_timer" (me, name)
    rest:close()
    me._rests[name] = nil
end

-- The simulated model -------------------------------------------------------------------------------------------------

local function words_of(text)
    local words = {}
    for word in text:gmatch "%s*%S+" do words[#words + 1] = word end
    if #words == 0 then words[1] = text end
    return words
end

local function usage_of(messages, text)
    local prompt = 0
    for _, message in ipairs(messages) do prompt = prompt + #words_of(tostring(message.content)) end
    local completion = #words_of(text)
    return { prompt_tokens = prompt, completion_tokens = completion, total_tokens = prompt + completion }
end

local function stream(desk, request, text, calls, usage)
    local id, pace = "chatcmpl-" .. random.hex(12), desk.options.pace or 0.01
    request:begin { headers = { ["content-type"] = "text/event-stream", ["cache-control"] = "no-cache" } }
    local function write(choice, more)
        local chunk = { id = id, object = "chat.completion.chunk", model = request.json.model, choices = { choice } }
        if more then chunk.choices, chunk.usage = json.array(), more end
        return request:write("data: " .. json.encode(chunk) .. "\n\n")
    end
    write { index = 0, delta = { role = "assistant", content = "" } }
    for _, word in ipairs(text ~= "" and words_of(text) or {}) do
        wait(pace)
        if not write { index = 0, delta = { content = word } } then return end
    end
    for place, call in ipairs(calls) do
        local half = #call.arguments // 2
        wait(pace)
        local function part(fields) write { index = 0, delta = { tool_calls = { fields } } } end
        part { index = place - 1, id = call.id, type = "function", ["function"] = { name = call.name, arguments = "" } }
        part { index = place - 1, ["function"] = { arguments = call.arguments:sub(1, half) } }
        part { index = place - 1, ["function"] = { arguments = call.arguments:sub(half + 1) } }
    end
    write { index = 0, delta = {}, finish_reason = #calls > 0 and "tool_calls" or "stop" }
    local options = request.json.stream_options
    if type(options) == "table" and options.include_usage then write(nil, usage) end
    request:write "data: [DONE]\n\n"
end

local function refusal(status, code, message)
    return { status = status, json = { error = { message = message, type = code, code = code } } }
end

-- What the members of the tables are that the option `answer` may return.
local function is_text(value) return type(value) == "string" end
local function is_table(value) return type(value) == "table" end
local of_refusal = {
    status = function(value) return math.type(value) == "integer" and value >= 300 and value <= 599 end,
    code = is_text, message = is_text, headers = is_table,
}
local of_call = { name = is_text, arguments = function() return true end }

local function check_members(table, members, form)
    for name, value in pairs(table) do
        if not members[name] then error(("answer returned a table with %q; %s"):format(name, form), 0) end
        if not members[name](value) then
            local shown = is_text(value) and "\"" .. value .. "\"" or tostring(value)
            error(("answer returned a table whose %s is %s; %s"):format(name, shown, form), 0)
        end
    end
end

-- What a scenario answers in the model's place must be something that an answer can be.
local function check_answer(answer)
    if is_text(answer) then return end
    if not is_table(answer) then error("answer must return a text or a table, not " .. tostring(answer), 0) end
    if #answer == 0 then
        local form = "to refuse it has status (300 to 599), code, message and headers"
        check_members(answer, of_refusal, form)
        if next(answer) and not answer.status then error("answer returned a table without a status; " .. form, 0) end
        return
    end
    local form = "each call of a tool is a table with a name and arguments"
    for _, call in pairs(answer) do
        if not is_table(call) then error(("answer returned a list with %s; %s"):format(tostring(call), form), 0) end
        check_members(call, of_call, form)
        if not call.name then error("answer returned a call without a name; " .. form, 0) end
    end
end

-- Returns the ids of the calls of tools that are not answered before another message follows, or before the model is to
-- go on.
local function open_calls(messages)
    local open = {}
    for _, message in ipairs(messages) do
        if message.role == "tool" then
            for place = #open, 1, -1 do if open[place] == message.tool_call_id then table.remove(open, place) end end
        elseif #open > 0 then
            return open
        end
        for _, call in ipairs(type(message.tool_calls) == "table" and message.tool_calls or {}) do
            if type(call) == "table" and type(call.id) == "string" then open[#open + 1] = call.id end
        end
    end
    return open
end

-- Says what is wrong with a request; nil if nothing is.
local function mistake(request)
    local body = request.json
    if request.method ~= "POST" or type(body) ~= "table" or type(body.messages) ~= "table" or #body.messages == 0 then
        return "messages are needed"
    end
    for _, message in ipairs(body.messages) do
        if type(message) ~= "table" then return "a message is an object" end
    end
    local open = open_calls(body.messages)
    if #open == 0 then return nil end
    return "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        .. "'tool_call_id'. The following tool_call_ids did not have response messages: " .. table.concat(open, ", ")
end

-- An answer that comes whole.
local function completion(body, text, calls, usage)
    local message = { role = "assistant", content = text }
    for place, call in ipairs(calls) do
        message.tool_calls = message.tool_calls or {}
        message.tool_calls[place] = {
            id = call.id, type = "function", ["function"] = { name = call.name, arguments = call.arguments },
        }
    end
    local reason = #calls > 0 and "tool_calls" or "stop"
    return { json = {
        id = "chatcmpl-" .. random.hex(12), object = "chat.completion", model = body.model, usage = usage,
        choices = { { index = 0, message = message, finish_reason = reason } },
    } }
end

function S.server.request(desk, request)
    local wrong, body = mistake(request), request.json
    if wrong then return refusal(400, "invalid_request_error", wrong) end
    local last = body.messages[#body.messages]
    for _, party in pairs(desk.parties) do
        party:emit("request", {
            model = type(body.model) == "string" and body.model or nil, messages = body.messages,
            stream = body.stream == true,
        })
    end
    local answer = "You said: " .. tostring(last.content)
    if desk.options.answer then
        answer = desk.options.answer(body.messages, body)
        check_answer(answer)
    end
    if type(answer) == "table" and answer.status then
        local refused = refusal(answer.status, answer.code or "error", answer.message or "no")
        refused.headers = answer.headers
        return refused
    end
    local calls, text = {}, ""
    if type(answer) == "table" then
        for place, call in ipairs(answer) do
            local arguments = json.encode(call.arguments or {})
            calls[place] = { id = "call_" .. random.hex(8), name = call.name, arguments = arguments }
        end
    else
        text = answer
    end
    local usage = usage_of(body.messages, text)
    if body.stream then return stream(desk, request, text, calls, usage) end
    return completion(body, text, calls, usage)
end

return S
