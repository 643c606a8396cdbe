-- The simulated broker of `mqtt`, and who plays another client on its side.
local packets, sessions = require "mqtt.packets", require "mqtt.sessions"
local send, publish = sessions.send, sessions.publish

-- Handlers of the broker, and what its party "peer" can do.
local server, peer_commands = {}, {}

local function each(desk, handle)
    local list = {}
    for id in pairs(desk._sessions) do list[#list + 1] = id end
    table.sort(list)
    for _, id in ipairs(list) do handle(desk._sessions[id]) end
end

local function tell_parties(desk, kind, fields)
    for _, party in pairs(desk.parties) do party:emit(kind, fields) end
end

local function deliver(session, message, qos)
    local copy = {
        topic = message.topic, payload = message.payload, properties = message.properties,
        qos = math.min(message.qos or 0, qos), retain = message.is_kept,
    }
    if session.client then return publish(session, copy) end
    if copy.qos > 0 and #session.waiting < 10000 then table.insert(session.waiting, copy) end
end

-- Gives a message to those who have subscribed to its topic, each once.
local function distribute(desk, message)
    if message.retain then desk._kept[message.topic] = message.payload ~= "" and message or nil end
    each(desk, function(session)
        local qos
        for filter, granted in pairs(session.filters) do
            if packets.matches(filter, message.topic) then qos = math.max(qos or 0, granted) end
        end
        if qos then deliver(session, message, qos) end
    end)
end

local function forget(desk, session, reason)
    if session.client == nil then return end
    session.client = nil
    desk:cancel("silence " .. session.id)
    if session.will then distribute(desk, session.will) end
    session.will = nil
    if session.clean then desk._sessions[session.id] = nil end
    tell_parties(desk, "left", { client_id = session.id, reason = reason })
end

local function patience(desk, session)
    if session.keep_alive > 0 then desk:after("silence " .. session.id, session.keep_alive * 1.5) end
end

local broker = {
    connect = function(desk, client, packet)
        if client._session then error("a second connect", 0) end
        local version = packet.version
        if version ~= 4 and version ~= 5 then
            client:send_bytes(packets.write({ name = "connack", code = 1 }, 4))
            return client:close()
        end
        local id = packet.client_id ~= "" and packet.client_id or "auto-" .. random.hex(8)
        local users = desk.options.users
        if users and (packet.username == nil or users[packet.username] ~= packet.password) then
            client:send_bytes(packets.write({ name = "connack", code = version == 5 and 134 or 5 }, version))
            return client:close()
        end
        local session = desk._sessions[id]
        if session and session.client then
            if session.version == 5 then send(session, { name = "disconnect", code = 142 }) end
            local earlier = session.client
            forget(desk, session, "taken over")
            earlier._session = nil
            earlier:close()
            session = desk._sessions[id]
        end
        local is_present = session ~= nil and not packet.clean
        if not is_present then
            session = sessions.new()
            session.id, session.filters, session.waiting = id, {}, {}
            desk._sessions[id] = session
        end
        session.client, client._session = client, session
        session.version, session.clean, session.will = version, packet.clean, packet.will
        if version == 5 and (packet.properties.session_expiry or 0) > 0 then session.clean = false end
        session.keep_alive, session.username = packet.keep_alive, packet.username
        session.write = function(bytes) return client.is_closing or client:send_bytes(bytes) end
        send(session, {
            name = "connack", code = 0, session_present = is_present,
            properties = packet.client_id == "" and { assigned_client_id = id } or nil,
        })
        patience(desk, session)
        tell_parties(desk, "joined", { client_id = id, username = packet.username })
        sessions.send_again(session)
        local waiting = session.waiting
        session.waiting = {}
        for _, message in ipairs(waiting) do publish(session, message) end
    end,
    subscribe = function(desk, client, packet)
        local session, codes = client._session, {}
        for place, filter in ipairs(packet.filters) do
            if packets.is_filter(filter.topic) then
                codes[place] = math.min(filter.qos, desk.options.maximum_qos or 2)
                session.filters[filter.topic] = codes[place]
            else
                codes[place] = session.version == 5 and 143 or 128
            end
        end
        send(session, { name = "suback", id = packet.id, codes = codes })
        local topics = {}
        for topic in pairs(desk._kept) do topics[#topics + 1] = topic end
        table.sort(topics)
        for place, filter in ipairs(packet.filters) do
            for _, topic in ipairs(topics) do
                if codes[place] < 128 and packets.matches(filter.topic, topic) then
                    local kept = desk._kept[topic]
                    deliver(session, {
                        topic = topic, payload = kept.payload, qos = kept.qos, is_kept = true,
                        properties = kept.properties,
                    }, codes[place])
                end
            end
        end
    end,
    unsubscribe = function(_, client, packet)
        local codes = {}
        for place, topic in ipairs(packet.topics) do
            codes[place] = client._session.filters[topic] and 0 or 17
            client._session.filters[topic] = nil
        end
        send(client._session, { name = "unsuback", id = packet.id, codes = codes })
    end,
    pingreq = function(_, client) send(client._session, { name = "pingresp" }) end,
    disconnect = function(desk, client, packet)
        local session = client._session
        if packet.code ~= 4 then session.will = nil end
        forget(desk, session, "disconnected")
        client:close()
    end,
}

local function serve(desk, client, packet)
    local session = client._session
    if not session and packet.name ~= "connect" then error("a " .. packet.name .. " before the connect", 0) end
    if session then patience(desk, session) end
    local message, was_one
    if session then message, was_one = sessions.exchange(session, packet) end
    if message then
        tell_parties(desk, "message", {
            client_id = session.id, topic = message.topic, text = (packets.text(message.payload)), qos = message.qos,
            retain = message.retain,
        })
        distribute(desk, message)
    elseif not was_one then
        local handler = broker[packet.name] or error("a " .. packet.name .. " of a client's", 0)
        handler(desk, client, packet)
    end
end

function server.started(desk)
    packets.check("the server", { maximum_qos = desk.options.maximum_qos }, { "maximum_qos" })
    desk._sessions, desk._kept = {}, {}
end
function server.upgrade(_, request)
    local offered = request.headers["sec-websocket-protocol"] or ""
    if not offered:find "mqtt" then return { status = 400, body = "the sub-protocol is mqtt" } end
    return "mqtt"
end
function server.bytes(desk, client, bytes)
    client._reader = client._reader or {}
    local understood = pcall(function()
        for _, packet in ipairs(packets.feed(client._reader, bytes, 4)) do serve(desk, client, packet) end
    end)
    if not understood then
        if client._session then forget(desk, client._session, "protocol error") end
        client:close(1002, "protocol error")
    end
end
function server.text(desk, client) server.bytes(desk, client, "\0\0") end
function server.closed(desk, client)
    if client._session and client._session.client == client then forget(desk, client._session, "connection lost") end
end
function server.timer(desk, name)
    local session = desk._sessions[name:match "^silence (.*)$"]
    if not session or not session.client then return end
    local client = session.client
    if session.version == 5 then send(session, { name = "disconnect", code = 141 }) end
    forget(desk, session, "keep alive timeout")
    client:close()
end

-- Who plays another client, with every right --------------------------------------------------------------------------

peer_commands.publish = { parameters = sessions.to_publish, function(peer, topic, content, options)
    options = options or {}
    packets.check("publish", options, sessions.of_message, 5)
    distribute(peer.desk, {
        topic = topic, payload = packets.payload(content), qos = options.qos or 0, retain = options.retain,
        properties = options.properties,
    })
end }
peer_commands.say = { parameters = { "text: string", "topic: string?" }, sends = "text", function(peer, text, topic)
    distribute(peer.desk, { topic = topic or "chat", payload = text, qos = 2 })
end }

-- Ends the connection of a client; in MQTT 5 with a reason code.
function peer_commands.kick(peer, client_id, code)
    local session = peer.desk._sessions[client_id]
    if not session or not session.client then error("there is no client \"" .. tostring(client_id) .. "\"", 0) end
    if session.version == 5 then send(session, { name = "disconnect", code = code or 152 }) end
    session.client:close()
end

return { handlers = server, peer = peer_commands }
