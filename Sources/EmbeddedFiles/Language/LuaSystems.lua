local host = ...
local type, setmetatable, rawget, next, pairs, ipairs = type, setmetatable, rawget, next, pairs, ipairs
local select = select
local pack, unpack = table.pack, table.unpack
local own = host.own

-- Declaring --------------------------------------------------------------------------------------------------

local callable = { __call = function(command, ...) return command[1](...) end }

-- Puts all functions of a table into a part, each as if it were put in by itself.
local function fill(system, path, target, value)
    if type(value) ~= "table" then host.no_functions(system, path, value) end
    for name, member in pairs(value) do target[name] = member end
end

-- A table whose functions the engine looks at as they are put in; `path` names it. `inner` has what else stands in it:
-- further parts, and what its clients or servers share. One that nobody has looked at is put in once: another one would
-- take its place without a word, while who wraps it has read it.
local function part(system, path, inner)
    local functions, seen = {}, {}
    if inner then inner["@system"], inner["@inner"], inner["@functions"] = system, inner, functions end
    return setmetatable({}, own {
        __metatable = false,
        __pairs = function() return next, functions end,
        __index = function(_, name)
            local found = functions[name]
            if found == nil then return inner and inner[name] end
            seen[name] = true
            return found
        end,
        __newindex = function(_, name, value)
            if inner and inner[name] then return fill(system, path .. "." .. name, inner[name], value) end
            local options = {}
            local body = value
            if type(value) == "table" then
                body = value[1]
                for key, member in pairs(value) do if key ~= 1 then options[key] = member end end
                setmetatable(value, callable)
            end
            local earlier = not seen[name] and functions[name]
            if type(earlier) == "table" then earlier = earlier[1] end
            host.declare_function(system, path, name, body, options, earlier or nil)
            functions[name], seen[name] = value, nil
        end,
    })
end

local function closed(system, path, members)
    local function member(_, name) return members[name] or host.unknown_part(system, path, name, members) end
    return setmetatable({}, own {
        __metatable = false,
        __index = member,
        __newindex = function(_, name, value) fill(system, path .. "." .. name, member(_, name), value) end,
    })
end

function system(declaration)
    local self, names = host.declare_system(declaration)
    local parties = {}
    for _, name in ipairs(names) do parties[name] = part(self, "parties." .. name) end
    host.complete_system(self, part(self, "commands"), part(self, "on", {}),
        part(self, "server", { commands = part(self, "server.commands") }), closed(self, "parties", parties))
    return self
end

-- Clients -----------------------------------------------------------------------------------------------------

local Client, Link = {}, {}
local client_meta = own { __index = Client, __name = "client", __metatable = false }
local link_meta = own { __index = Link, __name = "link", __metatable = false }

-- How the link had ended of what a client sent last, if that was lost: a table of its own for each loss.
local lost = setmetatable({}, { __mode = "k" })

-- What is sent on a link that has ended is lost. A system that hears of ends by `closed` decides what that means, but
-- for the text of a command: a scenario that goes on would believe it said.
local function sent(link, is_sent)
    if is_sent and lost[link.actor] then lost[link.actor] = nil end
    if is_sent or not link.is_over then return is_sent end
    lost[link.actor] = { ending = link.ending }
    if not link["@on"]["@functions"].closed then
        host.client_fails(link.actor, "closed", "error", {
            code = "closed", message = "what was sent is lost, for the connection had ended: " .. link.ending,
        })
    end
    return is_sent
end

function Link:send(...)
    if self.is_abandoned then return false end
    return sent(self, host.link_send(self.actor, self.number, ...))
end
function Link:send_json(...) return self:send(host.encode(...)) end
function Link:send_bytes(...)
    if self.is_abandoned then return false end
    return sent(self, host.link_send_bytes(self.actor, self.number, ...))
end
function Link:close(...)
    self.is_closing = true
    return host.link_close(self.actor, self.number, ...)
end
function Link:drop(...) return host.link_drop(self.actor, self.number, ...) end
function Link:abandon()
    self.is_abandoned = true
    -- One that is not open yet cannot be closed.
    return self:close() or self:drop()
end

function Client:open(...)
    local number = host.client_open(self["@actor"], ...)
    local link = setmetatable({ number = number, actor = self["@actor"], ["@on"] = self["@on"] }, link_meta)
    self["@links"][number] = link
    return link
end

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

-- Whose answers they are, for what is wrong with them.
local asked_by = setmetatable({}, { __mode = "k" })

-- The table of an answer that is not ok is empty until something looks at it, so that the engine knows of those that
-- nothing ever does. `other` answers for what such an answer does not have itself.
local function sealable(other)
    return own { __name = "answer", __metatable = false, __index = function(answer, name)
        local value = rawget(answer, name)
        if value ~= nil then return value end
        return other(answer, name)
    end }
end

-- An answer that is no JSON says so where a handler reads it as JSON.
local answer_meta = sealable(function(answer, name)
    if name == "bytes" then return body_of(answer) end
    if name == "json" then host.no_json(asked_by[answer], answer) end
    return host.missing("answer", name)
end)

-- An answer that comes in pieces.
local Stream = setmetatable({}, strict "answer")
local stream_meta = own { __index = Stream, __name = "answer", __metatable = false }
local sealed_stream_meta = sealable(function(_, name) return Stream[name] end)

-- A loop has no place for what comes beside nil, so it is told of an answer that broke off in another way: a client by
-- an event, a server by a failure.
local function tell_loop(pieces, failure)
    if failure.code == "canceled" then return end
    local asks = pieces.asks
    asks.way.broke(asks.asker, failure.code, "the answer to " .. pieces.request .. " broke off: " .. failure.message)
end

-- Waits for the next piece; returns nil at the end, and why it is one if the body broke off.
local function next_piece(pieces)
    while pieces.first > pieces.last do
        if pieces.is_over then return nil, pieces.failure end
        local asks = pieces.asks
        asks.way.await(asks.asker, "piece " .. pieces.number, "the next piece of the answer to " .. pieces.request)
    end
    local piece = pieces[pieces.first]
    pieces[pieces.first] = nil
    pieces.first = pieces.first + 1
    return piece
end

local event_meta = own {
    __name = "event", __metatable = false,
    __index = function(event, name)
        if name == "json" then return json.decode(rawget(event, "data")) end
        return host.missing("event", name)
    end,
}

-- Takes a body by lines or events, one after the other.
local function next_item(pieces, unit)
    if not pieces.unit then pieces.unit, pieces.read, pieces.items, pieces.taken = unit, stream_readers[unit](), {}, 0 end
    while pieces.taken == #pieces.items do
        if pieces.end_of_items then return nil, pieces.end_of_items.failure end
        local piece, failure = next_piece(pieces)
        local problem
        if failure then
            pieces.items = {}
        else
            pieces.items, problem = pieces.read(piece)
            failure = problem and setmetatable({ code = "protocol", message = problem }, failure_meta)
        end
        pieces.taken = 0
        if failure or not piece then pieces.end_of_items = { failure = failure } end
    end
    pieces.taken = pieces.taken + 1
    local item = pieces.items[pieces.taken]
    return type(item) == "table" and setmetatable(item, event_meta) or item
end

-- What `read` takes a body by, and what goes through it that way.
local units = {
    piece = { next = next_piece, all = "pieces" },
    line = { next = function(pieces) return next_item(pieces, "lines") end, all = "lines" },
    event = { next = function(pieces) return next_item(pieces, "events") end, all = "events" },
}

-- Takes the next of a unit, or says by what else the body is taken already.
local function next_of(stream, unit)
    local pieces = stream["@pieces"]
    if pieces.by and pieces.by ~= unit then host.read_otherwise(units[pieces.by].all, units[unit].all) end
    pieces.by = unit
    return units[unit].next(pieces)
end

-- A loop that calls it itself (`for piece in answer.read, answer do`) passes the last piece, and drops why none comes.
function Stream:read(...)
    local unit = select("#", ...) == 0 and "piece" or ...
    if select("#", ...) > 1 or not units[unit] then host.looped() end
    local found, failure = next_of(self, unit)
    if failure and host.returns_to_loop() then tell_loop(self["@pieces"], failure) end
    return found, failure
end

for unit, description in pairs(units) do
    Stream[description.all] = function(self)
        return function()
            local found, failure = next_of(self, unit)
            if failure then tell_loop(self["@pieces"], failure) end
            return found
        end
    end
end

-- What the engine does for who asks: a client, or a server of its own accord.
local client_way = {
    ask = host.client_request, await = host.client_await, answered = host.client_answered, unread = host.client_unread,
}
function client_way.broke(actor, code, text)
    host.client_fails(actor, "pieces", "error", { code = code, message = text })
end
local server_way = {
    ask = host.server_request, await = host.server_await, answered = host.server_answered, unread = host.server_unread,
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
        asks.streams[number] = pieces
    end
    way.await(asker, "answer " .. number, "the answer to " .. name)
    local answer = asks.answers[number]
    asks.answers[number] = nil
    local ok, failure = answer.ok, answer.failure
    if failure then setmetatable(failure, failure_meta) end
    if pieces then
        if failure then pieces.is_over, pieces.failure = true, failure end
        answer["@pieces"] = pieces
    end
    if not ok and not (failure and failure.code == "canceled") then
        answer = way.unread(asker, answer, name, answer.status, failure and failure.message, answer.body)
    end
    if pieces then return setmetatable(answer, ok and stream_meta or sealed_stream_meta) end
    asked_by[answer] = asker
    return setmetatable(answer, answer_meta)
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

function Client:request(...) return request(client_way, self["@asks"], ...) end
function Client:cookies(...) return host.client_cookies(self["@actor"], ...) end
function Client:emit(...) host.client_emit(self["@actor"], ...) end
function Client:fail(...) host.client_fails_with(self["@actor"], ...) end
function Client:after(...) host.client_after(self["@actor"], ...) end
function Client:cancel(...) host.client_cancel(self["@actor"], ...) end
function Client:wait(...)
    local values = host.client_wait(self["@actor"], ...)
    return unpack(values, 1, values.n)
end
function Client:wake(name, ...) return host.client_wake(self["@actor"], name, pack(...)) end

-- Functions and actors among the options are handed on as they were given. One that is not declared would be nil for
-- ever.
local function checked_options(on, role, options, given)
    for name, value in pairs(given or {}) do
        if type(value) == "function" or type(value) == "userdata" then options[name] = value end
    end
    local meta = on["@options"]
    if not meta then
        local system = on["@system"]
        meta = own { __metatable = false, __index = function(_, name) return host.no_option(system, role, name) end }
        on["@inner"]["@options"] = meta
    end
    return setmetatable(options, meta)
end

-- How a connection may end without anything having gone wrong: normally, because a side goes away, without a code.
local orderly = { [1000] = true, [1001] = true, [1005] = true }

-- What arrives on links; the other kinds have numbers of their own.
local on_links = { open = true, text = true, bytes = true, closed = true, failed = true }

local function new_client(actor, on, options, given)
    local links, asks, handlers = {}, asking(client_way, actor), on["@functions"]
    local me = setmetatable({
        options = checked_options(on, "client", options, given), ["@actor"] = actor, ["@links"] = links,
        ["@asks"] = asks, ["@on"] = on,
    }, client_meta)
    return me, function(kind, number, value)
        -- A line whose bytes are not UTF-8 is a text all the same.
        if kind == "line" then kind, value = "text", host.decode(value) end
        local handler = handlers[kind]
        local link = on_links[kind] and links[number]
        if kind == "closed" or kind == "failed" then links[number] = nil end
        if link and kind == "closed" then
            link.is_over = true
            link.ending = value.code .. (value.reason ~= "" and " " .. value.reason or "")
        end
        if link and link.is_abandoned then return end
        if kind == "text" then
            if not handler then host.unhandled(actor, kind) end
            return handler(me, value, link)
        elseif kind == "bytes" then
            if not handler and handlers.text then
                -- The other side is to blame: it is spoken to in texts.
                local text = "a binary message, and the system has handlers for texts only"
                return host.client_emit(actor, "error", { code = "protocol", message = text })
            end
            if not handler then host.unhandled(actor, kind) end
            return handler(me, host.decode(value), link)
        elseif kind == "response" then
            answered(asks, number, value)
        elseif kind == "piece" then
            came(asks, number, value)
        elseif kind == "open" then
            link.subprotocol = value.subprotocol
            if handler then handler(me, link) end
            host.client_wake(actor, "open", pack(link))
        elseif kind == "closed" then
            if handler then
                handler(me, setmetatable(value, closure_meta), link)
            elseif not orderly[value.code] and not link.is_closing then
                host.client_fails(actor, kind, "error", {
                    code = "closed", message = "the connection was closed: " .. value.code
                        .. (value.reason ~= "" and " " .. value.reason or ""),
                })
            end
        elseif kind == "failed" then
            if handler then
                handler(me, setmetatable(value, failure_meta), link)
            else
                host.client_fails(actor, kind, "error", value)
            end
            host.client_wake(actor, "open", pack(nil, value))
        elseif kind == "timer" then
            if not handler then host.unhandled(actor, kind) end
            handler(me, value)
        elseif kind == "ending" then
            if handler then handler(me) end
        end
    end
end

-- Servers ------------------------------------------------------------------------------------------------------

local Desk, Peer, Party, Request = {}, {}, {}, setmetatable({}, strict "request")
local request_meta = own { __name = "request", __metatable = false, __index = function(request, name)
    if name == "bytes" then return body_of(request) end
    return Request[name]
end }
local part_meta = own { __name = "part", __metatable = false, __index = function(part, name)
    if name == "bytes" then return body_of(part) end
    return host.missing("part", name)
end }
local desk_meta = own { __index = Desk, __name = "server", __metatable = false }
local peer_meta = own { __index = Peer, __name = "connection", __metatable = false }
local party_meta = own { __index = Party, __name = "party", __metatable = false }

function Peer:send(...) return host.peer_send(self.server, self.number, ...) end
function Peer:send_json(...) return host.peer_send(self.server, self.number, host.encode(...)) end
function Peer:send_bytes(...) return host.peer_send_bytes(self.server, self.number, ...) end
function Peer:close(...)
    self.is_closing = true
    return host.peer_close(self.server, self.number, ...)
end
function Peer:drop(...) return host.peer_drop(self.server, self.number, ...) end

function Request:begin(...)
    local has_begun = host.request_begin(self["@server"], self["@number"], ...)
    self["@begun"] = has_begun
    return has_begun
end
function Request:write(...)
    if rawget(self, "@begun") == nil then host.not_begun() end
    return host.request_write(self["@server"], self["@number"], ...)
end

function Desk:request(...) return request(server_way, self["@asks"], ...) end
function Desk:after(...) host.server_after(self["@server"], ...) end
function Desk:cancel(...) host.server_cancel(self["@server"], ...) end
function Desk:wait(...) return host.server_wait(self["@server"], ...) end
function Desk:wake(...) return host.server_wake(self["@server"], ...) end
function Desk:emit(...) host.server_emit(self["@server"], ...) end
function Party:fail(...) host.party_fails_with(self.desk["@server"], self.name, ...) end
function Party:emit(...) host.server_emit(self.desk["@server"], self.name, ...) end

-- The function of a handler that was given as a table with options.
local function body_of_handler(handler) return type(handler) == "table" and handler[1] or handler end

local function new_server(server, on, options, given)
    local clients, numbered, asks, handlers = {}, {}, asking(server_way, server), on["@functions"]
    local desk = setmetatable({
        options = checked_options(on, "server", options, given), clients = clients, parties = {}, ["@server"] = server,
        ["@asks"] = asks,
    }, desk_meta)
    return desk, function(kind, number, value)
        if kind == "line" then kind, value = "text", host.decode(value) end
        local handler = handlers[kind]
        if kind == "connected" then
            if type(value) == "table" then setmetatable(value, asked_meta) end
            local client = setmetatable({ number = number, server = server, request = value }, peer_meta)
            numbered[number] = client
            clients[#clients + 1] = client
            if handler then handler(desk, client, value) end
        elseif kind == "text" or kind == "bytes" then
            if not handler then host.unhandled_by_server(server, kind) end
            local client = numbered[number]
            if client then handler(desk, client, kind == "bytes" and host.decode(value) or value) end
        elseif kind == "closed" then
            local client = numbered[number]
            numbered[number] = nil
            for place, other in ipairs(clients) do
                if other == client then table.remove(clients, place) break end
            end
            if handler and client then handler(desk, client, setmetatable(value, closure_meta)) end
        elseif kind == "request" then
            value["@server"], value["@number"] = server, number
            for _, part in ipairs(value.parts or {}) do setmetatable(part, part_meta) end
            local answer, more = handler(desk, setmetatable(value, request_meta))
            host.check_answer(server, kind, answer, more, rawget(value, "@begun") or nil, body_of_handler(handler))
            return answer
        elseif kind == "upgrade" then
            local answer, more = handler(desk, setmetatable(value, asked_meta))
            -- True accepts, false refuses, and a string is the sub-protocol that is agreed on.
            local decides = type(answer) == "boolean" or type(answer) == "string"
            if not decides or more ~= nil then
                host.check_answer(server, kind, answer, more, nil, body_of_handler(handler))
            end
            return answer
        elseif kind == "response" then
            answered(asks, number, value)
        elseif kind == "piece" then
            came(asks, number, value)
        elseif kind == "timer" then
            if not handler then host.unhandled_by_server(server, kind) end
            handler(desk, value)
        elseif handler then
            handler(desk)
        end
    end
end

local function new_party(desk, name, kind)
    local party = setmetatable({ name = name, kind = kind, desk = desk }, party_meta)
    desk.parties[name] = party
    return party
end

-- What scenarios call ------------------------------------------------------------------------------------------

local begin_command, begin_party, begin_server = host.begin_command, host.begin_party, host.begin_server_command
local begin_text, end_text = host.begin_text, host.end_text

-- Runs a command that sends a text. One that fails may not have sent it, and load tests do not wait for it then.
local text_meta = { __close = function(text, failure) end_text(text.actor, text.number, failure ~= nil) end }
local function went_out(actor, lost_before, ...)
    if lost[actor] and lost[actor] ~= lost_before then
        host.client_lost(actor, lost[actor].ending)
    end
    return ...
end
local function send_text(actor, body, who, ...)
    local number, client = begin_text(actor), who["@actor"]
    local lost_before = lost[client]
    if not number then return went_out(client, lost_before, body(who, ...)) end
    local text <close> = setmetatable({ actor = actor, number = number }, text_meta)
    return went_out(client, lost_before, body(who, ...))
end

local function command(commands, name)
    local body, sends = commands[name], false
    if type(body) == "table" then body, sends = body[1], body.sends end
    if sends then return function(actor, ...) return send_text(actor, body, begin_command(actor, name, ...)) end end
    return function(actor, ...) return body(begin_command(actor, name, ...)) end
end
local function server_command(server, name)
    local body = server.commands[name]
    if type(body) == "table" then body = body[1] end
    return function(receiver, ...) return body(begin_server(receiver, name, ...)) end
end
local function party_command(parties, name, kind)
    local body, sends = parties[kind][name], false
    if type(body) == "table" then body, sends = body[1], body.sends end
    if sends then return function(actor, ...) return send_text(actor, body, begin_party(actor, kind, name, ...)) end end
    return function(actor, ...) return body(begin_party(actor, kind, name, ...)) end
end

-- Runs a command for a script that is not the server's own; what it is given is checked and recorded there.
local function run(tables, key, name, receiver, ...)
    local body = tables[key][name]
    if type(body) == "table" then body = body[1] end
    return body(receiver, ...)
end

host.set_system_makers(new_client, new_server, command, server_command, party_command, new_party,
    function(members, name) return members[name] end, run)
