-- Chat systems in Lua: `system`, and what their clients and servers are for scripts. It stands behind Answers.lua in
-- one chunk and uses its locals.

-- The function of a command or handler, which may have been given as a table with options, and these options.
local no_options = {}
local function unwrapped(given)
    if type(given) == "table" then return given[1], given end
    return given, no_options
end

-- Declaring --------------------------------------------------------------------------------------------------

local callable = { __call = function(command, ...) return command[1](...) end }

-- Puts all functions of a table into a part, each as if it were put in by itself.
local function fill(system, path, target, value)
    if type(value) ~= "table" then host.no_functions(system, path, value) end
    for name, member in pairs(value) do target[name] = member end
end

-- A table whose functions the engine looks at as they are put in; `path` names it. `inner` has what else stands in it:
-- further parts, and what its clients or servers share. One that nobody has looked at is put in once: another one would
-- take its place without a word, while who wraps it has read it; so it is with a handler by which the system that is
-- extended speaks. The functions themselves are returned besides.
local function part(system, path, inner)
    local functions, seen, inherited = {}, {}, {}
    if inner then inner["@system"], inner["@inner"], inner["@functions"] = system, inner, functions end
    if path == "on" then inner["@inherited"] = inherited end
    return setmetatable({}, own {
        __metatable = false,
        __pairs = function() return next, functions end,
        __index = function(_, name)
            local found = functions[name]
            if found == nil then return inner and inner[name] end
            seen[name], inherited[name] = true, nil
            return found
        end,
        __newindex = function(_, name, value)
            if inner and inner[name] then return fill(system, path .. "." .. name, inner[name], value) end
            local options = {}
            local body = value
            if type(value) == "table" then
                body = value[1]
                for key, member in pairs(value) do
                    if type(key) == "string" then
                        -- No option is a function, so that anything else is refused by its name as well.
                        options[key] = type(member) == "function" or member
                    elseif key ~= 1 then
                        body = nil
                    end
                end
                setmetatable(value, callable)
            end
            local earlier = not seen[name] and unwrapped(functions[name]) or nil
            host.declare_function(system, path, name, body, options, earlier, inherited[name])
            functions[name], seen[name], inherited[name] = value, nil, nil
        end,
    }), functions
end

local function closed(system, path, members)
    local function member(_, name) return members[name] or host.unknown_part(system, path, name, members) end
    return setmetatable({}, own {
        __metatable = false,
        __pairs = function() return next, members end,
        __index = member,
        __newindex = function(_, name, value) fill(system, path .. "." .. name, member(_, name), value) end,
    })
end

-- A declaration without the system that it extends, and that system; whatever else it names is looked at with the rest.
-- No member is a system or a function: such ones are refused by their names, as `extend = socketio` is.
local function taken_apart(declaration)
    if type(declaration) ~= "table" then return declaration end
    local members, base, is_whole = {}, nil, true
    for name, value in next, declaration do
        local is_odd = type(value) == "userdata" or type(value) == "function"
        if is_odd then is_whole = false end
        if name == "extends" and type(value) == "userdata" then base = value else members[name] = is_odd or value end
    end
    if is_whole then return declaration end
    return members, base
end

-- Gives a part the functions of another system, as if each had been read there: its own may take their place. By those
-- in `on` the clients of the other one speak, so that they are read before.
local function inherit(target, functions)
    local inherited = target["@inherited"]
    for name, value in pairs(functions) do
        target[name] = value
        if inherited then
            inherited[name] = true
        else
            local _ = target[name]
        end
    end
end

function system(given)
    local declaration, base = taken_apart(given)
    local self, names, reads_json, separator = host.declare_system(declaration, base)
    local parties = {}
    for _, name in ipairs(names) do parties[name] = part(self, "parties." .. name) end
    -- The handlers of messages by their kinds, where all texts are such.
    local json, by_kind = part(self, "json")
    local server_json, server_by_kind = part(self, "server.json")
    local commands, server_commands = part(self, "commands"), part(self, "server.commands")
    local on = part(self, "on", { ["@json"] = reads_json and by_kind or nil, ["@separator"] = separator })
    local server = part(self, "server", {
        commands = server_commands, json = server_json, ["@json"] = reads_json and server_by_kind or nil,
        ["@separator"] = separator,
    })
    host.complete_system(self, commands, on, server, closed(self, "parties", parties), json)
    if base then
        inherit(commands, base.commands)
        inherit(on, base.on)
        inherit(json, base.json)
        inherit(server, base.server)
        inherit(server_commands, base.server.commands)
        inherit(server_json, base.server.json)
        for name, functions in pairs(base.parties) do inherit(parties[name], functions) end
    end
    return self
end

-- Clients -----------------------------------------------------------------------------------------------------

local Client, Link = {}, {}
local client_meta = own { __index = Client, __name = "client", __metatable = false }
local link_meta = own { __index = Link, __name = "link", __metatable = false }

-- How the link had ended of what a client sent last, if that was lost: a table of its own for each loss.
local lost = setmetatable({}, { __mode = "k" })

-- What is sent on a link that has ended is lost. A system that hears of ends by `closed` decides what that means, but
-- for the text of a command: a scenario that goes on would believe it said. Nobody waits for the rest of what a link
-- was to say that the client has abandoned.
local function sent(link, is_sent)
    if is_sent and lost[link.actor] then lost[link.actor] = nil end
    if is_sent or not link.ending then return is_sent end
    lost[link.actor] = { ending = link.ending }
    if not link.is_abandoned and not link["@on"]["@functions"].closed then
        host.client_fails(link.actor, "closed", "error", {
            code = "closed", message = "what was sent is lost, for the connection had ended: " .. link.ending,
        })
    end
    return is_sent
end

function Link:send(...)
    return sent(self, not self.is_abandoned and host.link_send(self.actor, self.number, ...))
end
function Link:send_json(...) return self:send(host.encode(...) .. (self["@on"]["@separator"] or "")) end
function Link:send_bytes(...)
    return sent(self, not self.is_abandoned and host.link_send_bytes(self.actor, self.number, ...))
end
function Link:close(...)
    self.is_closing = true
    return host.link_close(self.actor, self.number, ...)
end
-- What came behind the agreement and waits for its handler is not handed on: it would be taken for encrypted.
function Link:start_tls(...)
    local begins = not self.is_abandoned and host.link_start_tls(self.actor, self.number, self["@heard"] or 0, ...)
    self["@broke"] = not begins
    return begins
end
function Link:drop(...)
    local was_there = host.link_drop(self.actor, self.number, ...)
    if was_there then self.ending = "the client dropped it" end
    return was_there
end
function Link:abandon()
    self.is_abandoned, self.ending = true, "the client abandoned it"
    -- One that is not open yet cannot be closed.
    return self:close() or host.link_drop(self.actor, self.number)
end

function Client:open(...)
    local number = host.client_open(self["@actor"], ...)
    local link = setmetatable({ number = number, actor = self["@actor"], ["@on"] = self["@on"] }, link_meta)
    self["@links"][number] = link
    return link
end

function Client:request(...) return request(client_way, self["@asks"], ...) end
function Client:cookies(...) return host.client_cookies(self["@actor"], ...) end
-- What came in another way than as a text of a link. False stands for what is no message.
function Client:receive(...)
    local name, message = host.client_receives(self["@actor"], ...)
    if name then self["@on"]["@json"][name](self, setmetatable(message, self["@on"]["@messages"][name])) end
    return name ~= false
end
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
        -- Whoever declares functions gets a table of nothing else.
        local functions = {}
        for key, member in pairs(type(value) == "table" and value or {}) do
            if type(member) == "function" then functions[key], options[name] = member, functions end
        end
    end
    local meta = on["@options"]
    if not meta then
        local system = on["@system"]
        meta = own {
            __metatable = false,
            __index = function(_, name) return host.no_option(system, role, name) end,
            __newindex = function(all, name, value)
                host.no_option(system, role, name)
                rawset(all, name, value)
            end,
        }
        on["@inner"]["@options"] = meta
    end
    return setmetatable(options, meta)
end

-- The metatables of messages that handlers get, by their kinds. A misspelt member would be nil, as one is that did not
-- come.
local function message_metas(on, role)
    local metas = on["@messages"]
    if metas or not on["@json"] then return metas end
    local system = on["@system"]
    metas = setmetatable({}, own { __index = function(all, kind)
        local meta = own { __metatable = false, __index = function(_, name)
            return host.no_member(system, role, kind, name)
        end }
        all[kind] = meta
        return meta
    end })
    on["@inner"]["@messages"] = metas
    return metas
end

-- How a connection may end without anything having gone wrong: normally, because a side goes away, without a code.
local orderly = { [1000] = true, [1001] = true, [1005] = true }

-- What arrives on links; the other kinds have numbers of their own.
local on_links = { open = true, text = true, bytes = true, half = true, closed = true, failed = true }

-- Who sends these is to blame: it is spoken to in the other kind.
local no_binary = "a binary message, and the system has handlers for texts only"
local no_text = "a text message, and the system has a handler for bytes only"

-- What a message is read as that came behind its length: where messages are JSON and nobody takes bytes, it is a text.
local function read_as(kind, by_kind, handlers)
    if kind ~= "framed" then return kind end
    return by_kind and not handlers.bytes and "line" or "bytes"
end

local function new_client(actor, on, options, given, origin)
    local links, asks, handlers, by_kind = {}, asking(client_way, actor), on["@functions"], on["@json"]
    local metas = message_metas(on, "client")
    local me = setmetatable({
        options = checked_options(on, "client", options, given), origin = origin, ["@actor"] = actor,
        ["@links"] = links, ["@asks"] = asks, ["@on"] = on,
    }, client_meta)
    return me, function(kind, number, value)
        kind = read_as(kind, by_kind, handlers)
        -- A line whose bytes are not UTF-8 is a text all the same.
        if kind == "line" then kind, value = "text", host.decode(value) end
        local handler = handlers[kind]
        local link = on_links[kind] and links[number]
        if kind == "closed" or kind == "failed" then links[number] = nil end
        if link and link.is_abandoned then return end
        if link and (kind == "text" or kind == "bytes") then
            if link["@broke"] then return end
            local heard = link["@heard"]
            if heard then link["@heard"] = heard + 1 end
        end
        if link and kind == "closed" then
            link.ending = value.code .. (value.reason ~= "" and " " .. value.reason or "")
        elseif link and kind == "failed" then
            link.ending = "it did not open, " .. value.message
        end
        if kind == "text" and by_kind then
            local name, message = host.client_reads(actor, value)
            -- What has no handler was an event, or an error.
            if name then return by_kind[name](me, setmetatable(message, metas[name]), link) end
        elseif kind == "half" then
            -- Who closes it does not wait for the rest.
            if link and not link.is_closing then host.client_heard_half(actor, value) end
        elseif kind == "text" then
            if not handler and handlers.bytes then return host.client_heard_other(actor, no_text, value) end
            if not handler then host.unhandled(actor, kind) end
            return handler(me, value, link)
        elseif kind == "bytes" then
            if not handler and (by_kind or handlers.text) then
                return host.client_heard_other(actor, no_binary, host.decode(value))
            end
            if not handler then host.unhandled(actor, kind) end
            return handler(me, host.decode(value), link)
        elseif kind == "response" then
            answered(asks, number, value)
        elseif kind == "piece" then
            came(asks, number, value)
        elseif kind == "open" then
            link.subprotocol = value.subprotocol
            -- How many messages handlers got, of a link that can still be encrypted.
            if value.is_in_the_open then link["@heard"] = 0 end
            if handler then handler(me, link) end
            host.client_wake(actor, "open", pack(link))
        elseif kind == "closed" then
            -- A server that others use as well has no scenario that fails by what this client has sent.
            if by_kind and value.code == 1008 then host.client_was_refused(actor, value.reason) end
            if handler then
                handler(me, setmetatable(value, closure_meta), link)
            elseif not orderly[value.code] and not link.is_closing then
                host.client_fails(actor, kind, "error", {
                    code = "closed", message = "the connection was closed: " .. value.code
                        .. (value.reason ~= "" and " " .. value.reason or ""),
                })
            end
        elseif kind == "failed" then
            setmetatable(value, failure_meta)
            if handler then
                handler(me, value, link)
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

-- What became of all that a command has sent by which a party says something, by the thread that runs it: `is_lost` and
-- `went_out`, each if some of it did.
local said = setmetatable({}, { __mode = "k" })
local function peer_sent(is_sent)
    local text = next(said) and said[running()]
    if text then text[is_sent and "went_out" or "is_lost"] = true end
    return is_sent
end

function Peer:send(...) return peer_sent(host.peer_send(self.server, self.number, ...)) end
function Peer:send_json(...)
    return peer_sent(host.peer_send(self.server, self.number, host.encode(...) .. (self["@separator"] or "")))
end
function Peer:send_bytes(...) return peer_sent(host.peer_send_bytes(self.server, self.number, ...)) end
function Peer:close(...)
    self.is_closing = true
    return host.peer_close(self.server, self.number, ...)
end
function Peer:start_tls(...)
    local begins = host.peer_start_tls(self.server, self.number, self["@heard"] or 0, ...)
    self["@broke"] = not begins
    return begins
end
function Peer:drop(...)
    local was_there = host.peer_drop(self.server, self.number, ...)
    if was_there then
        self.is_closing = true
        self["@leave"](self)
    end
    return was_there
end

function Request:begin(...)
    local has_begun = host.request_begin(self["@server"], self["@number"], ...)
    self["@begun"] = has_begun
    return has_begun
end
function Request:write(...)
    if rawget(self, "@begun") == nil then host.not_begun() end
    return peer_sent(host.request_write(self["@server"], self["@number"], ...))
end
function Request:drop(...) return host.request_drop(self["@server"], self["@number"], ...) end

function Desk:request(...) return request(server_way, self["@asks"], ...) end
function Desk:after(...) host.server_after(self["@server"], ...) end
function Desk:cancel(...) host.server_cancel(self["@server"], ...) end
function Desk:wait(...) return host.server_wait(self["@server"], ...) end
function Desk:wake(...) return host.server_wake(self["@server"], ...) end
function Desk:emit(...) host.server_emit(self["@server"], ...) end
function Party:fail(...) host.party_fails_with(self.desk["@server"], self.name, ...) end
function Party:emit(...) host.server_emit(self.desk["@server"], self.name, ...) end

local function new_server(server, on, options, given)
    local clients, numbered, asks = {}, {}, asking(server_way, server)
    local handlers, by_kind, metas = on["@functions"], on["@json"], message_metas(on, "server")
    local desk = setmetatable({
        options = checked_options(on, "server", options, given), clients = clients, parties = {}, ["@server"] = server,
        ["@asks"] = asks,
    }, desk_meta)
    -- Takes a connection that the server has dropped out of the list. Who drops each of them goes through the old list.
    local function leave(client)
        numbered[client.number] = nil
        local rest = {}
        for _, other in ipairs(clients) do if other ~= client then rest[#rest + 1] = other end end
        clients, desk.clients = rest, rest
    end
    return desk, function(kind, number, value)
        kind = read_as(kind, by_kind, handlers)
        if kind == "line" then kind, value = "text", host.decode(value) end
        local handler = handlers[kind]
        if kind == "text" or kind == "bytes" then
            local client = numbered[number]
            if client and client["@broke"] then return end
            local heard = client and client["@heard"]
            if heard then client["@heard"] = heard + 1 end
        end
        if kind == "connected" then
            -- A link over TCP has no handshake, so that there is no request.
            local request = type(value) == "table" and with_headers(value, asked_meta) or nil
            local client = setmetatable({
                number = number, server = server, request = request, ["@separator"] = on["@separator"],
                ["@leave"] = leave, ["@heard"] = not request and 0 or nil,
            }, peer_meta)
            numbered[number] = client
            clients[#clients + 1] = client
            if handler then handler(desk, client, value) end
        elseif by_kind and (kind == "text" or kind == "half" or kind == "bytes" and not handler) then
            local client = numbered[number]
            -- Who has broken the protocol is not heard any more.
            if not client or client["@broke"] then return end
            if kind == "half" and client.is_closing then return end
            local name, message
            if kind == "text" then
                name, message = host.server_reads(server, number, value)
                -- White space shows that the client is alive.
                if name == false then return end
            elseif kind == "half" then
                host.server_heard_half(server, number, value)
            else
                host.server_heard_other(server, number, no_binary)
            end
            if name then return by_kind[name](desk, client, setmetatable(message, metas[name])) end
            client.is_closing, client["@broke"] = true, true
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
            local answer, more = handler(desk, with_headers(value, request_meta))
            host.check_answer(server, kind, answer, more, rawget(value, "@begun") or nil, (unwrapped(handler)))
            return answer
        elseif kind == "upgrade" then
            local answer, more = handler(desk, with_headers(value, asked_meta))
            -- True accepts, false refuses, and a string is the sub-protocol that is agreed on.
            local decides = type(answer) == "boolean" or type(answer) == "string"
            if not decides or more ~= nil then
                host.check_answer(server, kind, answer, more, nil, (unwrapped(handler)))
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

-- Returns arguments in their order that may have been given in one table by their names.
local function in_order(names, given, ...)
    if not names or type(given) ~= "table" or next(given) == nil or select("#", ...) > 0 then return given, ... end
    local values, known = {}, {}
    for place, name in ipairs(names) do values[place], known[name] = given[name], true end
    for name in pairs(given) do if not known[name] then return given end end
    return unpack(values, 1, #names)
end

local function command(commands, name, names)
    local body, options = unwrapped(commands[name])
    if options.sends then
        return function(actor, ...)
            return send_text(actor, body, begin_command(actor, name, in_order(names, ...)))
        end
    end
    -- Whoever takes anything gets what is given as it is.
    if not names then return function(actor, ...) return body(begin_command(actor, name, ...)) end end
    return function(actor, ...) return body(begin_command(actor, name, in_order(names, ...))) end
end
local function server_command(server, name, names)
    local body = unwrapped(server.commands[name])
    if not names then return function(receiver, ...) return body(begin_server(receiver, name, ...)) end end
    return function(receiver, ...) return body(begin_server(receiver, name, in_order(names, ...))) end
end

-- Returns the function of a command by which a party says something. Where all that it sent went to connections that
-- had ended, a scenario that goes on would believe it said.
local said_meta = { __close = function(text) said[text.thread] = text.outer end }
local function was_heard(text, party, ...)
    if text.is_lost and not text.went_out then
        host.party_fails_with(party.desk["@server"], party.name, "what it sent is lost, for the connection had ended")
    end
    return ...
end
local function saying(body)
    return function(party, ...)
        local thread = running()
        local text <close> = setmetatable({ thread = thread, outer = said[thread] }, said_meta)
        said[thread] = text
        return was_heard(text, party, body(party, ...))
    end
end
local function party_command(parties, name, kind, names)
    local body, options = unwrapped(parties[kind][name])
    if options.sends then
        local say = saying(body)
        return function(actor, ...)
            return send_text(actor, say, begin_party(actor, kind, name, in_order(names, ...)))
        end
    end
    if not names then return function(actor, ...) return body(begin_party(actor, kind, name, ...)) end end
    return function(actor, ...) return body(begin_party(actor, kind, name, in_order(names, ...))) end
end

-- Runs a command for a script that is not the server's own; what it is given is checked and recorded there.
local function run(tables, key, name, receiver, ...)
    local body, options = unwrapped(tables[key][name])
    if options.sends then body = saying(body) end
    return body(receiver, ...)
end

-- Submits a form, unless its values are not what its fields take: the client has observed that then.
local function submit(...)
    local actor, name, values, id = host.submission(...)
    if actor then return actor[name](actor, values, id) end
end

host.set_system_makers(new_client, new_server, command, server_command, party_command, new_party,
    function(members, name) return members[name] end, run, function(me) return begun_items(me["@asks"]) end, submit)
