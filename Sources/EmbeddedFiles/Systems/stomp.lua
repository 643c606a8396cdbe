-- stomp: STOMP 1.2 over WebSocket, as RabbitMQ, ActiveMQ and Spring speak it. After the specification at
-- https://stomp.github.io/stomp-specification-1.2.html.
--
--     local ada = t:actor(stomp, { login = "ada", passcode = secret "PASSCODE", destination = "/topic/support" })
--     ada:connect()                                          -- whether the server let the client in
--     ada:subscribe("/topic/support")                        -- waits for the receipt; returns the subscription's id
--     ada:say "Where is my order?"                           -- to the option `destination`
--     ada:expect("message", { text = match.contains "morning" })
--     ada:subscribe("/queue/orders", { ack = "client-individual" })
--     ada:ack(ada:expect("message").ack)                     -- or ada:nack(…)
--
-- `message_sent` follows a text when the server has given a receipt for it (option `receipts`). Heart-beats are sent
-- and awaited as both sides agreed, while a scenario waits. A server that breaks the protocol is left: `error` with the
-- code "protocol", then `disconnected`; one that falls silent, with the code "silence"; an ERROR of the server's is the
-- event `refused`.
--
-- A chat over STOMP with events of its own extends this system, and gives its `connect` a table of the options that all
-- of its clients have.
local settings = require "systems.settings"

local options = {
    path = "string? -- Of the handshake; /ws unless given.", headers = "table? -- Of the handshake.",
    token = "string? -- Makes the header Authorization of the handshake.",
    host = "string? -- Of the frame CONNECT; / unless given.", login = "string?", passcode = "string?",
    connect_headers = "table? -- Further headers of the frame CONNECT.",
    heartbeat = "duration? -- How often either side is to be heard; 10s unless given, 0: never.",
    destination = "string? -- Of what say says; /topic/chat unless given.",
    receipts = "boolean? -- Whether say asks for a receipt; true unless given.",
}
local S = system {
    name = "stomp", title = "STOMP", client = "client",
    options = options,
    server_options = {
        users = "table?",                          -- the only ones, with their passcodes
        heartbeat = "duration?", version = "string?",
    },
    properties = { connected = "boolean?", session = "string?" },
    events = {
        connected = { version = "string", session = "string?", server = "string?" },
        refused = { message = "string", text = "string", headers = "table" },
        message = {
            text = "string", base64 = "string?", destination = "string", id = "string", subscription = "string",
            ack = "string?", headers = "table",
        },
        message_sent = { text = "string", destination = "string" },
        subscribed = { id = "string", destination = "string" },
        disconnected = { code = "integer", reason = "string" },
    },
    noise = { "connected", "message_sent", "subscribed" }, troubles = { "refused" },
    absences = {
        typing = "STOMP has no event for it; send it to a destination of the application",
        queue = "STOMP has no queue for people",
    },
    parties = { peer = {
        events = {
            joined = { client = "integer", login = "string?" }, left = { client = "integer", reason = "string" },
            message = { client = "integer", destination = "string", text = "string", headers = "table" },
            acknowledged = { client = "integer", id = "string", accepted = "boolean" },
        },
        noise = { "joined", "left" },
    } },
}

local frames, heartbeats = require "stomp.frames", require "stomp.heartbeats"

local function rest(me)
    me._over = true
    for _, name in ipairs { "opening", "beat", "silence" } do me:cancel(name) end
end

local function leave(me, code, reason)
    if me._over then return end
    rest(me)
    me.connected = false
    if me._link then me._link:drop() end
    me:emit("disconnected", { code = code, reason = reason })
    me:wake("ready", false)
    for id in pairs(me._receipts) do me:wake("receipt " .. id, false) end
    me._receipts = {}
end

-- Ends what an earlier connect began; what its link still says is not the next one's.
local function leave_earlier(me)
    if not me._link then return end
    me._link:abandon()
    me._link = nil
    if me.connected then return leave(me, 1000, "") end
    rest(me)
    me:wake("ready", false)
end

-- Leaves a server that has done something wrong; `message` is nil if it has not.
local function fail(me, code, message)
    if me._over or not message then return end
    -- What is quoted may be cut anywhere, or never have been text.
    local text = tostring(message.message or message)
    me:emit("error", { code = code, message = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. "" })
    leave(me, 1002, code)
end

-- What was begun or got under a name that a scenario gives.
local function must_have(known, what, name, remedy)
    if not known[name] then error(("there is no %s %q: %s"):format(what, name, remedy), 0) end
end

local function must_be_connected(me)
    if not me.connected or me._is_leaving then error("the client is not connected: connect first", 0) end
end

local function send(me, command, headers, body)
    if me._beat then me:after("beat", me._beat) end
    local link = me._link or error("the client is not connected", 0)
    return link:send(frames.write(command, headers, body))
end

-- Sends a frame with a receipt; `done` is called when that has come.
local function send_for_receipt(me, command, headers, body, done)
    me._count = me._count + 1
    local id = "r" .. me._count
    headers.receipt = id
    me._receipts[id] = done or function() end
    send(me, command, headers, body)
    return id
end

local function await_receipt(me, command, headers, body)
    must_be_connected(me)
    local id = send_for_receipt(me, command, headers, body)
    if not me:wait("receipt " .. id) then me:fail("the connection ended before the server gave a receipt") end
end

local arrived = {
    CONNECTED = function(me, frame)
        if me.connected then error("a second CONNECTED", 0) end
        local headers = frame.headers
        if headers.version ~= "1.2" then
            error("a CONNECTED of version " .. tostring(headers.version) .. ", though only 1.2 was offered", 0)
        end
        local can, wants = heartbeats.read(headers["heart-beat"])
        me._beat, me._patience = heartbeats.agreed((me._setup.heartbeat or 10) * 1000, can, wants)
        me.connected, me.session = true, headers.session
        me:cancel "opening"
        if me._beat then me:after("beat", me._beat) end
        if me._patience then me:after("silence", me._patience) end
        me:emit("connected", { version = "1.2", session = headers.session, server = headers.server }, frame)
        me:wake("ready", true)
    end,
    MESSAGE = function(me, frame)
        local h = frame.headers
        if not (h.destination and h["message-id"] and h.subscription) then
            error("a MESSAGE without destination, message-id or subscription", 0)
        end
        local is_text = utf8.len(frame.body) ~= nil
        me:emit("message", {
            text = is_text and frame.body or "", base64 = not is_text and base64.encode(frame.body) or nil,
            destination = h.destination, id = h["message-id"], subscription = h.subscription, ack = h.ack, headers = h,
        })
        local mode = me._subscriptions[h.subscription]
        if h.ack and mode and mode ~= "auto" then
            me._taken = me._taken + 1
            me._unacknowledged[h.ack] = { number = me._taken, subscription = h.subscription, mode = mode }
        end
    end,
    RECEIPT = function(me, frame)
        local id = frame.headers["receipt-id"]
        local done = me._receipts[id or ""] or error("a RECEIPT that nothing asked for: " .. tostring(id), 0)
        me._receipts[id] = nil
        done()
        me:wake("receipt " .. id, true)
    end,
    ERROR = function(me, frame)
        local text = utf8.len(frame.body) and frame.body or ""
        me:emit("refused", { message = frame.headers.message or "", text = text, headers = frame.headers })
        me:cancel "opening"
        me:wake("ready", false)
        -- The server is to close now, but not every one does.
        me._is_leaving = true
        me._link:close()
    end,
}

local function take(me, bytes)
    local understood, problem = pcall(function()
        if me._patience then me:after("silence", me._patience) end
        for _, frame in ipairs(frames.feed(me._reader, bytes)) do
            if me._over then return end
            local handler = arrived[frame.command] or error("a frame " .. frame.command, 0)
            if not me.connected and frame.command ~= "CONNECTED" and frame.command ~= "ERROR" then
                error("a " .. frame.command .. " before CONNECTED", 0)
            end
            handler(me, frame)
        end
    end)
    if not understood then fail(me, "protocol", problem) end
end
function S.on.text(me, text) take(me, text) end
function S.on.bytes(me, bytes) take(me, bytes) end

S.commands.connect = { parameters = {}, function(me, ...)
    local o = settings(me, options, ...)
    frames.check_headers("connect_headers", o.connect_headers)
    heartbeats.check(o.heartbeat)
    leave_earlier(me)
    me._setup = o
    me._reader, me._receipts, me._count, me._over, me.connected, me._is_leaving = {}, {}, 0, false, false, false
    me._beat, me._patience = nil, nil
    me._subscriptions, me._unacknowledged, me._transactions, me._taken = {}, {}, {}, 0
    me._link = me:open {
        path = o.path or "/ws", headers = o.headers, token = o.token, subprotocols = { "v12.stomp" },
    }
    me:after("opening", "20s")
    return (me:wait("ready", "1m"))
end }
function S.on.open(me)
    -- A browser gives up a WebSocket whose server agrees on none of the sub-protocols that were offered.
    local chosen = me._link.subprotocol
    if chosen ~= "v12.stomp" then
        return fail(me, "protocol", chosen and "the server chose the sub-protocol " .. chosen .. ", not v12.stomp"
            or "the server agreed on no sub-protocol, and v12.stomp was offered")
    end
    local o = me._setup
    local own = math.tointeger((o.heartbeat or 10) * 1000 // 1)
    local headers = {
        ["accept-version"] = "1.2", host = o.host or "/", login = o.login, passcode = o.passcode,
        ["heart-beat"] = own .. "," .. own,
    }
    for name, value in pairs(o.connect_headers or {}) do headers[name] = value end
    send(me, "CONNECT", headers)
end

local modes = { auto = true, client = true, ["client-individual"] = true }

-- Subscribes to a destination; `options` are `ack` ("auto", "client" or "client-individual") and more headers. Returns
-- the id of the subscription.
S.commands.subscribe = { parameters = { "destination: string", "options: table?" }, function(me, destination, options)
    must_be_connected(me)
    frames.check_headers("subscribe", options)
    local headers = { destination = destination, ack = "auto" }
    for name, value in pairs(options or {}) do headers[name] = value end
    if not modes[headers.ack] then
        error(("ack is \"auto\", \"client\" or \"client-individual\", not \"%s\""):format(headers.ack), 0)
    end
    me._count = me._count + 1
    headers.id = headers.id or "s" .. me._count
    me._subscriptions[headers.id] = headers.ack
    await_receipt(me, "SUBSCRIBE", headers)
    me:emit("subscribed", { id = headers.id, destination = destination })
    return headers.id
end }
S.commands.unsubscribe = { parameters = { "id: string" }, function(me, id)
    must_be_connected(me)
    must_have(me._subscriptions, "subscription", id, "subscribe returns its id")
    await_receipt(me, "UNSUBSCRIBE", { id = id })
    me._subscriptions[id] = nil
end }

-- Sends a text with headers of its own, and waits for the receipt; in a transaction that comes with the commit.
S.commands.send = { parameters = frames.to_send, function(me, destination, text, headers)
    must_be_connected(me)
    frames.check_headers("send", headers)
    local all = { destination = destination, ["content-type"] = "text/plain;charset=utf-8" }
    for name, value in pairs(headers or {}) do all[name] = value end
    if all.transaction then
        must_have(me._transactions, "transaction", all.transaction, "begin it first")
        return send(me, "SEND", all, text)
    end
    await_receipt(me, "SEND", all, text)
end }
S.commands.say = { sends = "text", function(me, text)
    must_be_connected(me)
    local destination = me._setup.destination or "/topic/chat"
    local headers = { destination = destination, ["content-type"] = "text/plain;charset=utf-8" }
    if me._setup.receipts == false then return send(me, "SEND", headers, text) end
    send_for_receipt(me, "SEND", headers, text, function()
        me:emit("message_sent", { text = text, destination = destination })
    end)
end }

-- Takes a message, or refuses it: the `ack` of the event `message`.
local function answer(command)
    return { parameters = { "id: string", "transaction: string?" }, function(me, id, transaction)
        must_be_connected(me)
        must_have(me._unacknowledged, "message to answer", id, "give the ack of the event message, once")
        if transaction then must_have(me._transactions, "transaction", transaction, "begin it first") end
        send(me, command, { id = id, transaction = transaction })
        -- What a transaction holds may never happen.
        if transaction then return end
        local answered = me._unacknowledged[id]
        me._unacknowledged[id] = nil
        if answered.mode ~= "client" then return end
        -- In this mode all that came before is answered, too.
        for other, message in pairs(me._unacknowledged) do
            if message.subscription == answered.subscription and message.number < answered.number then
                me._unacknowledged[other] = nil
            end
        end
    end }
end
S.commands.ack, S.commands.nack = answer "ACK", answer "NACK"

-- Transactions: what is sent, taken or refused with the header `transaction` happens with `commit` or not at all.
local function about_transaction(command)
    return { parameters = { "transaction: string" }, function(me, transaction)
        must_be_connected(me)
        if command == "BEGIN" then
            if me._transactions[transaction] then error(("the transaction %q has begun"):format(transaction), 0) end
        else
            must_have(me._transactions, "transaction", transaction, "begin it first")
        end
        me._transactions[transaction] = command == "BEGIN" or nil
        await_receipt(me, command, { transaction = transaction })
    end }
end
S.commands.begin = about_transaction "BEGIN"
S.commands.commit = about_transaction "COMMIT"
S.commands.abort = about_transaction "ABORT"

-- Says goodbye; returns whether the server said that it has handled everything before. Some close at once instead.
function S.commands.disconnect(me)
    must_be_connected(me)
    me._is_leaving = true
    local link = me._link
    local id = send_for_receipt(me, "DISCONNECT", {})
    local is_handled = me:wait("receipt " .. id)
    link:close()
    return is_handled
end

local timers = {
    opening = function(me) fail(me, "silence", "the server did not answer CONNECT within 20s") end,
    beat = function(me)
        me._link:send "\n"
        me:after("beat", me._beat)
    end,
    silence = function(me) fail(me, "silence", "the server missed a heart-beat") end,
}
function S.on.timer(me, name) (timers[name] or require "systems.no_timer")(me, name) end
function S.on.closed(me, closure)
    me._link = nil
    if closure.code ~= 1006 then fail(me, "protocol", frames.half(me._reader)) end
    leave(me, closure.code, closure.reason)
end
function S.on.failed(me, failure)
    me._link = nil
    rest(me)
    me:emit("error", failure)
    me:wake("ready", false)
end
function S.on.ending(me)
    if me.connected then fail(me, "protocol", frames.stands_still(me._reader)) end
    if me.connected and not me._over and not me._is_leaving then send(me, "DISCONNECT", {}) end
    rest(me)
end

local broker = require "stomp.broker"
for name, handler in pairs(broker.handlers) do S.server[name] = handler end
for name, command in pairs(broker.peer) do S.parties.peer[name] = command end

return S
