-- What a file declares: groups and hooks.

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
