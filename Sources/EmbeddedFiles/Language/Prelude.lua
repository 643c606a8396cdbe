-- The part of the scenario language that is written in Lua: what calls functions of scripts, and sugar on top of host
-- functions. It runs once in each state.

local host = ...
local select, type, tostring, setmetatable, ipairs, concat = select, type, tostring, setmetatable, ipairs, table.concat
local pcall, error, rawequal, rawget, next, pairs = pcall, error, rawequal, rawget, next, pairs
local find, sub, tonumber = string.find, string.sub, tonumber
local remove, character_count = table.remove, utf8.len

-- Refuses arguments that a function would drop, and with them what they were to ask for; nil is none.
local function excess(name, most, ...)
    for index = 1, select("#", ...) do
        if (select(index, ...)) ~= nil then host.refuse(("%s takes %s"):format(name, most)) end
    end
end

-- Refuses a call with a colon, which makes the table that the function stands in its first argument: a copy of ours, of
-- which each scenario has its own.
local function dotted(library, name, own, first)
    if type(first) == "table" and rawequal(rawget(first, name), own[name]) then
        host.refuse(("%s.%s is called with a dot, not with a colon: write %s.%s(…)"):format(library, name, library, name))
    end
end

-- Registration ------------------------------------------------------------------------------------------

local group_meta = { __close = function() host.group_end() end }
function group(name, body, ...)
    host.group_begin(name, body, ...)
    -- Also where an error of the body is caught.
    local ending <close> = setmetatable({}, group_meta)
    body()
end

for _, kind in ipairs { "before_each", "after_each", "before_all", "after_all" } do
    _ENV[kind] = function(...) host.hook(kind, ...) end
end

-- Matchers: tables that name themselves, so that they can stand anywhere in a table ------------------------

match = {}
local function constructor(name, extra)
    local most = extra and "no more than two arguments" or "one argument"
    match[name] = function(value, other, ...)
        dotted("match", name, match, value)
        if not extra then excess("match." .. name, most, other) end
        excess("match." .. name, most, ...)
        local matcher = { ["@match"] = name, value = value }
        if extra then matcher[extra] = other end
        return matcher
    end
end
for _, name in ipairs { "contains", "glob", "regex", "one_of", "all_of", "has", "count", "equals", "type", "is_not",
    "template", "button", "buttons", "card", "form", "table", "schema", "json",
    "personal_data", "leaks" } do
    constructor(name)
end
-- A matcher that takes nothing is a value; as the others are called, so is it by mistake.
local function ready(name, matcher)
    local function called() host.refuse(("match.%s is a matcher itself: write it without parentheses"):format(name)) end
    match[name] = setmetatable(matcher, host.own { __metatable = false, __call = called })
end
for _, name in ipairs { "uuid", "number", "integer", "date", "money", "word" } do
    ready(name, { ["@match"] = "typed", value = name })
end
constructor("fuzzy", "ratio")
constructor("token_set", "ratio")
constructor("word_error_rate", "ratio")
constructor("capture", "matcher")
constructor("near", "tolerance")
constructor("between", "high")
constructor("path", "matcher")
constructor("judged", "options")
constructor("means", "options")
ready("any", { ["@match"] = "any" })
ready("absent", { ["@match"] = "absent" })

function match.where(test, description, ...)
    dotted("match", "where", match, test)
    excess("match.where", "no more than a function and a description", ...)
    return { ["@match"] = "test", value = host.keep(test), description = description }
end

-- Refuses a pattern that Lua cannot read. Lua says so itself only where it comes to the place: what such a pattern bans
-- would be allowed wherever a text differs before.
local function unreadable(pattern, problem, place)
    local character = character_count(pattern, 1, place) or place
    host.refuse(("match.pattern cannot read '%s': %s, at character %d"):format(pattern, problem, character))
end

-- The place behind a set of a pattern; whatever stands first in it is one of its characters, a closing bracket as well.
local function behind_set(pattern, begin)
    local place = begin + (sub(pattern, begin + 1, begin + 1) == "^" and 2 or 1)
    repeat
        place = place + (sub(pattern, place, place) == "%" and 2 or 1)
    until place > #pattern or sub(pattern, place, place) == "]"
    if place > #pattern then unreadable(pattern, "a set is not closed", begin) end
    return place + 1
end

-- The place behind a percent sign and what belongs to it; the set of a frontier comes next.
local function behind_percent(pattern, begin, captures)
    local escaped = sub(pattern, begin + 1, begin + 1)
    if escaped == "" then unreadable(pattern, "nothing stands behind %, which is %% as a character", begin) end
    if escaped == "b" then
        if begin + 3 > #pattern then unreadable(pattern, "%b takes two characters, as in %b()", begin) end
        return begin + 4
    elseif escaped == "f" then
        if sub(pattern, begin + 2, begin + 2) ~= "[" then unreadable(pattern, "%f takes a set, as in %f[%w]", begin) end
    elseif find(escaped, "%d") and not captures[tonumber(escaped)] then
        unreadable(pattern, "no capture " .. escaped .. " is closed before", begin)
    end
    return begin + 2
end

-- How many captures a pattern of Lua may have (LUA_MAXCAPTURES).
local most_captures = 32

-- A pattern that fits whole texts alone. The dollar at its end may be an anchor, or be escaped, or one of the two of
-- `%b`.
local function anchored(pattern)
    local place, last = 1, nil
    -- Whether each capture is closed, and the places and numbers of those that are not.
    local captures, open = {}, {}
    while place <= #pattern do
        last = sub(pattern, place, place)
        if last == "%" then
            place = behind_percent(pattern, place, captures)
        elseif last == "[" then
            place = behind_set(pattern, place)
        else
            if last == "(" then
                if #captures == most_captures then unreadable(pattern, "Lua takes 32 captures", place) end
                captures[#captures + 1] = false
                open[#open + 1] = { place = place, number = #captures }
            elseif last == ")" then
                if #open == 0 then unreadable(pattern, "no capture is open here; %) is the character", place) end
                captures[remove(open).number] = true
            end
            place = place + 1
        end
    end
    if #open > 0 then unreadable(pattern, "a capture is not closed; %( is the character", open[#open].place) end
    return "^" .. pattern:gsub("^%^", "") .. (last ~= "$" and "$" or "")
end

function match.pattern(pattern, ...)
    dotted("match", "pattern", match, pattern)
    excess("match.pattern", "one argument", ...)
    if type(pattern) ~= "string" then host.refuse("match.pattern takes a string, not " .. type(pattern)) end
    local whole = anchored(pattern)
    return match.where(function(value)
        if type(value) ~= "string" then return false end
        -- Called without a line of the prelude around it, so that its errors name none.
        local done, found = pcall(find, value, whole)
        if not done then error(found, 0) end
        return found ~= nil
    end, "text that matches as a whole the Lua pattern '" .. pattern .. "'")
end

-- Event expressions ---------------------------------------------------------------------------------------

function event(name, fields, ...)
    excess("event", "no more than a name and fields; options are the last argument of expect", ...)
    return { ["@expect"] = "event", event = name, fields = fields }
end
local function combinator(name)
    return function(items, ...)
        excess(name, "one list of events; options are the last argument of expect", ...)
        return { ["@expect"] = name, items = items }
    end
end
all, any, seq, interleave = combinator "all", combinator "any", combinator "seq", combinator "interleave"
function maybe(item, ...)
    excess("maybe", "one event; one with fields is maybe(event(\"message\", { text = … }))", ...)
    return { ["@expect"] = "maybe", items = { item } }
end

-- Methods that call back into scripts -----------------------------------------------------------------------

-- What is under way when a body ends still breaks its guard.
local function settled(actor, guard, ...)
    actor["@settle_guard"](actor, guard)
    return ...
end

local function never(actor, what, fields, body, ...)
    local most = "no more than an event, its fields, and then a body"
    if type(what) == "function" then
        host.refuse("never takes an event before its body: actor:never(\"error\", function() … end)")
    end
    if type(fields) == "function" then
        excess("never", most, body)
        fields, body = nil, fields
    end
    excess("never", most, ...)
    local guard = actor["@guard"](actor, what, fields)
    if body == nil then return end
    local ending <close> = setmetatable({}, { __close = function() actor["@end_guard"](actor, guard) end })
    return settled(actor, guard, body())
end

-- Flow ------------------------------------------------------------------------------------------------------

local step_meta = { __close = function(begun) host.step_end(begun.number, begun.is_complete) end }
local function completed(begun, ...)
    begun.is_complete = true
    return ...
end
function step(name, options, body, ...)
    excess("step", "no more than a name, options and a body", ...)
    if body == nil then options, body = {}, options end
    local begun <close> = setmetatable({ number = host.step_begin(name, options, body), is_complete = false }, step_meta)
    return completed(begun, body())
end

local thread_meta = host.own { __name = "thread of a scenario", __index = {}, __metatable = false }
function thread_meta.__close(thread) host.cancel(thread.number) end
function spawn(body, ...)
    return setmetatable({ number = host.spawn(body, ...) }, thread_meta)
end
function join(...)
    local threads = { ... }
    for index = 1, select("#", ...) do
        local thread = threads[index]
        if type(thread) ~= "table" or type(rawget(thread, "number")) ~= "number" then host.no_thread(index, thread) end
    end
    local result
    for _, thread in ipairs(threads) do result = host.join(thread.number) end
    return result
end
thread_meta.__index.join = join
function thread_meta.__index:cancel() host.cancel(self.number) end

function assert(value, message, ...)
    host.asserts()
    if value then return value, message, ... end
    host.assertion_failed(message)
end

-- Tables that are no JSON are printed up to about so many bytes, and so many levels deep.
local most_bytes, most_levels = 4000, 8

local outline
-- The text of a value in a table that is no JSON: of one with functions, with itself, with actors.
local function part(value, state)
    local kind, text = type(value), nil
    if kind == "string" or kind == "userdata" then text = host.shown(value) end
    text = text or tostring(value)
    if kind == "table" and find(text, "^table: %d+$") then
        if next(value) ~= nil then return outline(value, state) end
        text = host.shown(value) or "{}"
    end
    state.bytes_left = state.bytes_left - #text
    return text
end

function outline(value, state)
    if state.enclosing[value] then return "(itself)" end
    if state.levels_left == 0 then return "…" end
    state.enclosing[value], state.levels_left = true, state.levels_left - 1
    local parts, elements, is_list = {}, 0, true
    for key, item in pairs(value) do
        if state.bytes_left <= 0 then
            parts[#parts + 1] = "…"
            break
        end
        local name = ""
        if key == elements + 1 then
            elements = key
        else
            is_list = false
            name = (type(key) == "string" and host.shown(key) or "[" .. tostring(key) .. "]") .. ":"
        end
        state.bytes_left = state.bytes_left - #name - 1
        parts[#parts + 1] = name .. part(item, state)
    end
    state.enclosing[value], state.levels_left = nil, state.levels_left + 1
    local text = concat(parts, ",")
    return is_list and "[" .. text .. "]" or "{" .. text .. "}"
end

-- What is printed for a value: a text as it is, a table and a form with what is in them.
local function printed(value)
    local kind = type(value)
    local text = tostring(value)
    if kind == "userdata" then return host.shown(value) or text end
    if kind ~= "table" or not find(text, "^table: %d+$") then return text end
    return host.shown(value) or outline(value, { bytes_left = most_bytes, levels_left = most_levels, enclosing = {} })
end

local function logger(level)
    return function(text, ...)
        dotted("log", level, log, text)
        excess("log." .. level, "one text; print takes several values", ...)
        host.log(level, printed(text))
    end
end
log = {
    debug = logger "debug", info = logger "info", warn = logger "warn",
}
function print(...)
    local parts = {}
    for index = 1, select("#", ...) do parts[index] = printed((select(index, ...))) end
    host.log("info", concat(parts, "\t"))
end
