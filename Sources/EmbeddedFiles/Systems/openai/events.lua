-- What `openai` reads: the chunks and answers of chat completions. What breaks the protocol raises a text that says
-- how.
local events = {}

-- The longest text of an answer that is read, in bytes.
local most_bytes = 4 * 1024 * 1024

local function text_of(value) return type(value) == "string" and value or nil end
local function is_told(value) return value ~= nil and value ~= json.null end
local function is_list(value) return type(value) == "table" and (#value > 0 or next(value) == nil) end

-- Reads a text that need not be there.
local function optional_text(value, what)
    if is_told(value) and not text_of(value) then
        error(("%s that is no text: %s"):format(what, json.encode(value):sub(1, 60)), 0)
    end
    return text_of(value)
end

-- Returns the choice of an answer or a chunk, nil for none: one is asked for, and a second one would go unheard.
local function choice_of(value)
    local choices = value.choices
    if not is_list(choices) then error("an answer without choices", 0) end
    for place, choice in ipairs(choices) do
        if type(choice) ~= "table" then error("a choice that is no object", 0) end
        local index = is_told(choice.index) and choice.index or place - 1
        if index ~= 0 then error("a choice with the index " .. tostring(index) .. ": one is asked for", 0) end
    end
    return choices[1]
end

-- Returns the texts of a content, which some servers send as a list of parts. Parts without a text, such as images,
-- say nothing.
local function texts_of(content)
    if not is_told(content) then return {} end
    if type(content) == "string" then return { content } end
    if not is_list(content) then
        error("a content that is neither a text nor a list of parts: " .. json.encode(content):sub(1, 60), 0)
    end
    local texts = {}
    for _, part in ipairs(content) do
        if type(part) ~= "table" then error("a part of a content that is no object", 0) end
        texts[#texts + 1] = optional_text(part.text, "a part of a content")
        texts[#texts + 1] = optional_text(part.refusal, "a refusal")
    end
    return texts
end

local function problem_of(value)
    local problem = value.error
    if problem == nil or problem == json.null then return end
    local message = type(problem) == "table" and text_of(problem.message) or text_of(problem)
    error("the server told of an error: " .. (message or json.encode(problem)), 0)
end

-- Returns what joins the chunks of a stream: `add` gets the data of an event and returns the text that it brings, if
-- any; `take` gets a choice.
-- `has_begun` says whether a text or the call of a tool has come, `is_done` whether [DONE] has, with which a stream
-- ends.
function events.joined()
    local joined = { is_done = false, has_begun = false }
    local calls, order, texts, length = {}, {}, {}, 0
    local id
    local has_choice = false
    -- Returns a text of the answer, nil for none; what the server chooses counts, be it said or an argument.
    local function counted(value)
        local text = text_of(value)
        if not text or text == "" then return nil end
        length = length + #text
        if length > most_bytes then error("an answer of more than " .. most_bytes .. " bytes", 0) end
        if joined.reason then error("more of the answer behind its finish_reason: " .. text:sub(1, 60), 0) end
        return text
    end
    local function add_call(part)
        if type(part) ~= "table" then error("a tool call that is no object", 0) end
        local index = math.tointeger(part.index) or #order
        if index < 0 or index > 255 then error("a tool call with the index " .. index, 0) end
        local call = calls[index]
        if not call then
            call = { names = {}, parts = {} }
            joined.has_begun = true
            calls[index] = call
            order[#order + 1] = index
        end
        local func = type(part["function"]) == "table" and part["function"] or {}
        -- Some send an empty one with each later piece.
        if part.id ~= "" then call.id = text_of(part.id) or call.id end
        call.names[#call.names + 1] = counted(func.name)
        call.parts[#call.parts + 1] = counted(optional_text(func.arguments, "a member arguments"))
    end
    function joined.add(data)
        if joined.is_done then return nil end
        if data == "[DONE]" then
            if not has_choice then error("[DONE] came before any choice, so that there is no answer", 0) end
            joined.is_done = true
            return nil
        end
        local chunk = json.decode(data, "unambiguous")
        if type(chunk) ~= "table" then error("a chunk that is no object: " .. data:sub(1, 60), 0) end
        problem_of(chunk)
        if type(chunk.usage) == "table" then joined.usage = chunk.usage end
        local choice = choice_of(chunk)
        if not choice then return nil end
        has_choice = true
        -- Some begin with a chunk that has none yet.
        local own = text_of(chunk.id) ~= "" and text_of(chunk.id) or nil
        if id and own and own ~= id then error("a chunk of the answer " .. own .. " within " .. id, 0) end
        id = id or own
        return joined.take(choice)
    end
    function joined.take(choice)
        local delta = is_told(choice.delta) and choice.delta or {}
        if type(delta) ~= "table" then error("a delta that is no object", 0) end
        local role = optional_text(delta.role, "a role") or ""
        if role ~= "" and role ~= "assistant" then error("an answer with the role " .. role, 0) end
        if is_told(delta.tool_calls) then
            if not is_list(delta.tool_calls) then error("tool calls that are no list", 0) end
            for _, part in ipairs(delta.tool_calls) do add_call(part) end
        end
        local said = texts_of(delta.content)
        -- A model that refuses says so in a member of its own.
        said[#said + 1] = optional_text(delta.refusal, "a refusal")
        local text = counted(table.concat(said))
        local reason = optional_text(choice.finish_reason, "a finish_reason")
        if reason and reason ~= "" then joined.reason = reason end
        if not text then return nil end
        texts[#texts + 1] = text
        joined.has_begun = true
        return text
    end
    -- Returns what to say of a stream that has ended without [DONE].
    function joined.missing()
        local reason = joined.reason and (", behind the finish_reason %q"):format(joined.reason)
        return "the stream ended before [DONE]" .. (reason or " and without a finish_reason")
    end
    function joined.text() return table.concat(texts) end
    function joined.calls()
        local list = {}
        table.sort(order)
        for place, index in ipairs(order) do
            local call = calls[index]
            local name = table.concat(call.names)
            if name == "" then error("a tool call without a name", 0) end
            if not call.id then error("a tool call without an id: " .. name, 0) end
            list[place] = { id = call.id, name = name, arguments = table.concat(call.parts) }
        end
        if #list == 0 and joined.reason == "tool_calls" then error("the finish_reason tool_calls without a call", 0) end
        return list
    end
    return joined
end

-- Returns whether the data of an event bring a text or the call of a tool.
function events.has_begun(data)
    local joined = events.joined()
    -- What cannot be read says nothing, unless it has begun to.
    pcall(joined.add, data)
    return joined.has_begun
end

-- Reads an answer that came as a whole.
function events.whole(value)
    if type(value) ~= "table" then error("an answer that is no object", 0) end
    problem_of(value)
    local choice = choice_of(value)
    local message = choice and choice.message
    if type(message) ~= "table" then error("an answer without a message", 0) end
    if type(message.tool_calls) == "table" then
        for place, call in ipairs(message.tool_calls) do
            if type(call) ~= "table" then error("a tool call that is no object", 0) end
            call.index = place - 1
        end
    end
    local joined = events.joined()
    joined.take { delta = message, finish_reason = choice.finish_reason }
    return { text = joined.text(), calls = joined.calls(), reason = joined.reason, usage = value.usage }
end

return events
