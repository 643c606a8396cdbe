-- socketio: Socket.IO, protocol 5 over Engine.IO 4, as its servers 3 and 4 and python-socketio 5 speak it; with
-- `version = 3` protocol 4 over Engine.IO 3, as servers 2 do. After the specifications at
-- https://socket.io/docs/v4/engine-io-protocol/ and https://socket.io/docs/v4/socket-io-protocol/.
--
--     local client = t:actor(socketio, { auth = { token = secret "CHAT_TOKEN" } })
--     client:connect()
--     client:say "Good morning"                              -- the event "message" with a text
--     client:expect("message", { text = "Good morning!" })
--     client:emit("join", "lobby")                           -- any event with any arguments
--     client:expect("event", { name = "joined", args = { "lobby" } })
--     local answer = client:call("history", { room = "lobby" })  -- waits for the acknowledgement
--
-- Which of the server's events are messages, typing and the like is said by `map`, a function that gets an event's name
-- and arguments and returns a kind and fields, or nothing:
--
--     map = function(name, first) if name == "typing" then return "typing", { from = first.user } end end
--
-- Without it the event `message_event` ("message" unless given) is a message if its first argument is a text or has a
-- `text`. Every other event is an `event`. Binary arguments are tables `{ base64 = "…" }` in both directions.
-- Heartbeats are answered while a scenario waits; a server that is silent for too long, or that breaks the protocol, is
-- left: `error` with the code "silence" or "protocol", then `disconnected`. What the map makes of an event and the
-- event cannot be is an `error` with the code "event". The number by which an event is acknowledged is its `ack`, of
-- those that a map has made its `raw.ack`; `map` gets it behind the arguments, as JavaScript gets a callback, and may
-- make it the `id` of a form. Where the upgrade does not come about, long polling goes on: the client observes
-- `upgrade_failed`, and why. An answer to a poll that a broken connection takes away is lost, for the poll is sent
-- again and the server does not know.
--
-- A chat over Socket.IO with events of its own extends this system, and gives `connect` the options that all of its
-- clients have:
--
--     local S = system { extends = socketio, name = "shop", events = { queue = { position = "integer" } } }
--     local connect, emit = socketio.commands.connect, socketio.commands.emit
--     local function map(name, data) if name == "place" then return "queue", { position = data.position } end end
--     S.commands.connect = { parameters = {}, function(me) return connect(me, { path = "/chat/", map = map }) end }
--     S.commands.say = { sends = "text", function(me, text) emit(me, "chat", { body = text }) end }
--
-- What its clients say that way is a `message` for the peers of its simulated server, and a text that has arrived for
-- load tests, where a `map` of the server says so; for all of its servers `desk.map` is set when they start:
--
--     local started = S.server.started
--     function S.server.started(desk)
--         started(desk)
--         function desk.map(name, data) if name == "chat" then return "message", { text = data.body } end end
--     end
local settings = require "systems.settings"

local options = {
    path = "string? -- Of Engine.IO; /socket.io/ unless given.",
    query = "table? -- Of the handshake and of each poll.", headers = "table? -- Of the handshake and of each poll.",
    token = "string? -- Makes the header Authorization.",
    namespace = "string? -- / unless given.", auth = "table? -- What joins the namespace.",
    transport = "websocket|polling|upgrade? -- websocket unless given; upgrade begins with long polling.",
    version = "integer? -- Of Engine.IO: 4 unless given, or 3.",
    message_event = "string? -- The event that say sends and that is a message; message unless given.",
    map = "function? -- Gets name, arguments and acknowledgement of an event; returns an event and its fields.",
    answer = "function? -- Gets name and arguments of an event; returns what acknowledges it.",
    acknowledged = "boolean? -- Whether say asks for an acknowledgement.",
}
local S = system {
    name = "socketio", title = "Socket.IO", client = "client",
    options = options,
    server_options = {
        version = "integer?", ping_interval = "duration?", ping_timeout = "duration?", upgrades = "boolean?",
        namespaces = "list?",                      -- the only ones there are
        admit = "function?",                       -- gets auth and namespace; returns true, or why not
        on_event = "function?",                    -- gets name and arguments; returns what acknowledges
        map = "function?",                         -- says what its peers hear, as that of a client does
    },
    properties = { sid = "string?", transport = "string?", connected = "boolean?" },
    events = {
        connected = { sid = "string?", namespace = "string" }, upgraded = { transport = "string" },
        upgrade_failed = { reason = "string" },
        refused = { message = "string", data = "any?" }, disconnected = { code = "integer", reason = "string" },
        event = { name = "string", args = "list", ack = "integer?" },
        message = { text = "string", from = "string?", args = "list", ack = "integer?" },
        message_sent = { text = "string", answer = "list" },
        typing = { from = "string?", active = "boolean?", args = "list" },
    },
    noise = { "connected", "upgraded", "upgrade_failed", "message_sent" }, troubles = { "refused", "upgrade_failed" },
    absences = { queue = "Socket.IO has no queue of its own; a server's event with one is an \"event\"" },
    parties = { peer = {
        events = {
            joined = { client = "integer", namespace = "string", auth = "any?" },
            left = { client = "integer", reason = "string" },
            event = { client = "integer", name = "string", args = "list", namespace = "string" },
            message = { client = "integer", text = "string" }, acknowledged = { client = "integer", args = "list" },
        },
        noise = { "joined", "left" },
    } },
}

local packets = require "socketio.packets"
local connect, disconnect, event, ack = packets.connect, packets.disconnect, packets.event, packets.ack
local write, dispatch, take = packets.write, packets.dispatch, packets.take

-- The client ----------------------------------------------------------------------------------------------------------

local function put(me, packet)
    if me.transport == "websocket" then
        local link = me._link or error("the client is not connected", 0)
        if packet.text then return link:send(packet.text) end
        return link:send_bytes(me._version == 3 and "\4" .. packet.bytes or packet.bytes)
    end
    table.insert(me._outbox, packet)
    if not me._posting and not me._upgrading then me:after("post", 0) end
end

local function send(me, kind, payload, number)
    local text, attachments = write(kind, me._namespace, payload, number)
    put(me, { text = text })
    for _, bytes in ipairs(attachments) do put(me, { bytes = bytes }) end
end

local function rest(me)
    me._over = true
    for _, name in ipairs { "opening", "silence", "ping" } do me:cancel(name) end
end

-- Ends the session; what is still under way is not waited for.
local function leave(me, code, reason)
    if me._over then return end
    rest(me)
    me.connected, me._waiting = false, nil
    if me._link then me._link:drop() end
    me:emit("disconnected", { code = code, reason = reason })
    me:wake("ready", false)
    me:wake "paused"
    for number = 1, me._calls or 0 do me:wake("ack " .. number, nil, reason) end
end

-- Leaves a server that has done something wrong; `message` is nil if it has not.
local function fail(me, code, message)
    if me._over or not message then return end
    -- What is quoted may be cut anywhere, or never have been text.
    local text = tostring(message.message or message)
    me:emit("error", { code = code, message = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. "" })
    leave(me, code == "protocol" and 1002 or 1006, code)
end

local function query(me, transport)
    local parameters = { EIO = tostring(me._version), transport = transport }
    for name, value in pairs(me._setup.query or {}) do parameters[name] = value end
    if me._session then parameters.sid = me._session end
    if me._version == 3 and transport == "polling" then parameters.b64 = "1" end
    return parameters
end

local function open_link(me)
    me._link = me:open {
        path = me._path, query = query(me, "websocket"), headers = me._setup.headers, token = me._setup.token,
    }
end

local function poll(me, post)
    return me:request {
        method = post and "POST" or "GET", path = me._path, query = query(me, "polling"), token = me._setup.token,
        headers = me._setup.headers, body = post, timeout = (me._patience or 20) + 10,
    }
end

-- Tells of an event as what the map makes of it, if it has a word for it; returns whether it has.
local function observe_mapped(me, packet, name, args, raw)
    local map = me._setup.map
    if not map then return false end
    local given = table.move(args, 1, #args, 1, {})
    given[#given + 1] = packet.ack
    local kind, fields = map(name, table.unpack(given))
    if not kind then return false end
    fields = fields or {}
    if kind == "message" or kind == "typing" or kind == "event" then fields.args = fields.args or args end
    if kind == "message" or kind == "event" then fields.ack = fields.ack or packet.ack end
    -- What the server sent may fit the map and not the event.
    local fits, why = pcall(me.emit, me, kind, fields, raw)
    if not fits then me:emit("error", { code = "event", message = name .. ": " .. (why.message or why) }, raw) end
    return true
end

local function observe_event(me, packet)
    local args = packet.payload
    local name = table.remove(args, 1)
    local raw = { name = name, args = args, ack = packet.ack }
    if not observe_mapped(me, packet, name, args, raw) then
        local first = args[1]
        local text = first
        local from
        if type(first) == "table" then text, from = first.text, type(first.from) == "string" and first.from or nil end
        if name == (me._setup.message_event or "message") and type(text) == "string" then
            me:emit("message", { text = text, from = from, args = args, ack = packet.ack }, raw)
        else
            me:emit("event", { name = name, args = args, ack = packet.ack }, raw)
        end
    end
    if packet.ack and me._setup.answer then
        send(me, ack, { me._setup.answer(name, table.unpack(args)) }, packet.ack)
    end
end

-- Takes what came of another namespace than the client's own. Engine.IO 3 connects everybody to the namespace "/"
-- first; what its application says there is not for the client.
local function observe_other(me, packet)
    if me._version ~= 3 or packet.namespace ~= "/" then
        return fail(me, "protocol", "a packet of the namespace " .. packet.namespace .. ", which was not joined")
    end
    if packet.kind ~= connect then return end
    if me._has_root then return fail(me, "protocol", "a second connection to the namespace /") end
    me._has_root = true
    send(me, connect)
end

local function observe(me, packet)
    if packet.namespace ~= me._namespace then return observe_other(me, packet) end
    local payload = packet.payload
    if packet.kind == connect then
        if me.connected then return fail(me, "protocol", "a second connection to the namespace " .. me._namespace) end
        if me._version == 4 and not (type(payload) == "table" and type(payload.sid) == "string") then
            return fail(me, "protocol", "a connection to the namespace " .. me._namespace .. " without a sid")
        end
        me.sid = type(payload) == "table" and type(payload.sid) == "string" and payload.sid or me._session
        me.connected = true
        me:cancel "opening"
        me:emit("connected", { sid = me.sid, namespace = me._namespace }, payload)
        me:wake("ready", true)
    elseif packet.kind == packets.connect_error then
        local refusal = type(payload) == "table" and payload or { message = payload }
        me:emit("refused", {
            message = type(refusal.message) == "string" and refusal.message or "", data = refusal.data,
        }, payload)
        me:cancel "opening"
        me:wake("ready", false)
    elseif packet.kind == disconnect then
        leave(me, 1000, "the server disconnected the client")
    elseif packet.kind == event then
        observe_event(me, packet)
    else
        local asked = me._asked[packet.ack]
        if not asked then return fail(me, "protocol", "an acknowledgement of nothing: number " .. packet.ack) end
        me._asked[packet.ack] = nil
        -- Here, not where "say" waits, for what the server sends behind it comes later.
        if asked.text then me:emit("message_sent", { text = asked.text, answer = payload }) end
        me:wake("ack " .. packet.ack, payload)
    end
end

-- Posts what is to be sent over long polling.
local function post(me)
    local turn = me._turn
    me._posting = true
    while #me._outbox > 0 and me.transport == "polling" and not me._over and not me._upgrading do
        local list = me._outbox
        me._outbox = {}
        local answer = poll(me, packets.join(list, me._version))
        if me._turn ~= turn then return end
        if not answer.ok then
            fail(me, "post", "the server did not take what was posted: " .. tostring(answer.status))
        end
    end
    me._posting = false
    me:wake "paused"
end

-- Ends what an earlier connect began; what its link, or its poll of an earlier turn, still says is not the next one's.
local function leave_earlier(me)
    -- A goodbye over long polling goes first.
    while me._is_leaving and me._posting do me:wait("paused", (me._patience or 20) + 20) end
    for _, name in ipairs { "poll", "post", "upgrade" } do me:cancel(name) end
    if me._is_leaving and me.transport == "polling" then post(me) end
    me._turn = (me._turn or 0) + 1
    if me._link then
        me._link:abandon()
        me._link = nil
    end
    if me.connected then leave(me, 1000, "") else rest(me) end
end

local function is_list_of_texts(value)
    if type(value) ~= "table" then return false end
    for key, member in pairs(value) do
        if math.type(key) ~= "integer" or type(member) ~= "string" then return false end
    end
    return true
end

local engine = {
    ["0"] = function(me, rest)
        if me._session then error("a second opening", 0) end
        local open = json.decode(rest, "unambiguous")
        local interval, timeout = open.pingInterval, open.pingTimeout
        local is_sound = type(open.sid) == "string" and type(interval) == "number" and type(timeout) == "number"
            and interval >= 1 and timeout >= 0 and interval + timeout < 1e9
        if not is_sound then
            error("an opening without sid, pingInterval or pingTimeout", 0)
        end
        if open.upgrades ~= nil and not is_list_of_texts(open.upgrades) then
            error("an opening whose upgrades are no list of texts", 0)
        end
        me._session, me._interval, me._patience = open.sid, interval / 1000, (interval + timeout) / 1000
        me._upgrades = open.upgrades
        me:after("silence", me._patience)
        if me._version == 3 then
            me:after("ping", me._interval)
        else
            send(me, connect, me._setup.auth)
        end
    end,
    ["1"] = function(me) leave(me, 1000, "the server closed the session") end,
    -- Servers ping in version 4 only, and probe in neither.
    ["2"] = function(me, rest)
        if me._version == 3 or rest ~= "" then error("a ping that only clients send: 2" .. rest:sub(1, 40), 0) end
        put(me, { text = "3" })
    end,
    ["3"] = function(me, rest)
        if rest == "probe" and me._link and me.transport == "polling" and not me._upgrading then
            me._upgrading = true
            me:after("upgrade", 0)
        elseif rest ~= "probe" and me._is_pinging then
            me._is_pinging = false
            me:after("ping", me._interval)
        else
            error("a pong that no ping asked for: 3" .. rest:sub(1, 40), 0)
        end
    end,
    ["4"] = take,
    ["6"] = function() end,
}

-- Takes packets of Engine.IO in, from either transport; what breaks the protocol ends the session.
local function arrived(me, list)
    for _, packet in ipairs(list) do
        if me._over then return end
        if me._patience then me:after("silence", me._patience) end
        local understood, whole = pcall(dispatch, me, packet, engine)
        if not understood then return fail(me, "protocol", whole) end
        if whole then observe(me, whole) end
    end
end

-- Opens the session and joins the namespace; returns whether the server let the client in. A system that extends this
-- one hands over a table of options, which count where the actor has none.
S.commands.connect = { parameters = {}, function(me, ...)
    local o = settings(me, options, ...)
    me._setup = o
    me._version, me._namespace, me._path = o.version or 4, o.namespace or "/", o.path or "/socket.io/"
    if me._version ~= 3 and me._version ~= 4 then error("version is 4, or 3 for servers 2 of Socket.IO", 0) end
    leave_earlier(me)
    me._outbox, me._calls, me._over, me._session, me._patience, me._waiting = {}, 0, false, nil, nil, nil
    me._upgrading, me._polling, me._posting, me.connected, me._is_leaving = false, false, false, false, false
    me._asked, me._has_root, me._is_pinging = {}, false, false
    me.transport = o.transport == nil and "websocket" or o.transport == "upgrade" and "polling" or o.transport
    if me.transport == "websocket" then open_link(me) else me:after("poll", 0) end
    me:after("opening", "20s")
    return (me:wait("ready", "1m"))
end }

local function must_be_connected(me)
    if not me.connected or me._is_leaving then error("the client is not connected: connect first", 0) end
end

function S.commands.emit(me, name, ...)
    must_be_connected(me)
    packets.must_be_name("emit", name)
    send(me, event, { name, ... })
end

-- Emits an event and waits for its acknowledgement; returns the arguments of that.
function S.commands.call(me, name, ...)
    must_be_connected(me)
    packets.must_be_name("call", name)
    me._calls = me._calls + 1
    me._asked[me._calls] = {}
    send(me, event, { name, ... }, me._calls)
    local values, problem = me:wait("ack " .. me._calls)
    if not values then me:fail("no acknowledgement of " .. name .. ": " .. tostring(problem)) end
    return table.unpack(values)
end
S.commands.say = { sends = "text", function(me, text)
    must_be_connected(me)
    local name = me._setup.message_event or "message"
    if not me._setup.acknowledged then return send(me, event, { name, text }) end
    me._calls = me._calls + 1
    me._asked[me._calls] = { text = text }
    send(me, event, { name, text }, me._calls)
    me:wait("ack " .. me._calls)
end }

-- Acknowledges an event that asks for it: one with an `ack`.
function S.commands.ack(me, number, ...)
    must_be_connected(me)
    if math.type(number) ~= "integer" then
        error("ack needs the ack of an event that asks for one, not " .. tostring(number), 0)
    end
    send(me, ack, { ... }, number)
end
function S.commands.disconnect(me)
    must_be_connected(me)
    me._is_leaving = true
    send(me, disconnect)
    if me.transport == "websocket" then me._link:close(1000) else put(me, { text = "1" }) end
end

-- Who cannot upgrade goes on with long polling.
local function stay(me, reason)
    if not me._over then me:emit("upgrade_failed", { reason = reason }) end
end

local function try_upgrade(me)
    for _, transport in ipairs(me._upgrades or { "websocket" }) do
        if transport == "websocket" then return open_link(me) end
    end
    stay(me, "the server offers no WebSocket")
end

function S.on.open(me, link)
    -- A link of a session that began with long polling is tried first.
    if me._session then link:send "2probe" end
end
function S.on.text(me, text) arrived(me, { { text = text } }) end
function S.on.bytes(me, bytes)
    if me._version == 3 then
        if bytes:byte(1) ~= 4 then return fail(me, "protocol", "a binary packet that is no message") end
        bytes = bytes:sub(2)
    end
    arrived(me, { { bytes = bytes } })
end
function S.on.closed(me, closure)
    me._link = nil
    me:wake "paused"
    -- A link that was only tried is not missed.
    if me.transport ~= "websocket" then
        local reason = closure.reason ~= "" and " " .. closure.reason or ""
        return stay(me, ("the WebSocket was closed: %d%s"):format(closure.code, reason))
    end
    if closure.code ~= 1006 then fail(me, "protocol", packets.half(me)) end
    leave(me, closure.code, closure.reason)
end
function S.on.failed(me, failure)
    me._link = nil
    me:wake "paused"
    if me._session and me.transport == "polling" then return stay(me, failure.message) end
    me:emit("error", failure)
    rest(me)
    me:wake("ready", false)
end

local timers = {
    opening = function(me) fail(me, "silence", "the server did not let the client in within 20s, nor refuse it") end,
    silence = function(me) fail(me, "silence", "the server sent nothing for longer than its pings allow") end,
    ping = function(me)
        me._is_pinging = true
        put(me, { text = "2" })
    end,
    poll = function(me)
        local turn = me._turn
        me._polling = true
        while me.transport == "polling" and not me._over and not me._upgrading do
            local answer = poll(me)
            if me._over or me._turn ~= turn then return end
            if not answer.ok or not answer.body then
                local failure = answer.failure
                me:emit("error", {
                    code = failure and failure.code or "http", status = answer.status, body = answer.body,
                    message = failure and failure.message or "long polling was answered " .. tostring(answer.status),
                })
                return leave(me, 1006, "transport error")
            end
            local read, list = pcall(packets.split, answer.body, me._version)
            if not read then return fail(me, "protocol", list) end
            local opens = not me._session
            arrived(me, list)
            if opens and me._session and me._setup.transport == "upgrade" then try_upgrade(me) end
        end
        me._polling = false
        me:wake "paused"
    end,
    post = post,
    -- The server knows the link, and ends the poll it holds. Once what was under way over long polling has arrived,
    -- nothing goes over it any more: a server refuses a poll that reaches it after the upgrade.
    upgrade = function(me)
        local turn = me._turn
        -- Where a server ends a poll only once, the next ping is what ends the one after that.
        while (me._polling or me._posting) and me._link and not me._over and me._turn == turn do
            me:wait("paused", me._patience + 10)
        end
        if me._turn ~= turn then return end
        me._upgrading = false
        if me._over then return end
        if me._link then
            me.transport = "websocket"
            me._link:send "5"
            me:emit("upgraded", { transport = "websocket" })
        elseif not me._polling then
            -- The link broke before it was needed: long polling goes on.
            me:after("poll", 0)
        end
        local waiting = me._outbox
        me._outbox = {}
        for _, packet in ipairs(waiting) do put(me, packet) end
    end,
}
function S.on.timer(me, name) (timers[name] or require "systems.no_timer")(me, name) end
function S.on.ending(me)
    if me.connected then fail(me, "protocol", packets.stands_still(me)) end
    rest(me)
    if not me.connected then return end
    if me.transport == "websocket" then
        me._link:send((write(disconnect, me._namespace)))
    else
        poll(me, packets.join({ { text = (write(disconnect, me._namespace)) }, { text = "1" } }, me._version))
    end
end

local server = require "socketio.server"
for name, handler in pairs(server.handlers) do S.server[name] = handler end
for name, command in pairs(server.peer) do S.parties.peer[name] = command end

return S
