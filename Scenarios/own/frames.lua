-- A chat in frames of bytes over a WebSocket, as protobuf writes them: each field begins with a varint that has its
-- number and its form, and what follows is a whole number or a text behind its length. What has been read of a frame
-- is handed to `me:receive`, so that one that lacks something, or has it of another form, is the server's fault.
local Frames = system {
    name = "frames", title = "Chat in frames", client = "guest", options = { user = "string" },
    events = { message = { from = "string", text = "string", at = "integer" }, message_sent = { text = "string" } },
    noise = { "message_sent" },
    parties = { agent = { events = { message = { text = "string", from = "string" } } } },
    json = { by = "kind", from_client = {}, from_server = {
        welcome = {}, message = { from = "string", text = "string", at = "integer" }, taken = { text = "string" },
    } },
}

local kinds, fields = { "hello", "welcome", "message", "taken" }, { "kind", "from", "text", "at" }

local function varint(number)
    local low, high = number & 127, number >> 7
    return high == 0 and string.char(low) or string.char(low | 128) .. varint(high)
end

local function write(message)
    local bytes = {}
    for number, name in ipairs(fields) do
        local value = message[name]
        if name == "kind" then
            for place, kind in ipairs(kinds) do if kind == value then value = place end end
        end
        if math.type(value) == "integer" then
            table.insert(bytes, varint(number << 3) .. varint(value))
        elseif value then
            table.insert(bytes, varint(number << 3 | 2) .. varint(#value) .. value)
        end
    end
    return table.concat(bytes)
end

-- Both ends read so. Who raises an error here says what is wrong with the frame.
local function read(bytes)
    local place, message = 1, {}
    local function number()
        local value = 0
        for shift = 0, 63, 7 do
            local byte = bytes:byte(place) or error("a number ends with the frame", 0)
            value, place = value | (byte & 127) << shift, place + 1
            if byte < 128 then return value end
        end
        error("a number of more than ten bytes", 0)
    end
    while place <= #bytes do
        local key = number()
        local form = key & 7
        if form ~= 0 and form ~= 2 then error("a field of the form " .. form, 0) end
        local value = number()
        if form == 2 then
            local length = value
            if length < 0 or length > #bytes - place + 1 then error("a text that is longer than the frame", 0) end
            value, place = bytes:sub(place, place + length - 1), place + length
            if not utf8.len(value) then error("a text that is not UTF-8", 0) end
        end
        local name = fields[key >> 3]
        if name then message[name] = value end -- others may be of a later version
    end
    message.kind = kinds[message.kind]
    return message
end

-- The client ----------------------------------------------------------------------------------------------------------

function Frames.commands.connect(me)
    me.link = me:open { path = "/chat" }
    me:wait "open"
    me.link:send_bytes(write { kind = "hello", from = me.options.user })
    me:wait("welcome", "5s")
end
Frames.commands.say = { sends = "text", function(me, text)
    me.link:send_bytes(write { kind = "message", text = text })
end }

function Frames.on.bytes(me, bytes)
    local understood, message = pcall(read, bytes)
    if understood then return me:receive(message) end
    me:emit("error", { code = "protocol", message = message.message or message, body = hex.encode(bytes) })
end
function Frames.json.welcome(me) me:wake "welcome" end
function Frames.json.taken(me, taken) me:emit("message_sent", { text = taken.text }, taken) end

-- The simulated server ------------------------------------------------------------------------------------------------

function Frames.server.bytes(desk, client, bytes)
    local message = read(bytes)
    if message.kind == "hello" then
        client.user = message.from
        return client:send_bytes(write { kind = "welcome" })
    end
    client:send_bytes(write { kind = "taken", text = message.text })
    local told = { text = message.text, from = client.user }
    for _, agent in pairs(desk.parties) do agent:emit("message", told, message) end
end
local function send(agent, bytes)
    for _, client in ipairs(agent.desk.clients) do client:send_bytes(bytes) end
end
Frames.parties.agent.say = { sends = "text", function(agent, text)
    send(agent, write { kind = "message", from = agent.name, text = text, at = 1767225600 })
end }
function Frames.parties.agent.send(agent, digits) send(agent, hex.decode(digits)) end

scenario("a guest and an agent talk in frames", function(t)
    local sam, ada = t:server(Frames):agent "Sam", t:actor(Frames, { user = "ada" })
    ada:connect()
    ada:say "Schöne Grüße"
    sam:expect("message", { text = "Schöne Grüße", from = "ada" })
    for _, text in ipairs { "", "日本語", ("x"):rep(100000) } do
        sam:say(text)
        ada:expect("message", { from = "Sam", text = text, at = 1767225600 })
    end
end)

local broken = {
    { name = "a number that never ends", digits = "08" .. ("ff"):rep(12), message = "a number of more than ten bytes" },
    { name = "a number that is cut", digits = "08ff", message = "a number ends with the frame" },
    { name = "a length beyond the frame", digits = "08031aff01", message = "a text that is longer than the frame" },
    { name = "a text of other bytes", digits = "08031a02fffe", message = "a text that is not UTF-8" },
    { name = "a form that is none", digits = "080304", message = "a field of the form 4" },
    { name = "nothing at all", digits = "", message = match.contains "has no member \"kind\"" },
    { name = "a message without its text", digits = "0803120353616d2001", message = match.contains "needs the member" },
}

scenario("a frame that cannot be is an error of the server", { rows = broken }, function(t, row)
    local sam, ada = t:server(Frames):agent "Sam", t:actor(Frames, { user = "ada" })
    ada:connect()
    sam:send(row.digits)
    ada:expect("error", { code = "protocol", message = row.message })
end)
