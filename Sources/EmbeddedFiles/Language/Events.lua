-- What scripts ask of events: expressions, and what must never come.

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
