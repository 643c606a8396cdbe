-- What handlers and commands of chat systems in Lua ask for by HTTP, as a whole or in pieces.

local host = ...
local type, setmetatable, rawget, rawset = type, setmetatable, rawget, rawset
local next, pairs, ipairs = next, pairs, ipairs
local select, lower = select, string.lower
local pack, unpack, running = table.pack, table.unpack, coroutine.running
local own = host.own

-- What has the members that the engine gives it, and says so where one that it does not have is almost one of them.
local function strict(kind, more)
    local meta = more or {}
    meta.__name, meta.__metatable = kind, false
    meta.__index = function(_, name) return host.missing(kind, name) end
    return own(meta)
end
local closure_meta, asked_meta = strict "closure", strict "request"
-- As a text it is its message.
local failure_meta = strict("failure", {
    __tostring = function(failure) return rawget(failure, "message") or "failure" end,
    __concat = function(left, right) return tostring(left) .. tostring(right) end,
})

-- The body of an answer or a request as a string of Lua, whatever bytes it has; nil if there is none.
local function body_of(message)
    local encoded = rawget(message, "base64")
    if encoded then return host.decode(encoded) end
    return rawget(message, "body")
end

-- Gives a message a metatable. Its headers come with names in lower case, and are found by any spelling: nil would pass
-- for one that was not sent.
local function with_headers(message, meta)
    if message.headers then host.ignore_case(message.headers) end
    return setmetatable(message, meta)
end

-- Whose answers they are, for what is wrong with them.
local asked_by = setmetatable({}, { __mode = "k" })

-- What the answers say that are not ok: their tables are empty until something looks at whether they are, so that the
-- engine knows of those of which nothing ever does.
local refusals = setmetatable({}, { __mode = "k" })

-- Whether to read a member of an answer that is not ok is such a look. That there is no `failure` says nothing of it,
-- and a refusal has a body like any other answer; of a redirect that was not followed, `location` is all there is.
local function is_look(contents, name)
    if name == "failure" then return contents.failure ~= nil end
    if name == "headers" then return contents.status ~= nil and contents.status // 100 == 3 end
    return name == "ok" or name == "status"
end

-- A member that the table of an answer does not have, or not yet.
local function hidden(answer, name)
    local contents = refusals[answer]
    if contents and not is_look(contents, name) then return contents[name] end
    return rawget(answer, name)
end

-- Takes in that a member was read which an answer has that came: what the line makes of the nil is the fault of who did
-- not answer.
local function lacked(answer, asker)
    local contents = refusals[answer]
    if contents and contents.failure then host.has_no_answer(asker, contents) end
end

-- An answer that is no JSON says so where a handler reads it as JSON.
local answer_meta = own { __name = "answer", __metatable = false, __index = function(answer, name)
    local value = hidden(answer, name)
    if value ~= nil then return value end
    if name == "bytes" then return body_of(refusals[answer] or answer) end
    if name == "json" then host.no_json(asked_by[answer], refusals[answer] or answer) end
    host.missing("answer", name)
    return lacked(answer, asked_by[answer])
end }

-- An answer that comes in pieces; what is known of its body stands apart, so that who goes through it has not looked at
-- its status.
local Stream = setmetatable({}, own {
    __name = "answer", __metatable = false,
    __index = function(_, name)
        if name == "body" or name == "bytes" or name == "base64" or name == "json" then host.in_pieces(name) end
        return host.missing("streamed answer", name)
    end,
})
local pieces_of = setmetatable({}, { __mode = "k" })
local stream_meta = own { __index = Stream, __name = "answer", __metatable = false }
local sealed_stream_meta = own { __name = "answer", __metatable = false, __index = function(answer, name)
    local method = rawget(Stream, name)
    if method then return method end
    local value = hidden(answer, name)
    if value ~= nil then return value end
    value = Stream[name]
    lacked(answer, pieces_of[answer].asks.asker)
    return value
end }

-- A loop has no place for what comes beside nil, so it is told of an answer that broke off in another way: a client by
-- an event, a server by a failure.
local function tell_loop(pieces, failure)
    if failure.code == "canceled" then return end
    local asks = pieces.asks
    asks.way.broke(asks.asker, failure.code, "the answer to " .. pieces.request .. " broke off: " .. failure.message)
end

-- What a read ends with during which nothing came for too long; the body may go on.
local function silence(within)
    return setmetatable({ code = "timeout", message = "nothing came within " .. within }, failure_meta)
end

-- Whoever waits for a piece may be canceled meanwhile, and waits no longer then.
local pieces_meta = own { __name = "pieces", __metatable = false }
function pieces_meta.__close(pieces) pieces.is_awaited = false end

-- Waits for the next piece; returns nil at the end, and why it is one if the body broke off, or was silent for too
-- long.
local function next_piece(pieces, within)
    while pieces.first > pieces.last do
        if pieces.is_over then return nil, pieces.failure end
        local asks, purpose = pieces.asks, "the next piece of the answer to " .. pieces.request
        pieces.is_awaited = true
        local _ <close> = pieces
        local has_come = asks.way.await(asks.asker, "piece " .. pieces.number, purpose, within)
        if not has_come then return nil, silence(within) end
    end
    local piece = pieces[pieces.first]
    pieces[pieces.first] = nil
    pieces.first = pieces.first + 1
    return piece
end

-- Which answers events came in, for what is wrong with them.
local came_in = setmetatable({}, { __mode = "k" })
local event_meta = own {
    __name = "event", __metatable = false,
    __index = function(event, name)
        if name ~= "json" then return host.missing("event", name) end
        local data = rawget(event, "data")
        local is_json, value = pcall(host.event_json, data)
        if is_json then return value end
        local pieces = came_in[event]
        host.no_event_json(pieces.asks.asker, pieces.request, data)
    end,
}

-- A page of a proxy or an error in JSON is no stream without events. Who says nothing of the type, or that it is text,
-- is believed.
local believed = { ["text/event-stream"] = true, ["text/plain"] = true }
local function check_type(pieces, within)
    local kind = pieces.type and pieces.type:match "^%s*([^;%s]*)"
    if not kind or believed[lower(kind)] then return end
    host.no_events(pieces.asks.asker, pieces.request, pieces.status, kind, (next_piece(pieces, within)))
end

-- Shows on the answer what a reconnection goes by: no further than to the event that was taken, for the server would
-- leave out what came behind it.
local function show_standing(stream, pieces)
    local standing = pieces.standing
    if not standing then return end
    local id = standing.id
    if pieces.taken < #pieces.items then id = pieces.items[pieces.taken].id end
    -- An empty identifier takes back the one before.
    stream.last_event_id, stream.retry = id ~= "" and id or nil, standing.retry
end

-- Takes a body by lines or events, one after the other.
local function next_item(stream, pieces, unit, within)
    -- Of one that was closed there is nothing to read.
    if not pieces.read and not pieces.end_of_items then
        if unit == "events" then check_type(pieces, within) end
        pieces.read, pieces.begun, pieces.standing = stream_readers[unit]()
        pieces.items, pieces.taken, pieces.whole = {}, 0, 0
    end
    while pieces.taken == #pieces.items do
        if pieces.end_of_items then return nil, pieces.end_of_items.failure end
        local piece, failure = next_piece(pieces, within)
        local problem
        if failure and failure.code == "timeout" and not pieces.is_over then return nil, failure end
        if failure then
            pieces.items = {}
        else
            pieces.items, problem = pieces.read(piece)
            pieces.whole = pieces.whole + #pieces.items
            failure = problem and setmetatable({ code = "protocol", message = problem }, failure_meta)
        end
        pieces.taken = 0
        if failure or not piece then pieces.end_of_items = { failure = failure } end
        -- Another handler may look while this one waits for an event.
        if #pieces.items == 0 then show_standing(stream, pieces) end
    end
    pieces.taken = pieces.taken + 1
    local item = pieces.items[pieces.taken]
    show_standing(stream, pieces)
    if unit == "events" then
        came_in[item] = pieces
        setmetatable(item, event_meta)
    end
    return item
end

-- What `read` takes a body by, and what goes through it that way.
local units = {
    piece = { next = function(_, pieces, within) return next_piece(pieces, within) end, all = "pieces" },
    line = {
        next = function(stream, pieces, within) return next_item(stream, pieces, "lines", within) end, all = "lines",
    },
    event = {
        next = function(stream, pieces, within) return next_item(stream, pieces, "events", within) end, all = "events",
    },
}

-- Takes the next of a unit, or says by what else the body is taken already.
local function next_of(stream, unit, within)
    local pieces = pieces_of[stream]
    if pieces.by and pieces.by ~= unit then host.read_otherwise(units[pieces.by].all, units[unit].all) end
    pieces.by = unit
    local found, failure = units[unit].next(stream, pieces, within)
    pieces.is_read = found == nil and pieces.is_over
    -- Who is told why no answer came has seen that it is not ok. That a body is silent or breaks off says nothing of
    -- the status that came before it.
    if failure and not pieces.status then rawget(stream, "ok") end
    return found, failure
end

-- A loop that calls it itself (`for piece in answer.read, answer do`) passes the last piece, and drops why none comes.
function Stream:read(...)
    if not pieces_of[self] then host.needs_answer "read" end
    local unit, within = ...
    if select("#", ...) == 0 then unit = "piece" end
    if select("#", ...) > 2 or not units[unit] then host.looped() end
    local found, failure = next_of(self, unit, within)
    if failure and host.returns_to_loop() then tell_loop(pieces_of[self], failure) end
    return found, failure
end

for unit, description in pairs(units) do
    Stream[description.all] = function(self, within)
        local pieces = pieces_of[self]
        if not pieces then host.needs_answer(description.all) end
        if pieces.is_read then host.read_already(description.all) end
        return function()
            local found, failure = next_of(self, unit, within)
            if failure then tell_loop(pieces, failure) end
            return found
        end
    end
end

-- Ends the answer before its end: what has not been read of it is dropped, and the server sees the connection end.
function Stream:close()
    local pieces = pieces_of[self]
    if not pieces then host.needs_answer "close" end
    local asks = pieces.asks
    if not pieces.is_over then asks.way.abandon(asks.asker, pieces.number) end
    asks.streams[pieces.number] = nil
    pieces.first, pieces.last, pieces.is_over, pieces.failure = 1, 0, true, nil
    pieces.end_of_items, pieces.items, pieces.taken = {}, {}, 0
    asks.way.answered(asks.asker, "piece " .. pieces.number)
end

-- What the engine does for who asks: a client, or a server of its own accord.
local client_way = {
    ask = host.client_request, await = host.client_await, answered = host.client_answered, unread = host.client_unread,
    abandon = host.client_abandon,
}
function client_way.broke(actor, code, text)
    host.client_fails(actor, "pieces", "error", { code = code, message = text })
end
local server_way = {
    ask = host.server_request, await = host.server_await, answered = host.server_answered, unread = host.server_unread,
    abandon = host.server_abandon,
}
function server_way.broke(server, _, text) host.server_broke(server, text) end

-- The requests of one who asks: what came of them, until the thread that waits for it goes on.
local function asking(way, asker) return { way = way, asker = asker, answers = {}, streams = {} } end

local function request(way, asks, options, ...)
    local asker = asks and asks.asker
    local number, name = way.ask(asker, options, ...)
    local pieces
    if options and options.stream then
        pieces = { first = 1, last = 0, rest = "", asks = asks, number = number, request = name }
        setmetatable(pieces, pieces_meta)
        asks.streams[number] = pieces
    end
    way.await(asker, "answer " .. number, "the answer to " .. name)
    local answer = asks.answers[number]
    asks.answers[number] = nil
    local ok, failure = answer.ok, answer.failure
    if answer.headers then host.ignore_case(answer.headers) end
    if failure then setmetatable(failure, failure_meta) end
    if pieces then
        if failure then pieces.is_over, pieces.failure = true, failure end
        pieces.status, pieces.type = answer.status, answer.headers and answer.headers["content-type"]
    end
    if not ok and not (failure and failure.code == "canceled") then
        local contents = answer
        answer = way.unread(asker, contents, name, contents.status, failure and failure.message, contents.body)
        refusals[answer] = contents
    end
    if pieces then
        pieces_of[answer] = pieces
        return setmetatable(answer, ok and stream_meta or sealed_stream_meta)
    end
    asked_by[answer] = asker
    return setmetatable(answer, answer_meta)
end

-- What has come of lines and events that somebody waits for and that are not whole, in words, and how many whole ones
-- came before.
local function begun_items(asks)
    local numbers, list = {}, {}
    for number, pieces in pairs(asks.streams) do
        if pieces.is_awaited and pieces.begun then numbers[#numbers + 1] = number end
    end
    table.sort(numbers)
    for _, number in ipairs(numbers) do
        local pieces = asks.streams[number]
        local begun = pieces.begun()
        if begun then
            local text = begun .. ", in the answer to " .. pieces.request
            list[#list + 1] = { text = text, is_line = pieces.by == "line", predecessors = pieces.whole }
        end
    end
    return list
end

-- How many bytes at the end begin a character of UTF-8 whose other bytes have not come yet: networks cut anywhere.
local function begun(bytes)
    for back = 1, math.min(3, #bytes) do
        local byte = bytes:byte(-back)
        if byte < 0x80 then return 0 end
        if byte >= 0xc0 then
            local length = byte >= 0xf0 and 4 or byte >= 0xe0 and 3 or 2
            return length > back and back or 0
        end
    end
    return 0
end

local function answered(asks, number, answer)
    asks.answers[number] = answer
    if asks.way.answered(asks.asker, "answer " .. number) == 0 then asks.answers[number] = nil end
end

local function came(asks, number, piece)
    local pieces = asks.streams[number]
    -- One that was closed may have had a piece on its way.
    if not pieces then return end
    if type(piece) == "string" then
        local bytes = pieces.rest .. host.decode(piece)
        local whole = #bytes - begun(bytes)
        pieces.rest = bytes:sub(whole + 1)
        if whole == 0 then return end
        pieces.last = pieces.last + 1
        pieces[pieces.last] = bytes:sub(1, whole)
    else
        asks.streams[number] = nil
        if pieces.rest ~= "" then
            pieces.last = pieces.last + 1
            pieces[pieces.last] = pieces.rest
        end
        pieces.is_over, pieces.failure = true, type(piece) == "table" and setmetatable(piece, failure_meta) or nil
    end
    asks.way.answered(asks.asker, "piece " .. number)
end
