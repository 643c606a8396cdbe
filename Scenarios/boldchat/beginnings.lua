-- How most conversations of this folder begin, for its scenarios to share.
local boldchat = require "boldchat"

local beginnings = {}

local function accept(t, options, settings)
    local desk = t:server(boldchat, settings)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat, options)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    return visitor, sam, desk
end

-- Brings a visitor into a chat that an agent has accepted; `options` are the visitor's, `settings` the desk's.
function beginnings.in_chat(t, options, settings)
    local visitor, sam, desk = accept(t, options, settings)
    visitor:expect "accepted"
    return visitor, sam, desk
end

-- Brings a visitor into a chat in which an agent has said good morning.
function beginnings.greeted(t, options, settings)
    local visitor, sam, desk = accept(t, options, settings)
    sam:say "Good morning!"
    visitor:expect("message", { text = "Good morning!" })
    return visitor, sam, desk
end

return beginnings
