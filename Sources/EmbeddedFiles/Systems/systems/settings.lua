-- The options of a client, and those that a system which extends its own gives to `connect` for all of its clients:
-- what an actor is given itself goes before.
--
-- `declared` has the options that there are, by name. Those of an actor have been held against it; a duration among the
-- others is a number of seconds.
local said = {
    string = "a text", table = "a table", boolean = "true or false", integer = "an integer",
    duration = "a number of seconds", ["function"] = "a function",
}

local function fits(kind, value)
    if kind == "integer" then return math.type(value) == "integer" end
    if kind == "duration" then return type(value) == "number" and value >= 0 end
    if said[kind] then return type(value) == kind end
    for word in kind:gmatch "[^|]+" do
        if value == word then return true end
    end
    return false
end

return function(me, declared, given)
    local settings = {}
    for name, value in pairs(given or {}) do
        if not declared[name] then error(('connect takes no option "%s"'):format(tostring(name)), 0) end
        local kind = declared[name]:match "^[^?]+"
        if not fits(kind, value) then
            local wanted = said[kind] or kind:gsub("|", " or ")
            error(('connect takes the option "%s" as %s, and not %s'):format(name, wanted, tostring(value)), 0)
        end
        settings[name] = value
    end
    for name, value in pairs(me.options) do settings[name] = value end
    return settings
end
