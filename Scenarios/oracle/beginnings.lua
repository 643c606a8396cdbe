-- How most conversations of this folder begin, for its scenarios to share.
local oracle = require "oracle"

local beginnings = {}

-- Connects a user to a server; `options` are the user's, `settings` the server's.
function beginnings.connected(t, options, settings)
    local desk = t:server(oracle, settings)
    local user = t:actor(oracle, options)
    user:connect()
    user:expect "connected"
    return user, desk
end

return beginnings
