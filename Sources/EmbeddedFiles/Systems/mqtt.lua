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
-- then `disconnected`; one that does not answer a ping, with the code "silence". It is a breach to send what no
-- subscription of the session takes in: a client subscribes also to what a broker would give it unasked.
--
-- A chat over MQTT with events of its own extends this system, and gives its `connect` a table of the options that all
-- of its clients have.
local settings = require "systems.settings"

local options = {
    version = "3.1.1|5? -- 3.1.1 unless given.",
    transport = "websocket|tcp? -- websocket unless given.", url = "string? -- The target unless given.",
    path = "string? -- Of the handshake; /mqtt unless given.", headers = "table? -- Of the handshake.",
    client_id = "string? -- A random one unless given.", username = "string?", password = "string?",
    keep_alive = "duration? -- 60s unless given.",
    clean = "boolean? -- Whether to begin without an earlier session; true unless given.",
    will = "table? -- What the server publishes if the client is lost: topic, text, qos and retain.",
    properties = "table? -- Of the CONNECT of MQTT 5.",
    topic = "string? -- Of what say says; chat unless given.", qos = "integer? -- Of what say says; 0 unless given.",
}
local S = system {
    name = "mqtt", title = "MQTT", client = "client", frames = "bytes",
    options = options,
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

local packets, sessions, subscriptions = require "mqtt.packets", require "mqtt.sessions", require "mqtt.subscriptions"
local send, publish = sessions.send, sessions.publish

local function rest(me)
    me._over = true
    for _, name in ipairs { "opening", "ping", "silence" } do me:cancel(name) end
end

-- What a command waits for, in the words that a failure shows: the packet that answers, and its number.
local function answer_to(packet)
    return (packet.name == "subscribe" and "suback " or "unsuback ") .. packet.id
end

local function leave(me, code, reason)
    if me._over then return end
    rest(me)
    me.connected = false
    if me._link then me._link:drop() end
    me:emit("disconnected", { code = code, reason = reason })
    me:wake("ready", nil)
    for _, packet in pairs(me._asked) do me:wake(answer_to(packet), nil) end
    me._asked = {}
end

-- Ends what an earlier connect began; what its link still says is not the next one's.
local function leave_earlier(me)
    if not me._link then return end
    me._link:abandon()
    me._link = nil
    if me.connected then return leave(me, 1000, "") end
    rest(me)
    me:wake("ready", nil)
end

-- Leaves a server that has done something wrong; `message` is nil if it has not.
local function fail(me, code, message)
    if me._over or not message then return end
    -- What is quoted may be cut anywhere, or never have been text.
    local text = tostring(message.message or message)
    me:emit("error", { code = code, message = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. "" })
    leave(me, 1002, code)
end

local function ping_later(me)
    if me._keep_alive > 0 then me:after("ping", me._keep_alive * 0.8) end
end

local function must_be_connected(me)
    if not me.connected or me._is_leaving then error("the client is not connected: connect first", 0) end
end

-- Tells what the server said of a topic or a text: `kind`, unless it refused.
local function observe_code(me, kind, code, topic, text)
    if code < 128 then return me:emit(kind, { topic = topic, code = code, text = text }) end
    me:emit("refused", { code = code, reason = packets.reason(code, me._session.version), topic = topic, text = text })
end

-- A packet of the client's that the server answers by its number.
local function ask(me, packet)
    must_be_connected(me)
    local id = me._session.last % 65535 + 1
    while me._session.sent[id] or me._asked[id] do id = id % 65535 + 1 end
    me._session.last, packet.id, me._asked[id] = id, id, packet
    send(me._session, packet)
    local answer = me:wait(answer_to(packet))
    if not answer then me:fail("the connection ended before the server answered") end
    return answer
end

-- Takes what answers a subscribe or an unsubscribe: a code for each topic, but for an unsuback of MQTT 3.1.1.
local function take_codes(me, packet, what, name, kind)
    local asked, count = me._asked[packet.id], #packet.codes
    if not asked or asked.name ~= name then error(what .. " that nothing asked for", 0) end
    local is_bare = packet.name == "unsuback" and me._session.version ~= 5
    if count ~= #asked.topics and not is_bare then error(what .. " with " .. count .. " codes for one topic", 0) end
    me._asked[packet.id] = nil
    for place, topic in ipairs(asked.topics) do
        local code = packet.codes[place] or 0
        if name == "subscribe" and me._subscriptions then subscriptions.answered(me._subscriptions, topic, code) end
        observe_code(me, kind, code, topic)
    end
    me:wake(answer_to(asked), packet.codes)
end

local arrived = {
    connack = function(me, packet)
        if me.connected then error("a second connack", 0) end
        me:cancel "opening"
        if packet.code ~= 0 then
            me:emit("refused", { code = packet.code, reason = packets.reason(packet.code, me._session.version) })
            rest(me)
            me._link:close()
            return me:wake("ready", nil)
        end
        packets.check_session(packet, me._setup.clean ~= false)
        me.connected = true
        local properties = packet.properties
        me.client_id = properties.assigned_client_id or me.client_id
        me._keep_alive = properties.server_keep_alive or me._keep_alive
        me._subscriptions = not packet.session_present and subscriptions.new() or nil
        if not packet.session_present then
            local earlier = me._session
            me._session = sessions.new()
            me._session.write, me._session.version = earlier.write, earlier.version
        end
        ping_later(me)
        me:emit("connected", { session_present = packet.session_present, properties = properties })
        sessions.send_again(me._session)
        me:wake("ready", packet.session_present)
    end,
    suback = function(me, packet) take_codes(me, packet, "a suback", "subscribe", "subscribed") end,
    unsuback = function(me, packet) take_codes(me, packet, "an unsuback", "unsubscribe", "unsubscribed") end,
    pingresp = function(me) me:cancel "silence" end,
    disconnect = function(me, packet)
        if me._session.version ~= 5 then error("a disconnect of the server's, which MQTT 3.1.1 does not have", 0) end
        leave(me, packet.code, packets.reason(packet.code, 5))
    end,
}

local function handle(me, packet)
    if not me.connected and packet.name ~= "connack" then error("a " .. packet.name .. " before the connack", 0) end
    -- Each puback answers a publish of this connection, also where that was sent again.
    if packet.name == "puback" and not me._session.sent[packet.id] then
        error(("a puback of the packet %d, which awaits none"):format(packet.id), 0)
    end
    if packet.name == "publish" and me._subscriptions then subscriptions.check(me._subscriptions, packet) end
    local message, was_one = sessions.exchange(me._session, packet)
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
        for _, packet in ipairs(packets.feed(me._reader, bytes, me._session.version)) do
            if me._over then return end
            handle(me, packet)
        end
    end)
    if not understood then fail(me, "protocol", problem) end
end
function S.on.text(me, text) fail(me, "protocol", "a text message of the WebSocket: " .. text:sub(1, 80)) end

-- Connects; returns whether the server still had a session, or nil if it let nobody in.
S.commands.connect = { parameters = {}, function(me, ...)
    local o = settings(me, options, ...)
    local version = packets.check_client(o)
    leave_earlier(me)
    me._setup = o
    me._session = me._session or sessions.new()
    me._session.version = version
    me._reader, me._asked, me._over, me.connected, me._is_leaving = {}, {}, false, false, false
    me._keep_alive, me.client_id = o.keep_alive or 60, o.client_id or me.client_id or "repartee-" .. random.hex(8)
    if o.transport == "tcp" then
        me._link = me:open { url = o.url, frames = "bytes" }
    else
        local path = o.path or not o.url and "/mqtt" or nil
        me._link = me:open { url = o.url, path = path, headers = o.headers, subprotocols = { "mqtt" } }
    end
    local link = me._link
    me._session.write = function(bytes) return link:send_bytes(bytes) end
    me:after("opening", "20s")
    return (me:wait("ready", "1m"))
end }
function S.on.open(me)
    local o = me._setup
    if o.transport ~= "tcp" and me._link.subprotocol ~= "mqtt" then
        local chosen = tostring(me._link.subprotocol)
        return fail(me, "protocol", "the server chose the sub-protocol " .. chosen .. ", not mqtt")
    end
    send(me._session, {
        name = "connect", client_id = me.client_id, username = o.username, password = o.password,
        clean = o.clean ~= false, keep_alive = math.tointeger(me._keep_alive // 1), will = packets.will(o.will),
        properties = o.properties,
    })
end

-- Subscribes to a topic or a filter; returns the code that the server granted it with.
S.commands.subscribe = { parameters = { "topic: string", "options: table?" }, function(me, topic, options)
    packets.check("subscribe", options, { "qos" })
    must_be_connected(me)
    local qos = options and options.qos or 0
    if me._subscriptions then subscriptions.asked(me._subscriptions, topic, qos) end
    return ask(me, { name = "subscribe", filters = { { topic = topic, qos = qos } }, topics = { topic } })[1]
end }
S.commands.unsubscribe = { parameters = { "topic: string" }, function(me, topic)
    return ask(me, { name = "unsubscribe", topics = { topic } })[1] or 0
end }

-- Publishes a text, or `{ base64 = … }`, and waits until the server has it; `options` are qos, retain and properties.
S.commands.publish = { parameters = sessions.to_publish, function(me, topic, content, options)
    must_be_connected(me)
    options = options or {}
    packets.check("publish", options, sessions.of_message, me._session.version)
    local payload = packets.payload(content)
    local code, awaited
    publish(me._session, {
        topic = topic, payload = payload, qos = options.qos, retain = options.retain, properties = options.properties,
    }, function(result)
        code = result
        if awaited then me:wake(awaited) end
    end)
    if not code then
        awaited = (options.qos == 2 and "pubcomp " or "puback ") .. me._session.last
        me:wait(awaited)
    end
    if code >= 128 then observe_code(me, "refused", code, topic, (packets.text(payload))) end
    return code
end }
S.commands.say = { sends = "text", function(me, text)
    must_be_connected(me)
    local topic, qos = me._setup.topic or "chat", me._setup.qos or 0
    publish(me._session, { topic = topic, payload = text, qos = qos }, function(code)
        if qos > 0 then observe_code(me, "message_sent", code, topic, text) end
    end)
end }

-- Says goodbye, so that the server does not publish the will.
function S.commands.disconnect(me)
    must_be_connected(me)
    send(me._session, { name = "disconnect" })
    me._is_leaving = true
    me._link:close()
end

-- Breaks the connection off without a word.
function S.commands.drop(me)
    if not me._link or me._over then error("the client is not connected: connect first", 0) end
    leave(me, 1006, "dropped")
end

local timers = {
    opening = function(me) fail(me, "silence", "the server did not answer the connect within 20s") end,
    ping = function(me)
        send(me._session, { name = "pingreq" })
        me:after("silence", me._keep_alive * 0.5)
        ping_later(me)
    end,
    silence = function(me) fail(me, "silence", "the server did not answer a ping") end,
}
function S.on.timer(me, name) (timers[name] or require "systems.no_timer")(me, name) end
function S.on.closed(me, closure)
    me._link = nil
    if closure.code ~= 1006 then fail(me, "protocol", packets.half(me._reader)) end
    leave(me, closure.code, closure.reason)
end
function S.on.failed(me, failure)
    me._link = nil
    rest(me)
    me:emit("error", failure)
    me:wake("ready", nil)
end
function S.on.ending(me)
    if me.connected then fail(me, "protocol", packets.stands_still(me._reader)) end
    if me.connected and not me._is_leaving then send(me._session, { name = "disconnect" }) end
    rest(me)
end

local broker = require "mqtt.broker"
for name, handler in pairs(broker.handlers) do S.server[name] = handler end
for name, command in pairs(broker.peer) do S.parties.peer[name] = command end

return S
