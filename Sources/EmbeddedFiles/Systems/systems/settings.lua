-- The options of a client, and those that a system which extends its own gives to `connect` for all of its clients:
-- what an actor is given itself goes before.
--
-- `declared` has the options that there are, by name.
return function(me, declared, given)
    local settings = {}
    for name, value in pairs(given or {}) do
        if not declared[name] then error(('connect takes no option "%s"'):format(tostring(name)), 0) end
        settings[name] = value
    end
    for name, value in pairs(me.options) do settings[name] = value end
    return settings
end
