-- Messages of MQTT under way. Both ends of `mqtt` send and receive them in the same way. `session` keeps what is under
-- way: `sent` by number, `order` of their numbers, `taken` for those of QoS 2 that were received and not released yet.
local packets = require "mqtt.packets"
local sessions = {}

-- What a script publishes: the parameters of the method, and what its options have besides.
sessions.to_publish = { "topic: string", "content: any", "options: table?" }
sessions.of_message = { "qos", "retain", "properties" }

function sessions.new() return { sent = {}, order = {}, taken = {}, last = 0 } end

function sessions.send(session, packet)
    return session.write(packets.write(packet, session.version))
end

-- Sends a message; `done` is called with a reason code when the other side has it.
function sessions.publish(session, message, done)
    local packet = {
        name = "publish", topic = message.topic, payload = message.payload, qos = message.qos or 0,
        retain = message.retain, properties = message.properties,
    }
    if packet.qos == 0 then
        sessions.send(session, packet)
        return done and done(0)
    end
    local first = session.last
    repeat
        session.last = session.last % 65535 + 1
        if session.last == first then error("65535 messages are under way", 0) end
    until not session.sent[session.last]
    packet.id = session.last
    session.sent[packet.id] = { packet = packet, done = done }
    table.insert(session.order, packet.id)
    sessions.send(session, packet)
end

-- Sends again what was under way when the connection before this one broke.
function sessions.send_again(session)
    for _, id in ipairs(session.order) do
        local entry = session.sent[id]
        if entry.is_received then
            sessions.send(session, { name = "pubrel", id = id })
        else
            entry.packet.duplicate = true
            sessions.send(session, entry.packet)
        end
    end
end

local function complete(session, id, code)
    local entry = session.sent[id]
    if not entry then return end
    session.sent[id] = nil
    for place, other in ipairs(session.order) do
        if other == id then table.remove(session.order, place) break end
    end
    if entry.done then entry.done(code) end
end

-- Takes a packet of a message's way in; returns the message if it is new, and whether the packet was one.
function sessions.exchange(session, packet)
    local name, id = packet.name, packet.id
    local entry = session.sent[id]
    if entry then packets.check_answer(packet, entry) end
    if name == "publish" then
        if packet.qos == 1 then
            sessions.send(session, { name = "puback", id = id })
        elseif packet.qos == 2 then
            sessions.send(session, { name = "pubrec", id = id })
            if session.taken[id] then return nil, true end
            session.taken[id] = true
        end
        return packet, true
    elseif name == "puback" or name == "pubcomp" then
        complete(session, id, packet.code)
    elseif name == "pubrec" then
        if packet.code >= 128 then
            complete(session, id, packet.code)
        else
            if entry then entry.is_received = true end
            sessions.send(session, { name = "pubrel", id = id, code = not entry and 146 or 0 })
        end
    elseif name == "pubrel" then
        sessions.send(session, { name = "pubcomp", id = id, code = not session.taken[id] and 146 or 0 })
        session.taken[id] = nil
    else
        return nil, false
    end
    return nil, true
end

return sessions
