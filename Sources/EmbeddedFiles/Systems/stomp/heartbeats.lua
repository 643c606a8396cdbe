-- The heart-beats of STOMP, which both ends of `stomp` agree on in the same way.
local heartbeats = {}

-- Beats so often that no time passes between them are none.
function heartbeats.check(heartbeat)
    if heartbeat and heartbeat > 0 and heartbeat < 0.001 then error("heartbeat is 0 for never, or at least 1ms", 0) end
end

-- The milliseconds of a heart-beat header: what its sender can do, and what it wants.
function heartbeats.read(text)
    local can, wants = (text or "0,0"):match "^(%d+),(%d+)$"
    can, wants = math.tointeger(can), math.tointeger(wants)
    if not can or not wants or can > 1e9 or wants > 1e9 then error("a heart-beat of " .. tostring(text), 0) end
    return can, wants
end

-- How often the own side beats, and for how long it bears that the other does not: each direction beats as slowly as
-- the slower side, and not at all if one side does not. All in milliseconds but for the two that are returned.
function heartbeats.agreed(own, can, wants)
    local beat = own > 0 and wants > 0 and math.max(own, wants) / 1000 or nil
    return beat, own > 0 and can > 0 and math.max(own, can) / 1000 * 2 or nil
end

return heartbeats
