-- What `openai` reads: the chunks and answers of chat completions. What breaks the protocol raises a text that says
-- how.
local events = {}

-- The longest text of an answer that is read, in bytes.
local most_bytes = 4 * 1024 * 1024

local function text_of(value) return type(value) == "string" and value or nil end

local function choice_of(value)
    local choices = value.choices
    if type(choices) ~= "table" then error("an answer without choices", 0) end
    local choice = choices[1]
    if choice ~= nil and type(choice) ~= "table" then error("a choice that is no object", 0) end
    return choice
end

local function problem_of(value)
    local problem = value.error
    if problem == nil or problem == json.null then return end
    local message = type(problem) == "table" and text_of(problem.message) or text_of(problem)
    error("the server told of an error: " .. (message or json.encode(problem)), 0)
end

-- Returns what joins the chunks of a stream: `add` gets the data of an event and returns the text that it brings, if
-- any.
-- `has_begun` says whether a text or the call of a tool has come.
function events.joined()
    local joined = { is_done = false, has_begun = false }
    local calls, order, texts, length = {}, {}, {}, 0
    -- Returns a text of the answer, nil for none; what the server chooses counts, be it said or an argument.
    local function counted(value)
        local text = text_of(value)
        if not text or text == "" then return nil end
        length = length + #text
        if length > most_bytes then error("an answer of more than " .. most_bytes .. " bytes", 0) end
        return text
    end
    local function add_call(part)
        if type(part) ~= "table" then error("a tool call that is no object", 0) end
        local index = math.tointeger(part.index) or #order
        if index < 0 or index > 255 then error("a tool call with the index " .. index, 0) end
        local call = calls[index]
        if not call then
            call = { id = "", names = {}, parts = {} }
            joined.has_begun = true
            calls[index] = call
            order[#order + 1] = index
        end
        local func = type(part["function"]) == "table" and part["function"] or {}
        call.id = text_of(part.id) or call.id
        call.names[#call.names + 1] = counted(func.name)
        call.parts[#call.parts + 1] = counted(func.arguments)
    end
    function joined.add(data)
        if joined.is_done then return nil end
        if data == "[DONE]" then
            joined.is_done = true
            return nil
        end
        local chunk = json.decode(data)
        if type(chunk) ~= "table" then error("a chunk that is no object: " .. data:sub(1, 60), 0) end
        problem_of(chunk)
        if type(chunk.usage) == "table" then joined.usage = chunk.usage end
        local choice = choice_of(chunk)
        if not choice then return nil end
        joined.reason = text_of(choice.finish_reason) or joined.reason
        local delta = type(choice.delta) == "table" and choice.delta or {}
        if type(delta.tool_calls) == "table" then
            for _, part in ipairs(delta.tool_calls) do add_call(part) end
        end
        local text = counted(delta.content)
        if not text then return nil end
        texts[#texts + 1] = text
        joined.has_begun = true
        return text
    end
    function joined.text() return table.concat(texts) end
    function joined.calls()
        local list = {}
        table.sort(order)
        for place, index in ipairs(order) do
            local call = calls[index]
            local name = table.concat(call.names)
            if name == "" then error("a tool call without a name", 0) end
            list[place] = { id = call.id, name = name, arguments = table.concat(call.parts) }
        end
        return list
    end
    return joined
end

-- Reads an answer that came as a whole.
function events.whole(value)
    if type(value) ~= "table" then error("an answer that is no object", 0) end
    problem_of(value)
    local choice = choice_of(value)
    local message = choice and choice.message
    if type(message) ~= "table" then error("an answer without a message", 0) end
    local joined = events.joined()
    local delta = { content = message.content }
    if type(message.tool_calls) == "table" then
        delta.tool_calls = {}
        for place, call in ipairs(message.tool_calls) do
            if type(call) ~= "table" then error("a tool call that is no object", 0) end
            call.index = place - 1
            delta.tool_calls[place] = call
        end
    end
    joined.add(json.encode { choices = { { delta = delta } } })
    return { text = joined.text(), calls = joined.calls(), reason = text_of(choice.finish_reason), usage = value.usage }
end

return events
