-- The simulated broker of `stomp`, and who plays another client on its side.
local frames, heartbeats = require "stomp.frames", require "stomp.heartbeats"

-- Handlers of the broker, and what its party "peer" can do.
local server, peer_commands = {}, {}

local function tell_parties(desk, kind, fields)
    for _, party in pairs(desk.parties) do party:emit(kind, fields) end
end

local function reply(client, command, headers, body)
    if client._beat then client._desk:after("beat " .. client.number, client._beat) end
    if not client.is_closing then client:send(frames.write(command, headers, body)) end
end

-- An ERROR ends a connection.
local function refuse(client, message, text, receipt)
    reply(client, "ERROR", { message = message, ["receipt-id"] = receipt, ["content-type"] = "text/plain" }, text or "")
    client:close(1002, message)
end

-- Gives a message to subscribers: to each of a topic, to one of a queue, which takes turns.
local function deliver(desk, destination, body, headers)
    local takers = {}
    for _, client in ipairs(desk.clients) do
        for id, subscription in pairs(client._subscriptions or {}) do
            if subscription.destination == destination then
                takers[#takers + 1] = { client = client, id = id, subscription = subscription }
            end
        end
    end
    table.sort(takers, function(one, other)
        if one.client ~= other.client then return one.client.number < other.client.number end
        return one.id < other.id
    end)
    if destination:find "^/queue/" then
        if #takers == 0 then
            desk._waiting[destination] = desk._waiting[destination] or {}
            return table.insert(desk._waiting[destination], { body = body, headers = headers })
        end
        desk._turn = desk._turn + 1
        takers = { takers[desk._turn % #takers + 1] }
    end
    for _, taker in ipairs(takers) do
        desk._count = desk._count + 1
        local message = { destination = destination, ["message-id"] = "m" .. desk._count, subscription = taker.id }
        for name, value in pairs(headers) do message[name] = message[name] or value end
        if taker.subscription.ack ~= "auto" then
            message.ack = "a" .. desk._count
            taker.client._owed[message.ack] = { destination = destination, body = body, headers = headers }
        end
        reply(taker.client, "MESSAGE", message, body)
    end
end

-- The headers of a SEND that travel with the message.
local function travelling(headers)
    local copy = {}
    for name, value in pairs(headers) do
        if name ~= "destination" and name ~= "receipt" and name ~= "transaction" then copy[name] = value end
    end
    return copy
end

local function taken(desk, client, frame, is_accepted)
    local id = frame.headers.id
    local message = client._owed[id or ""]
    if not message then return refuse(client, "no such message", "there is nothing to acknowledge: " .. tostring(id)) end
    client._owed[id] = nil
    tell_parties(desk, "acknowledged", { client = client._place, id = id, accepted = is_accepted })
    if not is_accepted then deliver(desk, message.destination, message.body, message.headers) end
end

-- Does something at once, or with the COMMIT of its transaction.
local function in_transaction(client, frame, action)
    local name = frame.headers.transaction
    if not name then return action() end
    local transaction = client._transactions[name]
    if not transaction then return refuse(client, "no such transaction", name) end
    table.insert(transaction, action)
end

local served = {
    SEND = function(desk, client, frame)
        local destination = frame.headers.destination
        if not destination then return refuse(client, "a SEND without a destination") end
        in_transaction(client, frame, function()
            tell_parties(desk, "message", {
                client = client._place, destination = destination, text = utf8.len(frame.body) and frame.body or "",
                headers = frame.headers,
            })
            deliver(desk, destination, frame.body, travelling(frame.headers))
        end)
    end,
    SUBSCRIBE = function(desk, client, frame)
        local id, destination = frame.headers.id, frame.headers.destination
        if not id or not destination then return refuse(client, "a SUBSCRIBE without id or destination") end
        if client._subscriptions[id] then return refuse(client, "a subscription of this id is there", id) end
        client._subscriptions[id] = { destination = destination, ack = frame.headers.ack or "auto" }
        local waiting = desk._waiting[destination] or {}
        desk._waiting[destination] = nil
        for _, message in ipairs(waiting) do deliver(desk, destination, message.body, message.headers) end
    end,
    UNSUBSCRIBE = function(_, client, frame) client._subscriptions[frame.headers.id or ""] = nil end,
    ACK = function(desk, client, frame)
        in_transaction(client, frame, function() taken(desk, client, frame, true) end)
    end,
    NACK = function(desk, client, frame)
        in_transaction(client, frame, function() taken(desk, client, frame, false) end)
    end,
    BEGIN = function(_, client, frame) client._transactions[frame.headers.transaction or ""] = {} end,
    COMMIT = function(_, client, frame)
        local actions = client._transactions[frame.headers.transaction or ""]
        if not actions then return refuse(client, "no such transaction") end
        client._transactions[frame.headers.transaction] = nil
        for _, action in ipairs(actions) do action() end
    end,
    ABORT = function(_, client, frame) client._transactions[frame.headers.transaction or ""] = nil end,
    DISCONNECT = function(_, client) client._is_leaving = true end,
}

local function enter(desk, client, frame)
    local headers = frame.headers
    local version = desk.options.version or "1.2"
    if not (headers["accept-version"] or ""):find(version, 1, true) then
        return refuse(client, "version not supported", "Supported protocol versions are " .. version)
    end
    local users = desk.options.users
    if users and (not headers.login or users[headers.login] ~= headers.passcode) then
        return refuse(client, "Bad CONNECT", "Access refused for user '" .. tostring(headers.login) .. "'")
    end
    local understood, can, wants = pcall(heartbeats.read, headers["heart-beat"])
    if not understood then return refuse(client, "a heart-beat that is none") end
    local own = math.tointeger((desk.options.heartbeat or 10) * 1000 // 1)
    desk._entered = desk._entered + 1
    client._subscriptions, client._owed, client._transactions = {}, {}, {}
    client._is_in, client._place = true, desk._entered
    client._beat, client._patience = heartbeats.agreed(own, can, wants)
    reply(client, "CONNECTED", {
        version = version, session = "session-" .. client._place, server = "repartee",
        ["heart-beat"] = own .. "," .. own,
    })
    tell_parties(desk, "joined", { client = client._place, login = headers.login })
end

local function serve(desk, client, frame)
    if not client._is_in then
        if frame.command ~= "CONNECT" and frame.command ~= "STOMP" then return refuse(client, "not connected") end
        return enter(desk, client, frame)
    end
    local handler = served[frame.command]
    if not handler then return refuse(client, "unknown command", frame.command) end
    handler(desk, client, frame)
    if frame.headers.receipt then reply(client, "RECEIPT", { ["receipt-id"] = frame.headers.receipt }) end
    if client._is_leaving then client:close(1000, "goodbye") end
end

local function receive(desk, client, bytes)
    local understood, list = pcall(frames.feed, client._reader, bytes)
    if not understood then return refuse(client, "a frame that is none", list) end
    if client._patience then desk:after("silence " .. client.number, client._patience) end
    for _, frame in ipairs(list) do serve(desk, client, frame) end
end

function server.started(desk)
    heartbeats.check(desk.options.heartbeat)
    desk._waiting, desk._count, desk._turn, desk._entered = {}, 0, 0, 0
end
function server.upgrade(_, request)
    local offered = request.headers["sec-websocket-protocol"]
    if offered and not offered:find("v12.stomp", 1, true) then
        return { status = 400, body = "the sub-protocol is v12.stomp" }
    end
    return offered and "v12.stomp" or true
end
function server.connected(desk, client) client._desk, client._reader = desk, {} end
server.text, server.bytes = receive, receive
function server.closed(desk, client, closure)
    desk:cancel("beat " .. client.number)
    desk:cancel("silence " .. client.number)
    if client._is_in then tell_parties(desk, "left", { client = client._place, reason = closure.reason }) end
end
function server.timer(desk, name)
    local what, number = name:match "^(%a+) (%d+)$"
    for _, client in ipairs(desk.clients) do
        if client.number == tonumber(number) then
            if what == "silence" then return refuse(client, "no heart-beat") end
            client:send "\n"
            desk:after(name, client._beat)
        end
    end
end

-- Who plays another client, with every right --------------------------------------------------------------------------

peer_commands.send = { parameters = frames.to_send, function(peer, destination, text, headers)
    frames.check_headers("send", headers)
    deliver(peer.desk, destination, text, headers or {})
end }
peer_commands.say = { parameters = { "text: string", "destination: string?" }, sends = "text",
    function(peer, text, destination) deliver(peer.desk, destination or "/topic/chat", text, {}) end }

-- Ends the connection of a client with an ERROR.
function peer_commands.refuse(peer, number, message)
    for _, client in ipairs(peer.desk.clients) do
        if client._place == number then return refuse(client, message) end
    end
    error("there is no client " .. tostring(number), 0)
end

return { handlers = server, peer = peer_commands }
