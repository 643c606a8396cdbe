-- How most scenarios of this folder begin, for them to share.
local livelike = require "livelike"

local beginnings = {}

-- Members of these names in the lobby of a service with these options.
function beginnings.members(t, names, options)
    local service = t:server(livelike, options)
    local actors = {}
    for index, name in ipairs(names) do
        actors[index] = t:actor(livelike, { name = name, nickname = name, roomID = "lobby" })
        actors[index]:connect()
        actors[index]:expect("connected", { room = "lobby" })
    end
    return service, table.unpack(actors)
end

-- A moderator of the lobby with Ada and Ben.
function beginnings.moderated(t, options)
    local service, ada, ben = beginnings.members(t, { "Ada", "Ben" }, options)
    return service:moderator "Host", ada, ben
end

-- A member who waits for messages in the lobby of a service that is there already.
function beginnings.listening(t, options)
    local ada = t:actor(livelike, options)
    ada:connect "lobby"
    ada:expect "connected"
    wait "100ms" -- so that the loop waits for messages
    return ada
end

return beginnings
