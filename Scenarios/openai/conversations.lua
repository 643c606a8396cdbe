-- Chat completions: answers whole and streamed, tools, refusals, and what a conversation costs.
local openai = require "openai"

for _, stream in ipairs { true, false } do
    local how = stream and "streamed" or "whole"

    scenario("a question is answered, " .. how, { tags = { "openai" } }, function(t)
        local server = t:server(openai)
        local ada = t:actor(openai, { stream = stream, model = "small", system = "You are a shop." })
        ada:say "Where is my order?"
        ada:expect("message", { text = "You said: Where is my order?", from = "assistant", finish_reason = "stop" })
        expect(#ada.messages, 3)
    end)

    scenario("the model sees the whole conversation, " .. how, { tags = { "openai" } }, function(t)
        local server = t:server(openai, { answer = function(messages) return #messages .. " messages" end })
        local peer = server:peer "model"
        local ada = t:actor(openai, { stream = stream })
        ada:say "One"
        ada:expect("message", { text = "1 messages" })
        ada:say "Two"
        ada:expect("message", { text = "3 messages" })
        ada:reset()
        ada:say "Three"
        ada:expect("message", { text = "1 messages" })
        peer:expect("request", { stream = stream, messages = match.count(1) })
    end)

    scenario("a tool is called, answered, and the model goes on, " .. how, { tags = { "openai", "tools" } }, function(t)
        t:server(openai, { answer = function(messages)
            local last = messages[#messages]
            if last.role == "tool" then return "It is " .. json.decode(last.content).state end
            return { { name = "find_order", arguments = { number = 1815, notes = { "größer", "\"quoted\"" } } } }
        end })
        local ada = t:actor(openai, { stream = stream })
        ada:say "Where is order 1815?"
        local call = ada:expect("tool_call", {
            name = "find_order", arguments = { number = 1815, notes = { "größer", "\"quoted\"" } },
        })
        ada:answer_tool(call.id, { state = "shipped" })
        ada:expect("message", { text = "It is shipped" })
    end)

    scenario("several tools are answered before the model goes on, " .. how, { tags = { "openai", "tools" } }, function(t)
        t:server(openai, { answer = function(messages)
            if messages[#messages].role == "tool" then return #messages .. " messages" end
            return { { name = "first", arguments = { a = 1 } }, { name = "second", arguments = { b = 2 } } }
        end })
        local ada = t:actor(openai, { stream = stream })
        ada:say "Both"
        local first = ada:expect("tool_call", { name = "first", arguments = { a = 1 } })
        local second = ada:expect("tool_call", { name = "second", arguments = { b = 2 } })
        ada:answer_tool(first.id, "one")
        ada:expect_silence("5s", "message")
        ada:answer_tool(second.id, "two")
        ada:expect("message", { text = "4 messages" })
    end)

    scenario("who speaks before calls are answered is refused, " .. how, { tags = { "openai", "tools" } }, function(t)
        local count = 0
        t:server(openai, { answer = function(messages)
            count = count + 1
            if #messages > 1 then return "Fine." end
            return { { name = "first", arguments = {} }, { name = "second", arguments = {} } }
        end })
        local ada = t:actor(openai, { stream = stream })
        ada:say "Both"
        local first, second = ada:expect "tool_call", ada:expect "tool_call"
        ada:answer_tool(first.id, "one")
        ada:say "Are you there?"
        local why = match.glob("*must be followed by tool messages*did not have response messages: " .. second.id)
        ada:expect("refused", { status = 400, code = "invalid_request_error", message = why })
        expect(count, 1)
        ada:reset()
        ada:say "Both"
        ada:answer_tool(ada:expect("tool_call", { name = "first" }).id, "one")
        ada:answer_tool(ada:expect("tool_call", { name = "second" }).id, "two")
        ada:expect("message", { text = "Fine." })
    end)

    scenario("who asks too often is told when to come again, " .. how, { tags = { "openai", "limits" } }, function(t)
        t:server(openai, { answer = function()
            return { status = 429, code = "rate_limit_exceeded", message = "slow down", headers = { ["retry-after"] = "7" } }
        end })
        local ada = t:actor(openai, { stream = stream })
        ada:say "Hello"
        ada:expect("rate_limited", { message = "slow down", retry_after = 7 })
    end)

    local tags = { "openai", "limits" }
    scenario("when to come again may be a date, or no time at all, " .. how, { tags = tags }, function(t)
        local header
        t:server(openai, { answer = function()
            return { status = 429, message = "slow down", headers = { ["retry-after"] = header } }
        end })
        local ada = t:actor(openai, { stream = stream })
        -- A date that has passed leaves nothing to wait for.
        for _, past in ipairs { "Wed, 21 Oct 2015 07:28:00 GMT", "Wed Oct 21 07:28:00 2015" } do
            header = past
            ada:say "Hello"
            ada:expect("rate_limited", { retry_after = 0, retry_after_text = match.absent })
        end
        for _, other in ipairs { "soon", "1.5", "-1", "0x10", "1e3", "+2", "2026-10-21", "2s" } do
            header = other
            ada:say "Hello"
            ada:expect("rate_limited", { retry_after = match.absent, retry_after_text = other })
        end
    end)

    scenario("a refusal says why, " .. how, { tags = { "openai", "limits" } }, function(t)
        t:server(openai, { answer = function()
            return { status = 401, code = "invalid_api_key", message = "who are you?" }
        end })
        local ada = t:actor(openai, { stream = stream })
        ada:say "Hello"
        ada:expect("refused", { status = 401, code = "invalid_api_key", message = "who are you?" })
    end)

    scenario("what an answer costs is told, " .. how, { tags = { "openai", "usage" } }, function(t)
        t:server(openai)
        local ada = t:actor(openai, { stream = stream })
        ada:say "one two three"
        ada:expect(all {
            event("usage", { prompt_tokens = 3, completion_tokens = 5, total_tokens = 8 }),
            event("message", { text = "You said: one two three" }),
        })
    end)
end

scenario("pieces of a stream are told with their times", { tags = { "openai", "tokens" } }, function(t)
    t:server(openai, { pace = "200ms", answer = function() return "one two three" end })
    local ada = t:actor(openai)
    ada:say "Count"
    ada:expect("token", { text = "one", time = match.near(0.2, 0.05) })
    ada:expect("token", { text = " two", gap = match.near(0.2, 0.05) })
    ada:expect("token", { text = " three" })
    ada:expect("stream_ended", { complete = true, text = "one two three", time_to_last = match.near(0.6, 0.1) })
    ada:expect("message", { text = "one two three" })
end)

-- A command that is refused before anything is sent, and why.
local function refused(why, command, ...)
    local passed, problem = pcall(command, ...)
    expect(passed, false)
    expect(tostring(problem), match.contains(why))
end

scenario("a call of a tool is answered once, and nothing else is", { tags = { "openai", "tools", "mistakes" } }, function(t)
    t:server(openai, { answer = function(messages)
        if messages[#messages].role == "tool" then return "Done." end
        return { { name = "one" }, { name = "two" } }
    end })
    local ada = t:actor(openai)
    refused("there is no call of a tool", ada.answer_tool, ada, "call_1", "one")
    ada:say "Do it"
    local first, second = ada:expect "tool_call", ada:expect "tool_call"
    refused("there is no call of a tool", ada.answer_tool, ada, first.id .. "x", "one")
    ada:answer_tool(first.id, "one")
    refused("there is no call of a tool", ada.answer_tool, ada, first.id, "again")
    ada:answer_tool(second.id, "two")
    ada:expect("message", { text = "Done." })
    refused("there is no call of a tool", ada.answer_tool, ada, second.id, "late")
end)

scenario("who speaks while an answer is under way is refused, and heard after it", { tags = { "openai", "mistakes" } }, function(t)
    t:server(openai)
    local ada = t:actor(openai)
    ada:say "One"
    for _, command in ipairs { function() ada:say "Two" end, function() ada:reset() end } do
        refused("an answer is still under way", command)
    end
    ada:expect("message", { text = "You said: One" })
    ada:say "Two"
    ada:expect("message", { text = "You said: Two" })
    expect(#ada.messages, 4)
end)
