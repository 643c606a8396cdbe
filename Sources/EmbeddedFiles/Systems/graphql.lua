-- graphql: GraphQL over WebSocket by the sub-protocol graphql-transport-ws, as graphql-ws, Apollo, Hasura, Strawberry
-- and others speak it. After https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md.
--
--     local ada = t:actor(graphql, { path = "/graphql", payload = { token = secret "TOKEN" } })
--     ada:connect()                                          -- whether the server acknowledged the connection
--     local id = ada:subscribe "subscription { messageAdded { text from } }"
--     ada:expect("next", { id = id, data = { messageAdded = { text = "Hello" } } })
--     local data = ada:query("mutation ($text: String!) { send(text: $text) { id } }", { text = "Hello" })
--     ada:complete(id)
--
-- Which results are messages, typing and the like is said by `map`, a function that gets `data` and returns a kind and
-- fields, or nothing:
--
--     map = function(data)
--         local added = data.messageAdded
--         if added then return "message", { text = added.text, from = added.from } end
--     end
--
-- What the map makes of a result and the event cannot be, since the server has sent something else, is an `error` with
-- the code "event".
--
-- A result that comes in pieces (@defer, @stream) is put together and told once it is whole. A piece that does not fit,
-- and an operation that is completed before its result is whole, break the protocol.
--
-- `say` is the mutation of the option `say`, with the text as its variable `text`; `message_sent` follows its result,
-- or `refused` where that has errors.
-- Pings are answered while a scenario waits. A server that breaks the protocol is left: `error` with the code
-- "protocol", then `disconnected` with 4400; one that does not answer a ping of the option `ping`, with "silence".
--
-- A chat over GraphQL with events of its own extends this system, and gives `connect` the options that all of its
-- clients have. `me.acknowledgement` is the payload with which the server acknowledged the connection:
--
--     local S = system { extends = graphql, name = "shop", events = { queue = { position = "integer" } } }
--     local connect = graphql.commands.connect
--     local function map(data) if data.place then return "queue", { position = data.place } end end
--     S.commands.connect = { parameters = {}, function(me)
--         return connect(me, { path = "/chat", map = map, say = "mutation ($text: String!) { send(text: $text) }" })
--     end }
local results, settings = require "graphql.results", require "systems.settings"

local options = {
    path = "string? -- Of the handshake; /graphql unless given.",
    headers = "table? -- Of the handshake.", query = "table? -- Of the handshake.",
    token = "string? -- Makes the header Authorization of the handshake.",
    payload = "table? -- The payload of connection_init.",
    say = "string? -- A mutation with the variable $text.",
    say_name = "string? -- The name of the operation of say, for a server that asks for it, or a text with several.",
    ping = "duration? -- How often the client pings; never unless given.",
    map = "function? -- Gets the data of a result; returns an event and its fields, or nothing.",
}
local S = system {
    name = "graphql", title = "GraphQL over WebSocket", client = "client",
    options = options,
    server_options = {
        admit = "function?",                       -- gets the payload of connection_init; returns true, or why not
        resolve = "function?",                     -- gets query, variables and operation; returns data, or nil, errors
        ping = "duration?",                        -- how often the server pings
    },
    properties = { connected = "boolean?", acknowledgement = "any?" },
    events = {
        connected = { payload = "any?" }, next = { id = "string", data = "any?", errors = "list?" },
        refused = { id = "string", errors = "list" }, complete = { id = "string" },
        message = { text = "string", from = "string?", id = "string?" },
        message_sent = { text = "string", data = "any?" }, typing = { from = "string?", active = "boolean?" },
        pong = { payload = "any?" }, disconnected = { code = "integer", reason = "string" },
    },
    noise = { "connected", "message_sent", "complete", "pong" }, troubles = { "refused" },
    absences = { queue = "GraphQL has no queue; a result of the application that tells of one is a \"next\"" },
    parties = { peer = {
        events = {
            joined = { client = "integer", payload = "any?" }, left = { client = "integer", code = "integer" },
            operation = { client = "integer", id = "string", query = "string", variables = "any?", operation = "string?" },
            completed = { client = "integer", id = "string" }, message = { client = "integer", text = "string" },
        },
        noise = { "joined", "left", "completed" },
    } },
}

-- Reads a message: an object with a type, and an id and a payload as that asks for; raises a text.
local shapes = {
    connection_init = {}, connection_ack = {}, ping = {}, pong = {}, complete = { id = true },
    subscribe = { id = true, object = true }, next = { id = true, object = true }, error = { id = true, list = true },
}
local function read(text)
    local message = json.decode(text, "unambiguous")
    local shape = type(message) == "table" and shapes[message.type]
    if not shape then error("there is no message of this type: " .. text:sub(1, 60), 0) end
    if shape.id and (type(message.id) ~= "string" or message.id == "") then
        error("a " .. message.type .. " without an id", 0)
    end
    local payload = message.payload
    if payload == json.null then message.payload, payload = nil, nil end
    if (shape.object or shape.list) and type(payload) ~= "table" then
        error("a " .. message.type .. " without a payload", 0)
    end
    if shape.list and (#payload == 0 or type(payload[1]) ~= "table") then
        error("an error without a list of errors", 0)
    end
    if shape.object and #payload > 0 then error("a " .. message.type .. " with a list as its payload", 0) end
    return message
end

-- Fields that are null are not there.
local function present(value)
    if value == json.null then return nil end
    return value
end

-- The client ----------------------------------------------------------------------------------------------------------

local function rest(me)
    me._over = true
    for _, name in ipairs { "opening", "ping", "silence" } do me:cancel(name) end
end

-- `why` is what went wrong, for those who wait for a result.
local function leave(me, code, reason, why)
    if me._over then return end
    rest(me)
    me.connected = false
    me:emit("disconnected", { code = code, reason = reason })
    me:wake("ready", false)
    why = why or "the connection ended before the server answered"
    for id in pairs(me._operations) do me:wake("result " .. id, nil, why) end
    me._operations = {}
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

local function fail(me, code, message)
    if me._over then return end
    local text = tostring(message.message or message)
    text = utf8.len(text) and text or text:gsub("[\128-\255]", "?") .. ""
    me:emit("error", { code = code, message = text })
    me._link:close(4400, code)
    leave(me, 4400, code, text)
end

local function operation_of(me, message)
    return me._operations[message.id] or error("a " .. message.type .. " of no operation: " .. message.id, 0)
end

-- What has one result, and is over with it.
local function is_single(operation) return operation.is_awaited or operation.done end

-- Forgets what the server has ended; returns whether anybody still wants to hear of it: what the client has completed
-- may have been under way, and that is no mistake.
local function ended(me, message, operation)
    me._operations[message.id] = nil
    return not operation.is_left
end

-- Tells of a result as what the map makes of it: what the server sent may fit the map and not the event.
local function observe_mapped(me, kind, fields, message)
    local fits, why = pcall(me.emit, me, kind, fields, message)
    if not fits then me:emit("error", { code = "event", message = tostring(why.message or why) }, message) end
end

local arrived = {
    connection_ack = function(me, message)
        if me.connected then error("a second connection_ack", 0) end
        me.connected, me.acknowledgement = true, message.payload
        me:cancel "opening"
        if me._setup.ping then me:after("ping", me._setup.ping) end
        return function()
            me:emit("connected", { payload = message.payload }, message)
            me:wake("ready", true)
        end
    end,
    ping = function(me, message) me._link:send_json { type = "pong", payload = message.payload } end,
    pong = function(me, message)
        me:cancel "silence"
        return function() me:emit("pong", { payload = message.payload }, message) end
    end,
    next = function(me, message, size)
        local operation = operation_of(me, message)
        if operation.is_left then return end
        local result = operation.result
        if result and result.goes_on then
            results.add(result, message.payload, size)
        elseif result and is_single(operation) then
            error("a second result of a query or a mutation: " .. message.id, 0)
        else
            result = results.begin(message.payload)
            operation.result = result
        end
        if result.goes_on or is_single(operation) then return end
        return function()
            local data, errors = result.data, result.errors
            local kind, fields
            if me._setup.map and type(data) == "table" and not errors then kind, fields = me._setup.map(data) end
            if kind then return observe_mapped(me, kind, fields or {}, message) end
            me:emit("next", { id = message.id, data = data, errors = errors }, message)
        end
    end,
    error = function(me, message)
        local operation = operation_of(me, message)
        return function()
            if not ended(me, message, operation) then return end
            if operation.is_awaited then return me:wake("result " .. message.id, nil, message.payload) end
            me:emit("refused", { id = message.id, errors = message.payload }, message)
        end
    end,
    complete = function(me, message)
        local operation = operation_of(me, message)
        local result = operation.result
        if is_single(operation) and not result and not operation.is_left then
            error("a complete of a query or a mutation without a result", 0)
        end
        if result and result.goes_on and not operation.is_left then
            error("a complete of an operation whose result has said that more follows: " .. message.id, 0)
        end
        return function()
            if not ended(me, message, operation) then return end
            if operation.is_awaited then return me:wake("result " .. message.id, result.data, result.errors) end
            if operation.done and result.errors then
                return me:emit("refused", { id = message.id, errors = result.errors }, message)
            end
            if operation.done then return operation.done(result.data) end
            me:emit("complete", { id = message.id }, message)
        end
    end,
}

function S.on.text(me, text)
    local understood, act = pcall(function()
        local message = read(text)
        local handler = arrived[message.type] or error("a " .. message.type .. " of the server's", 0)
        if not me.connected and (message.type == "next" or message.type == "error" or message.type == "complete") then
            error("a " .. message.type .. " before connection_ack", 0)
        end
        return handler(me, message, #text)
    end)
    if not understood then return fail(me, "protocol", act) end
    if act then act() end
end
function S.on.bytes(me) fail(me, "protocol", "a binary message") end

-- Pings so often that no time passes between them are none.
local function check_ping(ping)
    if ping and ping < 0.001 then error("ping is a duration of at least 1ms", 0) end
end

-- Opens the connection; returns whether the server acknowledged it. A system that extends this one hands over a table
-- of options, which count where the actor has none.
S.commands.connect = { parameters = {}, function(me, ...)
    local o = settings(me, options, ...)
    check_ping(o.ping)
    leave_earlier(me)
    me._setup, me.acknowledgement = o, nil
    me._operations, me._count, me._over, me.connected, me._is_leaving = {}, 0, false, false, false
    me._link = me:open {
        path = o.path or "/graphql", headers = o.headers, token = o.token, query = o.query,
        subprotocols = { "graphql-transport-ws" },
    }
    me:after("opening", "20s")
    return (me:wait("ready", "1m"))
end }
function S.on.open(me, link)
    if link.subprotocol ~= "graphql-transport-ws" then
        return fail(me, "protocol", "the server chose the sub-protocol " .. tostring(link.subprotocol))
    end
    link:send_json { type = "connection_init", payload = me._setup.payload }
end

local function must_be_connected(me)
    if not me.connected or me._is_leaving then error("the client is not connected: connect first", 0) end
end

local function begin(me, query, variables, name, operation)
    must_be_connected(me)
    me._count = me._count + 1
    local id = tostring(me._count)
    me._operations[id] = operation
    me._link:send_json {
        type = "subscribe", id = id, payload = { query = query, variables = variables, operationName = name },
    }
    return id
end

-- Begins an operation; returns its id, by which its results come as `next`, `refused` and `complete`.
local of_operation = { "query: string", "variables: table?", "name: string?" }
S.commands.subscribe = { parameters = of_operation, function(me, query, variables, name)
    return begin(me, query, variables, name, {})
end }

-- Runs a query or a mutation and returns its data; fails with the errors that the server answers.
S.commands.query = { parameters = of_operation, function(me, query, variables, name)
    local id = begin(me, query, variables, name, { is_awaited = true })
    local data, errors = me:wait("result " .. id)
    if type(errors) == "string" then me:fail(errors) end
    if errors then me:fail("the server answered with errors: " .. json.encode(errors)) end
    return data
end }

-- Ends an operation before the server does; what is under way of it is passed over.
S.commands.complete = { parameters = { "id: string" }, function(me, id)
    must_be_connected(me)
    if me._operations[id] then me._operations[id].is_left = true end
    me._link:send_json { type = "complete", id = id }
end }
S.commands.say = { sends = "text", function(me, text)
    must_be_connected(me)
    local mutation = me._setup.say or error("the option say is the mutation that sends a text as its $text", 0)
    begin(me, mutation, { text = text }, me._setup.say_name, {
        done = function(data) me:emit("message_sent", { text = text, data = data }) end,
    })
end }
function S.commands.ping(me, payload)
    must_be_connected(me)
    me._link:send_json { type = "ping", payload = payload }
end
function S.commands.disconnect(me)
    must_be_connected(me)
    me._is_leaving = true
    me._link:close(1000, "goodbye")
end

local timers = {
    opening = function(me) fail(me, "silence", "the server did not acknowledge the connection within 20s") end,
    ping = function(me)
        me._link:send_json { type = "ping" }
        me:after("silence", me._setup.ping)
        me:after("ping", me._setup.ping)
    end,
    silence = function(me) fail(me, "silence", "the server did not answer a ping") end,
}
function S.on.timer(me, name) (timers[name] or require "systems.no_timer")(me, name) end
function S.on.closed(me, closure) leave(me, closure.code, closure.reason) end
function S.on.failed(me, failure)
    rest(me)
    me:emit("error", failure)
    me:wake("ready", false)
end
function S.on.ending(me) rest(me) end

-- The simulated server ------------------------------------------------------------------------------------------------

local function tell_parties(desk, kind, fields)
    for _, party in pairs(desk.parties) do party:emit(kind, fields) end
end

local served = {
    connection_init = function(desk, client, message)
        if client._place then return client:close(4429, "Too many initialisation requests") end
        local admit = desk.options.admit
        local answer = not admit and true or admit(message.payload)
        if answer ~= true then return client:close(4403, type(answer) == "string" and answer or "Forbidden") end
        desk._entered = desk._entered + 1
        client._place, client._operations = desk._entered, {}
        client:send_json { type = "connection_ack" }
        tell_parties(desk, "joined", { client = client._place, payload = message.payload })
        if desk.options.ping then desk:after("ping " .. client.number, desk.options.ping) end
    end,
    ping = function(_, client, message) client:send_json { type = "pong", payload = message.payload } end,
    pong = function(_, client) client._owes_pong = false end,
    subscribe = function(desk, client, message)
        local id, payload = message.id, message.payload
        if client._operations[id] then return client:close(4409, "Subscriber for " .. id .. " already exists") end
        local query, variables = tostring(payload.query), present(payload.variables)
        tell_parties(desk, "operation", {
            client = client._place, id = id, query = query, variables = variables,
            operation = present(payload.operationName),
        })
        if type(variables) == "table" and type(variables.text) == "string" then
            tell_parties(desk, "message", { client = client._place, text = variables.text })
        end
        local is_stream = query:find "^%s*subscription"
        if is_stream then client._operations[id] = true end
        if not desk.options.resolve then
            if not is_stream then
                client:send_json { type = "next", id = id, payload = { data = {} } }
                client:send_json { type = "complete", id = id }
            end
            return
        end
        local data, errors = desk.options.resolve(query, variables, payload.operationName)
        if errors then
            client._operations[id] = nil
            return client:send_json { type = "error", id = id, payload = errors }
        end
        if data == nil and not is_stream then data = json.null end
        if data ~= nil then client:send_json { type = "next", id = id, payload = { data = data } } end
        if not is_stream then client:send_json { type = "complete", id = id } end
    end,
    complete = function(desk, client, message)
        client._operations[message.id] = nil
        tell_parties(desk, "completed", { client = client._place, id = message.id })
    end,
}

function S.server.started(desk)
    check_ping(desk.options.ping)
    desk._entered = 0
end
function S.server.upgrade(_, request)
    local offered = request.headers["sec-websocket-protocol"] or ""
    if not offered:find("graphql-transport-ws", 1, true) then
        return { status = 400, body = "the sub-protocol is graphql-transport-ws" }
    end
    return "graphql-transport-ws"
end
function S.server.text(desk, client, text)
    local understood, message = pcall(read, text)
    local handler = understood and served[message.type]
    if not handler then return client:close(4400, "Invalid message") end
    if not client._place and message.type ~= "connection_init" and message.type ~= "ping" and message.type ~= "pong" then
        return client:close(4401, "Unauthorized")
    end
    handler(desk, client, message)
end
function S.server.bytes(_, client) client:close(4400, "Invalid message") end
function S.server.closed(desk, client, closure)
    if client._place then tell_parties(desk, "left", { client = client._place, code = closure.code }) end
end
function S.server.timer(desk, name)
    local number = tonumber(name:match "%d+")
    for _, client in ipairs(desk.clients) do
        if client.number == number then
            if client._owes_pong then return client:close(4408, "no pong") end
            client._owes_pong = true
            client:send_json { type = "ping" }
            desk:after(name, desk.options.ping)
        end
    end
end

-- Who plays the application on the server's side ----------------------------------------------------------------------

local function publish(desk, payload, number)
    for _, client in ipairs(desk.clients) do
        if client._place and not client.is_closing and (number == nil or client._place == number) then
            for id in pairs(client._operations) do client:send_json { type = "next", id = id, payload = payload } end
        end
    end
end

-- Gives a result to all who have subscribed.
function S.parties.peer.publish(peer, data, errors) publish(peer.desk, { data = data, errors = errors }) end

-- A message as most applications have it: { messageAdded = { text = …, from = … } }.
S.parties.peer.say = { sends = "text", function(peer, text)
    publish(peer.desk, { data = { messageAdded = { text = text, from = peer.name } } })
end }

local function client_of(peer, number)
    for _, client in ipairs(peer.desk.clients) do
        if number ~= nil and client._place == number then return client end
    end
    error("there is no client " .. tostring(number), 0)
end

-- Ends all operations of a client, or its connection.
function S.parties.peer.complete(peer, number)
    local client = client_of(peer, number)
    for id in pairs(client._operations) do client:send_json { type = "complete", id = id } end
    client._operations = {}
end
function S.parties.peer.close(peer, number, code, reason) client_of(peer, number):close(code, reason) end

return S
