-- The simulated server of `socketio`, and who plays the application on its side; it speaks over both transports.
local packets = require "socketio.packets"
local connect, disconnect, event, ack = packets.connect, packets.disconnect, packets.event, packets.ack
local write, dispatch, take = packets.write, packets.dispatch, packets.take

-- Handlers of the server, and what its party "peer" can do.
local server, peer_commands = {}, {}

local function deliver(session, packet)
    if session.transport == "websocket" then
        if session.client.is_closing then return end
        if packet.text then return session.client:send(packet.text) end
        return session.client:send_bytes(session.version == 3 and "\4" .. packet.bytes or packet.bytes)
    end
    table.insert(session.outbox, packet)
    session.desk:wake("poll " .. session.sid)
end

local function tell(session, kind, namespace, payload, number)
    local text, attachments = write(kind, namespace, payload, number)
    deliver(session, { text = text })
    for _, bytes in ipairs(attachments) do deliver(session, { bytes = bytes }) end
end

local function each_session(desk, number)
    local list = {}
    for _, session in pairs(desk._sessions) do
        if number == nil or session.number == number then list[#list + 1] = session end
    end
    if number ~= nil and #list == 0 then error("there is no client " .. tostring(number), 0) end
    table.sort(list, function(one, other) return one.number < other.number end)
    return ipairs(list)
end

local function tell_parties(desk, kind, fields)
    for _, party in pairs(desk.parties) do party:emit(kind, fields) end
end

local function finish(session, reason)
    local desk = session.desk
    if not desk._sessions[session.sid] then return end
    desk._sessions[session.sid] = nil
    desk:cancel("ping " .. session.sid)
    desk:cancel("silence " .. session.sid)
    desk:cancel("probe " .. session.sid)
    desk:wake("poll " .. session.sid)
    if session.client then session.client:close(1000, reason) end
    if next(session.namespaces) then tell_parties(desk, "left", { client = session.number, reason = reason }) end
end

local function is_allowed(desk, namespace)
    if not desk.options.namespaces then return true end
    for _, name in ipairs(desk.options.namespaces) do if name == namespace then return true end end
    return false
end

local function admit(session, namespace, auth)
    local desk, refusal = session.desk, nil
    if not is_allowed(desk, namespace) then
        refusal = { message = "Invalid namespace" }
    elseif desk.options.admit then
        local answer = desk.options.admit(auth, namespace)
        if answer ~= true then refusal = { message = type(answer) == "string" and answer or "Not authorized" } end
    end
    if refusal then
        return tell(session, packets.connect_error, namespace, session.version == 3 and refusal.message or refusal)
    end
    session.namespaces[namespace] = true
    tell(session, connect, namespace, session.version == 4 and { sid = session.sid .. "-" .. namespace } or nil)
    tell_parties(desk, "joined", { client = session.number, namespace = namespace, auth = auth })
end

-- Tells the parties of an event as what the map of the server makes of it, if it has a word for it; returns whether it
-- has. What a client sent may fit the map and not the event.
local function tell_mapped(session, packet, name, args)
    local desk = session.desk
    if not desk.map then return false end
    local given = table.move(args, 1, #args, 1, {})
    given[#given + 1] = packet.ack
    local kind, fields = desk.map(name, table.unpack(given))
    if not kind then return false end
    fields = fields or {}
    fields.client = session.number
    for _, party in pairs(desk.parties) do
        local fits, why = pcall(party.emit, party, kind, fields)
        if not fits then party:fail(name .. ": " .. (why.message or why)) end
    end
    return true
end

local function hear(session, packet)
    local desk = session.desk
    if packet.kind == connect then
        if not session.namespaces[packet.namespace] then admit(session, packet.namespace, packet.payload) end
    elseif packet.kind == disconnect then
        session.namespaces[packet.namespace] = nil
        tell_parties(desk, "left", { client = session.number, reason = "client namespace disconnect" })
    elseif packet.kind == ack then
        tell_parties(desk, "acknowledged", { client = session.number, args = packet.payload })
    elseif packet.kind == event then
        local args = packet.payload
        local name = table.remove(args, 1)
        if tell_mapped(session, packet, name, args) then
            -- The parties know.
        elseif name == "message" and type(args[1]) == "string" then
            tell_parties(desk, "message", { client = session.number, text = args[1] })
        else
            tell_parties(desk, "event", {
                client = session.number, name = name, args = args, namespace = packet.namespace,
            })
        end
        local answers = desk.options.on_event and { desk.options.on_event(name, table.unpack(args)) } or {}
        if packet.ack then tell(session, ack, packet.namespace, answers, packet.ack) end
    end
end

local function patience(desk, session)
    desk:after("silence " .. session.sid, desk._interval + desk._timeout)
end

local server_engine = {
    ["1"] = function(session) finish(session, "client disconnect") end,
    ["2"] = function(session, rest)
        if rest ~= "probe" then deliver(session, { text = "3" .. rest }) end
    end,
    ["3"] = function() end,
    ["4"] = take,
    ["6"] = function() end,
}

local function receive(session, list)
    for _, packet in ipairs(list) do
        patience(session.desk, session)
        local understood, whole = pcall(dispatch, session, packet, server_engine)
        if not understood then return finish(session, "parse error") end
        if whole then hear(session, whole) end
    end
end

local function new_session(desk, request, client)
    desk._count = desk._count + 1
    local session = {
        sid = random.hex(20), number = desk._count, desk = desk, client = client, namespaces = {}, outbox = {},
        transport = client and "websocket" or "polling", version = tonumber(request.query.EIO) or 4,
    }
    desk._sessions[session.sid] = session
    deliver(session, { text = "0" .. json.encode {
        sid = session.sid, maxPayload = 1000000,
        upgrades = (client or desk.options.upgrades == false) and json.array() or { "websocket" },
        pingInterval = math.tointeger(desk._interval * 1000 // 1),
        pingTimeout = math.tointeger(desk._timeout * 1000 // 1),
    } })
    if session.version == 3 then admit(session, "/") else desk:after("ping " .. session.sid, desk._interval) end
    patience(desk, session)
    return session
end

function server.started(desk)
    for _, name in ipairs { "ping_interval", "ping_timeout" } do
        local duration = desk.options[name]
        -- Clients are told of milliseconds.
        if duration and duration < 0.001 then error(name .. " is a duration of at least 1ms", 0) end
    end
    desk._sessions, desk._count, desk.map = {}, 0, desk.options.map
    desk._interval, desk._timeout = desk.options.ping_interval or 25, desk.options.ping_timeout or 20
end

-- Why a request is refused, as Engine.IO says it; nil if it is not.
local function refusal(desk, request)
    local sid = request.query.sid
    if tonumber(request.query.EIO) ~= (desk.options.version or 4) then
        return { status = 400, json = { code = 5, message = "Unsupported protocol version" } }
    elseif sid and not desk._sessions[sid] then
        return { status = 400, json = { code = 1, message = "Session ID unknown" } }
    elseif sid and desk._sessions[sid].transport == "websocket" then
        return { status = 400, json = { code = 3, message = "Bad request" } }
    end
end
function server.upgrade(desk, request) return refusal(desk, request) or true end
function server.connected(desk, client, request)
    local session = desk._sessions[request.query.sid]
    if session then client._probes = session else client._session = new_session(desk, request, client) end
end

-- A poll that is under way while a link is tried must end, for the client to leave long polling.
local function end_poll(session)
    if #session.outbox == 0 then table.insert(session.outbox, { text = "6" }) end
    session.desk:wake("poll " .. session.sid)
    session.desk:after("probe " .. session.sid, "100ms")
end

local function from_link(client, packet)
    if client._session then return receive(client._session, { packet }) end
    local session = client._probes
    if packet.text == "2probe" then
        client:send "3probe"
        end_poll(session)
    elseif packet.text == "5" then
        session.desk:cancel("probe " .. session.sid)
        client._session, session.client, session.transport = session, client, "websocket"
        session.desk:wake("poll " .. session.sid)
        local waiting = session.outbox
        session.outbox = {}
        for _, late in ipairs(waiting) do if late.text ~= "6" then deliver(session, late) end end
    else
        client:close(1002, "no probe")
    end
end
function server.text(_, client, text) from_link(client, { text = text }) end
function server.bytes(_, client, bytes)
    local session = client._session
    from_link(client, { bytes = session and session.version == 3 and bytes:sub(2) or bytes })
end
function server.closed(_, client)
    if client._session then
        client._session.client = nil
        finish(client._session, "transport close")
    elseif client._probes then
        client._probes.desk:cancel("probe " .. client._probes.sid)
    end
end

local plain = { ["content-type"] = "text/plain; charset=UTF-8" }
function server.request(desk, request)
    -- Whoever asks for no Engine.IO means the rest of an application.
    if not (request.query.EIO or request.query.transport) then
        local who = "a system that extends socketio answers it in a server.request of its own, and hands on the rest"
        return { status = 404, body = request.path .. " is nothing of Socket.IO: " .. who }
    end
    local refused = refusal(desk, request)
    if refused then return refused end
    local session = desk._sessions[request.query.sid] or new_session(desk, request)
    if request.method == "POST" then
        local understood, list = pcall(packets.split, request.body or "", session.version)
        if not understood then
            finish(session, "parse error")
            return { status = 400, body = "" }
        end
        receive(session, list)
        return { body = "ok", headers = plain }
    end
    -- A poll is held until there is something to say.
    while #session.outbox == 0 and session.transport == "polling" and desk._sessions[session.sid] do
        desk:wait("poll " .. session.sid)
    end
    local list = session.outbox
    session.outbox = {}
    if not desk._sessions[session.sid] then table.insert(list, { text = "1" }) end
    if #list == 0 then list = { { text = "6" } } end
    return { body = packets.join(list, session.version), headers = plain }
end
function server.timer(desk, name)
    local what, sid = name:match "^(%a+) (.*)$"
    local session = desk._sessions[sid]
    if not session then return end
    if what == "silence" then return finish(session, "ping timeout") end
    if what == "probe" then return end_poll(session) end
    deliver(session, { text = "2" })
    desk:after(name, desk._interval)
end

-- Who plays the application on the server's side ----------------------------------------------------------------------

-- Emits an event to all clients; `to` does so to one, by its number.
function peer_commands.emit(peer, name, ...)
    packets.must_be_name("emit", name)
    for _, session in each_session(peer.desk) do
        for namespace in pairs(session.namespaces) do tell(session, event, namespace, { name, ... }) end
    end
end
function peer_commands.emit_to(peer, number, name, ...)
    if number == nil then error("emit_to needs the number of a client before the name of an event", 0) end
    packets.must_be_name("emit_to", name)
    for _, session in each_session(peer.desk, number) do
        for namespace in pairs(session.namespaces) do tell(session, event, namespace, { name, ... }) end
    end
end
peer_commands.say = { sends = "text", function(peer, text)
    for _, session in each_session(peer.desk) do
        for namespace in pairs(session.namespaces) do tell(session, event, namespace, { "message", text }) end
    end
end }

-- Emits an event that asks for an acknowledgement: the peer observes "acknowledged".
function peer_commands.ask(peer, name, ...)
    packets.must_be_name("ask", name)
    peer._asked = (peer._asked or 0) + 1
    for _, session in each_session(peer.desk) do
        for namespace in pairs(session.namespaces) do tell(session, event, namespace, { name, ... }, peer._asked) end
    end
end

-- Disconnects a client from its namespaces, or all clients.
function peer_commands.disconnect(peer, number)
    for _, session in each_session(peer.desk, number) do
        for namespace in pairs(session.namespaces) do tell(session, disconnect, namespace) end
        session.namespaces = {}
    end
end

return { handlers = server, peer = peer_commands }
