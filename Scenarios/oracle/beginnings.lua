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

-- Returns the messages that the server got, of one user or of all: its frames without the client's signs of life.
function beginnings.messages(desk, user)
    local messages = {}
    for _, frame in ipairs(desk:received(user)) do
        if frame.messagePayload then messages[#messages + 1] = frame.messagePayload end
    end
    return messages
end

return beginnings
