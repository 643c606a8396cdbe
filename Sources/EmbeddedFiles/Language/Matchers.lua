-- Matchers: tables that name themselves, so that they can stand anywhere in a table.

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
