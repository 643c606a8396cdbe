-- The course of a scenario: steps, threads and assertions.

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
    if host.asserts(value) then return value, message, ... end
    host.assertion_failed(message)
end
