-- mqtt: MQTT 3.1.1 and 5 over WebSocket, or over TCP and TLS with `transport = "tcp"` (`url` or the target is
-- tcp://host:1883 or tls://host:8883). After the OASIS standards mqtt-v3.1.1-os and mqtt-v5.0-os.
--
--     local ada = t:actor(mqtt, { client_id = "ada", topic = "support/ada", qos = 1 })
--     ada:connect()                                          -- whether the server still had a session, or nil: refused
--     ada:subscribe("support/+", { qos = 1 })
--     ada:say "Where is my order?"                           -- to the option `topic`, with the option `qos`
--     ada:expect("message", { topic = "support/ada", text = match.contains "morning" })
--     ada:publish("lamp/1", "on", { qos = 2, retain = true })   -- waits until the server has it; returns a reason code
--
-- With QoS 1 and 2 `message_sent` follows a text when the server has it, and what it has not when a connection breaks
-- is sent again by the next `connect` if the server kept the session. A payload that is no text comes as `base64`. What
-- the server does not take is `refused`: a connection; a topic, in place of `subscribed` and `unsubscribed`; a text.
-- Pings are sent while a scenario waits. A server that breaks the protocol is left: `error` with the code "protocol",
-- then `disconnected`; one that does not answer a ping, with the code "silence".
local S = system {
    name = "mqtt", title = "MQTT", client = "client", frames = "bytes",
    options = {
        version = "3.1.1|5?",                      -- "3.1.1" unless given
        transport = "websocket|tcp?", url = "string?", path = "string?", headers = "table?",
        client_id = "string?", username = "string?", password = "string?", keep_alive = "duration?",
        clean = "boolean?",                        -- whether to begin without an earlier session; true unless given
        will = "table?",                           -- { topic, text, qos, retain }
        properties = "table?",                     -- of the CONNECT of MQTT 5
        topic = "string?", qos = "integer?",       -- of `say`: "chat" and 0 unless given
    },
    server_options = {
        users = "table?",                          -- the only ones, with their passwords
        maximum_qos = "integer?",
    },
    properties = { connected = "boolean?", client_id = "string?" },
    events = {
        connected = { session_present = "boolean", properties = "any?" },
        refused = { code = "integer", reason = "string", topic = "string?", text = "string?" },
        message = {
            text = "string", base64 = "string?", topic = "string", qos = "integer", retain = "boolean",
            duplicate = "boolean", properties = "any?",
        },
        message_sent = { text = "string", topic = "string", code = "integer" },
        subscribed = { topic = "string", code = "integer" }, unsubscribed = { topic = "string", code = "integer" },
        disconnected = { code = "integer", reason = "string" },
    },
    noise = { "connected", "message_sent", "subscribed", "unsubscribed" }, troubles = { "refused" },
    absences = {
        typing = "MQTT has no event for it; publish to a topic of the application",
        queue = "MQTT has no queue for people",
    },
    parties = { peer = {
        events = {
            joined = { client_id = "string", username = "string?" }, left = { client_id = "string", reason = "string" },
            message = { client_id = "string", topic = "string", text = "string", qos = "integer", retain = "boolean" },
        },
        noise = { "joined", "left" },
    } },
}

local packets = require "mqtt.packets"

-- Messages under way --------------------------------------------------------------------------------------------------
-- Both ends send and receive messages in the same way. `session` keeps what is under way: `sent` by number, `order` of
-- their numbers, `taken` for those of QoS 2 that were received and not released yet.

local function new_session() return { sent = {}, order = {}, taken = {}, last = 0 } end

local function send(session, packet)
    return session.write(packets.write(packet, session.version))
end

-- Sends a message; `done` is called with a reason code when the other side has it.
local function publish(session, message, done)
    local packet = {
        name = "publish", topic = message.topic, payload = message.payload, qos = message.qos or 0,
        retain = message.retain, properties = message.properties,
    }
    if packet.qos == 0 then
        send(session, packet)
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
    send(session, packet)
end

-- Sends again what was under way when the connection before this one broke.
local function send_again(session)
    for _, id in ipairs(session.order) do
        local entry = session.sent[id]
        if entry.is_received then
            send(session, { name = "pubrel", id = id })
        else
            entry.packet.duplicate = true
            send(session, entry.packet)
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
local function exchange(session, packet)
    local name, id = packet.name, packet.id
    local entry = session.sent[id]
    if entry then packets.check_answer(packet, entry) end
    if name == "publish" then
        if packet.qos == 1 then
            send(session, { name = "puback", id = id })
        elseif packet.qos == 2 then
            send(session, { name = "pubrec", id = id })
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
            send(session, { name = "pubrel", id = id, code = not entry and 146 or 0 })
        end
    elseif name == "pubrel" then
        send(session, { name = "pubcomp", id = id, code = not session.taken[id] and 146 or 0 })
        session.taken[id] = nil
    else
        return nil, false
    end
    return nil, true
end

-- The client ----------------------------------------------------------------------------------------------------------

local function rest(me)
    me.over = true
    for _, name in ipairs { "opening", "ping", "silence" } do me:cancel(name) end
end

local function leave(me, code, reason)
    if me.over then return end
    rest(me)
    me.connected = false
    if me.link then me.link:drop() end
    me:emit("disconnected", { code = code, reason = reason })
    me:wake("ready", nil)
    for id in pairs(me.asked) do me:wake("answer " .. id, nil) end
    me.asked = {}
end

-- Ends what an earlier connect began; what its link still says is not the next one's.
local function leave_earlier(me)
    if not me.link then return end
    me.link:abandon()
    me.link = nil
    if me.connected then return leave(me, 1000, "") end
    rest(me)
    me:wake("ready", nil)
end

-- Leaves a server that has done something wrong; `message` is nil if it has not.
local function fail(me, code, message)
    if me.over or not message then return end
    -- What is quoted may be cut anywhere, or never have been text.
    local text = tostring(message.message or message)
    me:emit("error", { code = code, message = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. "" })
    leave(me, 1002, code)
end

local function ping_later(me)
    if me.keep_alive > 0 then me:after("ping", me.keep_alive * 0.8) end
end

local function must_be_connected(me)
    if not me.connected or me.is_leaving then error("the client is not connected: connect first", 0) end
end

-- Tells what the server said of a topic or a text: `kind`, unless it refused.
local function observe_code(me, kind, code, topic, text)
    if code < 128 then return me:emit(kind, { topic = topic, code = code, text = text }) end
    me:emit("refused", { code = code, reason = packets.reason(code, me.session.version), topic = topic, text = text })
end

-- A packet of the client's that the server answers by its number.
local function ask(me, packet)
    must_be_connected(me)
    local id = me.session.last % 65535 + 1
    while me.session.sent[id] or me.asked[id] do id = id % 65535 + 1 end
    me.session.last, packet.id, me.asked[id] = id, id, packet
    send(me.session, packet)
    local answer = me:wait("answer " .. id)
    if not answer then me:fail("the connection ended before the server answered") end
    return answer
end

-- Takes what answers a subscribe or an unsubscribe: a code for each topic, but for an unsuback of MQTT 3.1.1.
local function take_codes(me, packet, what, name, kind)
    local asked, count = me.asked[packet.id], #packet.codes
    if not asked or asked.name ~= name then error(what .. " that nothing asked for", 0) end
    local is_bare = packet.name == "unsuback" and me.session.version ~= 5
    if count ~= #asked.topics and not is_bare then error(what .. " with " .. count .. " codes for one topic", 0) end
    me.asked[packet.id] = nil
    for place, topic in ipairs(asked.topics) do observe_code(me, kind, packet.codes[place] or 0, topic) end
    me:wake("answer " .. packet.id, packet.codes)
end

local arrived = {
    connack = function(me, packet)
        if me.connected then error("a second connack", 0) end
        me:cancel "opening"
        if packet.code ~= 0 then
            me:emit("refused", { code = packet.code, reason = packets.reason(packet.code, me.session.version) })
            rest(me)
            me.link:close()
            return me:wake("ready", nil)
        end
        packets.check_session(packet, me.options.clean ~= false)
        me.connected = true
        local properties = packet.properties
        me.client_id = properties.assigned_client_id or me.client_id
        me.keep_alive = properties.server_keep_alive or me.keep_alive
        if not packet.session_present then
            local earlier = me.session
            me.session = new_session()
            me.session.write, me.session.version = earlier.write, earlier.version
        end
        ping_later(me)
        me:emit("connected", { session_present = packet.session_present, properties = properties })
        send_again(me.session)
        me:wake("ready", packet.session_present)
    end,
    suback = function(me, packet) take_codes(me, packet, "a suback", "subscribe", "subscribed") end,
    unsuback = function(me, packet) take_codes(me, packet, "an unsuback", "unsubscribe", "unsubscribed") end,
    pingresp = function(me) me:cancel "silence" end,
    disconnect = function(me, packet)
        if me.session.version ~= 5 then error("a disconnect of the server's, which MQTT 3.1.1 does not have", 0) end
        leave(me, packet.code, packets.reason(packet.code, 5))
    end,
}

local function handle(me, packet)
    if not me.connected and packet.name ~= "connack" then error("a " .. packet.name .. " before the connack", 0) end
    local message, was_one = exchange(me.session, packet)
    if message then
        local text, binary = packets.text(message.payload)
        me:emit("message", {
            text = text, base64 = binary, topic = message.topic, qos = message.qos, retain = message.retain,
            duplicate = message.duplicate, properties = next(message.properties) and message.properties or nil,
        })
    elseif not was_one then
        local handler = arrived[packet.name] or error("a " .. packet.name .. " of the server's", 0)
        handler(me, packet)
    end
end

function S.on.bytes(me, bytes)
    local understood, problem = pcall(function()
        for _, packet in ipairs(packets.feed(me.reader, bytes, me.session.version)) do
            if me.over then return end
            handle(me, packet)
        end
    end)
    if not understood then fail(me, "protocol", problem) end
end
function S.on.text(me, text) fail(me, "protocol", "a text message of the WebSocket: " .. text:sub(1, 80)) end

-- Connects; returns whether the server still had a session, or nil if it let nobody in.
S.commands.connect = { parameters = {}, function(me)
    local o = me.options
    local version = packets.check_client(o)
    leave_earlier(me)
    me.session = me.session or new_session()
    me.session.version = version
    me.reader, me.asked, me.over, me.connected, me.is_leaving = {}, {}, false, false, false
    me.keep_alive, me.client_id = o.keep_alive or 60, o.client_id or me.client_id or "repartee-" .. random.hex(8)
    if o.transport == "tcp" then
        me.link = me:open { url = o.url, frames = "bytes" }
    else
        local path = o.path or not o.url and "/mqtt" or nil
        me.link = me:open { url = o.url, path = path, headers = o.headers, subprotocols = { "mqtt" } }
    end
    local link = me.link
    me.session.write = function(bytes) return link:send_bytes(bytes) end
    me:after("opening", "20s")
    return (me:wait("ready", "1m"))
end }
function S.on.open(me)
    local o = me.options
    if o.transport ~= "tcp" and me.link.subprotocol ~= "mqtt" then
        local chosen = tostring(me.link.subprotocol)
        return fail(me, "protocol", "the server chose the sub-protocol " .. chosen .. ", not mqtt")
    end
    send(me.session, {
        name = "connect", client_id = me.client_id, username = o.username, password = o.password,
        clean = o.clean ~= false, keep_alive = math.tointeger(me.keep_alive // 1), will = packets.will(o.will),
        properties = o.properties,
    })
end

-- Subscribes to a topic or a filter; returns the code that the server granted it with.
S.commands.subscribe = { parameters = { "topic: string", "options: table?" }, function(me, topic, options)
    packets.check("subscribe", options, { "qos" })
    local filters = { { topic = topic, qos = options and options.qos or 0 } }
    return ask(me, { name = "subscribe", filters = filters, topics = { topic } })[1]
end }
S.commands.unsubscribe = { parameters = { "topic: string" }, function(me, topic)
    return ask(me, { name = "unsubscribe", topics = { topic } })[1] or 0
end }

local of_message = { "qos", "retain", "properties" }
local to_publish = { "topic: string", "content: any", "options: table?" }

-- Publishes a text, or `{ base64 = … }`, and waits until the server has it; `options` are qos, retain and properties.
S.commands.publish = { parameters = to_publish, function(me, topic, content, options)
    must_be_connected(me)
    options = options or {}
    packets.check("publish", options, of_message, me.session.version)
    local payload = packets.payload(content)
    local name = "published " .. random.hex(8)
    local code
    publish(me.session, {
        topic = topic, payload = payload, qos = options.qos, retain = options.retain, properties = options.properties,
    }, function(result)
        code = result
        me:wake(name)
    end)
    if not code then me:wait(name) end
    if code >= 128 then observe_code(me, "refused", code, topic, (packets.text(payload))) end
    return code
end }
S.commands.say = { sends = "text", function(me, text)
    must_be_connected(me)
    local topic, qos = me.options.topic or "chat", me.options.qos or 0
    publish(me.session, { topic = topic, payload = text, qos = qos }, function(code)
        if qos > 0 then observe_code(me, "message_sent", code, topic, text) end
    end)
end }

-- Says goodbye, so that the server does not publish the will.
function S.commands.disconnect(me)
    must_be_connected(me)
    send(me.session, { name = "disconnect" })
    me.is_leaving = true
    me.link:close()
end

-- Breaks the connection off without a word.
function S.commands.drop(me)
    if not me.link or me.over then error("the client is not connected: connect first", 0) end
    leave(me, 1006, "dropped")
end

local timers = {
    opening = function(me) fail(me, "silence", "the server did not answer the connect within 20s") end,
    ping = function(me)
        send(me.session, { name = "pingreq" })
        me:after("silence", me.keep_alive * 0.5)
        ping_later(me)
    end,
    silence = function(me) fail(me, "silence", "the server did not answer a ping") end,
}
function S.on.timer(me, name) timers[name](me) end
function S.on.closed(me, closure)
    me.link = nil
    if closure.code ~= 1006 then fail(me, "protocol", packets.half(me.reader)) end
    leave(me, closure.code, closure.reason)
end
function S.on.failed(me, failure)
    me.link = nil
    rest(me)
    me:emit("error", failure)
    me:wake("ready", nil)
end
function S.on.ending(me)
    if me.connected then fail(me, "protocol", packets.stands_still(me.reader)) end
    if me.connected and not me.is_leaving then send(me.session, { name = "disconnect" }) end
    rest(me)
end

-- The simulated broker ------------------------------------------------------------------------------------------------

local function each(desk, handle)
    local list = {}
    for id in pairs(desk.sessions) do list[#list + 1] = id end
    table.sort(list)
    for _, id in ipairs(list) do handle(desk.sessions[id]) end
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
    if message.retain then desk.kept[message.topic] = message.payload ~= "" and message or nil end
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
    if session.clean then desk.sessions[session.id] = nil end
    tell_parties(desk, "left", { client_id = session.id, reason = reason })
end

local function patience(desk, session)
    if session.keep_alive > 0 then desk:after("silence " .. session.id, session.keep_alive * 1.5) end
end

local broker = {
    connect = function(desk, client, packet)
        if client.session then error("a second connect", 0) end
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
        local session = desk.sessions[id]
        if session and session.client then
            if session.version == 5 then send(session, { name = "disconnect", code = 142 }) end
            local earlier = session.client
            forget(desk, session, "taken over")
            earlier.session = nil
            earlier:close()
            session = desk.sessions[id]
        end
        local is_present = session ~= nil and not packet.clean
        if not is_present then
            session = new_session()
            session.id, session.filters, session.waiting = id, {}, {}
            desk.sessions[id] = session
        end
        session.client, client.session = client, session
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
        send_again(session)
        local waiting = session.waiting
        session.waiting = {}
        for _, message in ipairs(waiting) do publish(session, message) end
    end,
    subscribe = function(desk, client, packet)
        local session, codes = client.session, {}
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
        for topic in pairs(desk.kept) do topics[#topics + 1] = topic end
        table.sort(topics)
        for place, filter in ipairs(packet.filters) do
            for _, topic in ipairs(topics) do
                if codes[place] < 128 and packets.matches(filter.topic, topic) then
                    local kept = desk.kept[topic]
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
            codes[place] = client.session.filters[topic] and 0 or 17
            client.session.filters[topic] = nil
        end
        send(client.session, { name = "unsuback", id = packet.id, codes = codes })
    end,
    pingreq = function(_, client) send(client.session, { name = "pingresp" }) end,
    disconnect = function(desk, client, packet)
        local session = client.session
        if packet.code ~= 4 then session.will = nil end
        forget(desk, session, "disconnected")
        client:close()
    end,
}

local function serve(desk, client, packet)
    local session = client.session
    if not session and packet.name ~= "connect" then error("a " .. packet.name .. " before the connect", 0) end
    if session then patience(desk, session) end
    local message, was_one
    if session then message, was_one = exchange(session, packet) end
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

function S.server.started(desk)
    packets.check("the server", { maximum_qos = desk.options.maximum_qos }, { "maximum_qos" })
    desk.sessions, desk.kept = {}, {}
end
function S.server.upgrade(_, request)
    local offered = request.headers["sec-websocket-protocol"] or ""
    if not offered:find "mqtt" then return { status = 400, body = "the sub-protocol is mqtt" } end
    return "mqtt"
end
function S.server.bytes(desk, client, bytes)
    client.reader = client.reader or {}
    local understood = pcall(function()
        for _, packet in ipairs(packets.feed(client.reader, bytes, 4)) do serve(desk, client, packet) end
    end)
    if not understood then
        if client.session then forget(desk, client.session, "protocol error") end
        client:close(1002, "protocol error")
    end
end
function S.server.text(desk, client) S.server.bytes(desk, client, "\0\0") end
function S.server.closed(desk, client)
    if client.session and client.session.client == client then forget(desk, client.session, "connection lost") end
end
function S.server.timer(desk, name)
    local session = desk.sessions[name:match "^silence (.*)$"]
    if not session or not session.client then return end
    local client = session.client
    if session.version == 5 then send(session, { name = "disconnect", code = 141 }) end
    forget(desk, session, "keep alive timeout")
    client:close()
end

-- Who plays another client, with every right --------------------------------------------------------------------------

S.parties.peer.publish = { parameters = to_publish, function(peer, topic, content, options)
    options = options or {}
    packets.check("publish", options, of_message, 5)
    distribute(peer.desk, {
        topic = topic, payload = packets.payload(content), qos = options.qos or 0, retain = options.retain,
        properties = options.properties,
    })
end }
S.parties.peer.say = { parameters = { "text: string", "topic: string?" }, sends = "text", function(peer, text, topic)
    distribute(peer.desk, { topic = topic or "chat", payload = text, qos = 2 })
end }

-- Ends the connection of a client; in MQTT 5 with a reason code.
function S.parties.peer.kick(peer, client_id, code)
    local session = peer.desk.sessions[client_id]
    if not session or not session.client then error("there is no client \"" .. tostring(client_id) .. "\"", 0) end
    if session.version == 5 then send(session, { name = "disconnect", code = code or 152 }) end
    session.client:close()
end

return S
