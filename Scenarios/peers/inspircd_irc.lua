-- IRC (RFC 2812, with the tags of IRCv3) over TCP, in Lua alone: a line a message, and a ping that must be answered.
-- `scripts/peers inspircd` starts the server and plays this.
before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "two people talk in a channel",
    think_time = { distribution = "exponential", mean = "500ms" },
    thresholds = { "rate(failures) == 0", "count(lost) == 0", "count(duplicated) == 0" },
}

local S = system {
    name = "irc", client = "person", options = { nick = "string", capabilities = "string?" },
    properties = { nick = "string?" },
    events = {
        joined = { channel = "string", nick = "string" }, left = { nick = "string", reason = "string" },
        message = { from = "string", to = "string", text = "string" }, action = { from = "string", text = "string" },
        message_sent = { text = "string" }, refused = { code = "string", text = "string" }, pinged = {},
        disconnected = { code = "integer", reason = "string" },
    },
    noise = { "joined", "left", "message_sent", "pinged", "disconnected" }, troubles = { "refused" },
}

-- What a line says: its tags, who says it, the command, and its parameters, of which the last may have spaces.
local function read(line)
    local tags, rest = line:match "^@(%S+) +(.*)$"
    local from, said = (rest or line):match "^:(%S+) +(.*)$"
    local head, last = (" " .. (said or rest or line)):match "^(.-) :(.*)$"
    local parameters = {}
    for word in (head or said or rest or line):gmatch "%S+" do table.insert(parameters, word) end
    table.insert(parameters, last)
    local command = table.remove(parameters, 1) or error("a line without a command", 0)
    return { tags = tags, from = from and from:match "^[^!]+", command = command, parameters = parameters }
end

function S.commands.connect(me)
    me.link = me:open { frames = { lines = "\r\n" } }
    if not me:wait "open" then return end
    if me.options.capabilities then me.link:send("CAP REQ :" .. me.options.capabilities) end
    me.link:send("NICK " .. me.options.nick)
    me.link:send("USER " .. me.options.nick .. " 0 * :" .. me.options.nick)
    if me.options.capabilities then me.link:send "CAP END" end
    me:wait("welcome", "30s")
end
function S.commands.join(me, channel)
    me.link:send("JOIN " .. channel)
    me:wait("in " .. channel)
end
S.commands.say = { sends = "text", parameters = { "text: string", "to: string" }, function(me, text, to)
    me.link:send("PRIVMSG " .. to .. " :" .. text)
end }
function S.commands.act(me, text, to) me.link:send("PRIVMSG " .. to .. " :\1ACTION " .. text .. "\1") end
function S.commands.leave(me)
    me.is_leaving = true
    me.link:send "QUIT :bye"
end

local on = {}
function on.PING(me, said)
    me.link:send("PONG :" .. said.parameters[1])
    me:emit "pinged"
end
on["001"] = function(me, said)
    me.nick = said.parameters[1]
    me:wake("welcome", true)
end
function on.JOIN(me, said)
    me:emit("joined", { channel = said.parameters[1], nick = said.from })
    if said.from == me.options.nick then me:wake("in " .. said.parameters[1]) end
end
function on.QUIT(me, said) me:emit("left", { nick = said.from, reason = said.parameters[1] or "" }) end
function on.PRIVMSG(me, said)
    local to, text = said.parameters[1], said.parameters[2]
    local action = text:match "^\1ACTION (.*)\1$"
    if action then
        me:emit("action", { from = said.from, text = action }, said)
    elseif said.from == me.options.nick then
        -- With the capability echo-message the server says back what it has taken.
        me:emit("message_sent", { text = text }, said)
    else
        me:emit("message", { from = said.from, to = to, text = text }, said)
    end
end
function on.CAP(me, said)
    if said.parameters[2] == "NAK" then me:emit("refused", { code = "CAP", text = said.parameters[3] }, said) end
end
function on.ERROR(me, said)
    if not me.is_leaving then me:emit("error", { code = "irc", message = said.parameters[1] }, said) end
end

local function take(me, line)
    local said = read(line)
    if on[said.command] then return on[said.command](me, said) end
    -- There is no message of the day.
    if not said.command:find "^[45]%d%d$" or said.command == "422" then return end
    me:emit("refused", { code = said.command, text = said.parameters[#said.parameters] }, said)
    me:wake("welcome", false)
end
-- A line that lacks what its event needs is no better than one that cannot be read.
function S.on.text(me, line)
    local understood, why = pcall(take, me, line)
    if not understood then me:emit("error", { code = "protocol", message = why.message or why, body = line }) end
end
function S.on.closed(me, closure)
    me.link = nil
    me:emit("disconnected", { code = closure.code, reason = closure.reason })
end
function S.on.ending(me) if me.link and not me.is_leaving then S.commands.leave(me) end end

local echo = "echo-message message-tags server-time"

scenario("two people talk in a channel", { tags = { "peers" } }, function(t)
    local channel = "#c" .. random.hex(8)
    local ada = t:actor(S, { nick = "ada" .. random.hex(8), capabilities = echo, name = "ada" })
    local bob = t:actor(S, { nick = "bob" .. random.hex(8), capabilities = echo, name = "bob" })
    for _, person in ipairs { ada, bob } do
        person:connect()
        person:join(channel)
    end
    for number = 1, 3 do
        think()
        ada:say("Question " .. number, channel)
        bob:expect("message", { text = "Question " .. number, to = channel })
        bob:say("Answer " .. number, channel)
        ada:expect("message", { text = "Answer " .. number })
    end
end)

scenario("a word in private, and one that is done", { tags = { "peers" } }, function(t)
    local ada = t:actor(S, { nick = "ada" .. random.hex(8) })
    local bob = t:actor(S, { nick = "bob" .. random.hex(8) })
    ada:connect()
    bob:connect()
    ada:say("Schöne Grüße :)", bob.nick)
    bob:expect("message", { from = ada.nick, to = bob.nick, text = "Schöne Grüße :)" })
    bob:act("waves", ada.nick)
    ada:expect("action", { from = bob.nick, text = "waves" })
    ada:leave()
    ada:expect("disconnected", { code = 1000 })
end)

scenario("a name that is taken, and a capability that is not there", { tags = { "peers" } }, function(t)
    local nick = "ada" .. random.hex(8)
    local ada, eve = t:actor(S, { nick = nick }), t:actor(S, { nick = nick })
    ada:connect()
    eve:connect()
    eve:expect("refused", { code = "433" })
    local bob = t:actor(S, { nick = "bob" .. random.hex(8), capabilities = "telepathy" })
    bob:connect()
    bob:expect("refused", { code = "CAP", text = match.contains "telepathy" })
end)

scenario("a ping is answered while nobody speaks", { tags = { "peers", "slow" } }, function(t)
    local ada = t:actor(S, { nick = "ada" .. random.hex(8) })
    ada:connect()
    ada:never "disconnected"
    wait "6s"
    expect(#ada:events "pinged" >= 2, true)
end)
