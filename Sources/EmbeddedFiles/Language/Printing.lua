-- What scripts write into the log: `log` and `print`.

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
