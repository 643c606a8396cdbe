-- The topic protocol of Live Assist by hand, for scenarios that look at what goes over the wire or send what no client does.
local websocket = require "websocket"
local http = require "http"

local wire = {}

-- The kinds of frames.
wire.kinds = {
    ping = 100, pong = 200, topics = 10000, join = 10100, leave = 10200, open = 10300, open_private = 10310,
    close = 10400, permission = 10500, participants = 15000, message = 20100,
}
local names = {}
for name, kind in pairs(wire.kinds) do names[kind] = name end

-- The bytes of a frame.
function wire.frame(name, topic, payload)
    return string.pack("<I2I2I2", wire.kinds[name], topic or 0, 0) .. (payload or "")
end

-- The bytes of what is said in a topic: a code, numbers of 16 bits, then text.
function wire.words(...)
    local bytes = ""
    for _, part in ipairs { ... } do bytes = bytes .. (type(part) == "string" and part or string.pack("<i2", part)) end
    return bytes
end

-- What a frame says.
function wire.read(bytes)
    local kind, topic, source = string.unpack("<I2I2I2", bytes)
    return { kind = names[kind], topic = topic, source = source, payload = bytes:sub(7) }
end

-- What one side of a connection sends and hears, in frames.
function wire.side(actor)
    local self = {}

    function self.send(name, topic, payload) actor:send_binary(base64.encode(wire.frame(name, topic, payload))) end
    function self.say(topic, ...) self.send("message", topic, wire.words(...)) end

    local taken = {}

    -- The first frame of a kind that was not taken yet, of a topic unless that is nil; with a function the first one
    -- whose payload suits it. What came between stays for later.
    function self.expect(name, topic, suits)
        local function fits(text)
            local frame = wire.read(base64.decode(text))
            local is = frame.kind == name and (not topic or frame.topic == topic) and (not suits or suits(frame.payload))
            return is and frame
        end
        local function take()
            for number, event in ipairs(actor:events "frame") do
                local frame = not taken[number] and fits(event.bytes)
                if frame then
                    taken[number] = true
                    return frame
                end
            end
        end
        local frame = take()
        local what = ("%s on topic %s"):format(name, topic or "any")
        while not frame do
            actor:expect("frame", { bytes = match.where(function(text) return fits(text) ~= false end, what) }, { within = "15s" })
            frame = take() -- the one that came may have been taken before
        end
        return frame
    end

    -- The next message whose code is this one; returns the rest of it.
    function self.heard(topic, code)
        return self.expect("message", topic, function(payload)
            return #payload >= 2 and string.unpack("<i2", payload) == code
        end).payload:sub(3)
    end

    -- All frames of a kind so far.
    function self.frames(name)
        local frames = {}
        for _, event in ipairs(actor:events "frame") do
            local frame = wire.read(base64.decode(event.bytes))
            if not name or frame.kind == name then frames[#frames + 1] = frame end
        end
        return frames
    end

    return self
end

-- Somebody in the session `room` who speaks the protocol by hand; `token` opens the session, or one is made.
function wire.participant(t, server, metadata, token)
    t:allow { "response", "connected", "frame" }
    if not token then
        local web = t:actor(http, { server = server })
        web:post("/gateway/sessions/session", {
            additionalAttributes = { ["AED2.allowedTopic"] = "room", ["AED2.metadata"] = metadata },
        })
        token = web:expect("response", { status = 200 }).json.sessionid
    end
    local socket = t:actor(websocket, {
        server = server, path = "/assistserver/topic", query = { appkey = "room", topic = "room", sessionId = token },
    })
    local self = wire.side(socket)
    self.socket, self.token = socket, token
    socket:connect()
    socket:expect "connected"
    self.id = self.expect("participants", 0).source
    self.expect("topics", 0)
    return self
end

-- What an agent may set and be set: it asks, is allowed or denied.
function wire.permission(target, value) return string.pack("<I2I2", target, value) end

-- Pictures: PNG files of one pixel, whose text says what a real one would show.

local remainders = {}
for byte = 0, 255 do
    local rest = byte
    for _ = 1, 8 do rest = rest & 1 == 1 and rest >> 1 ~ 0xEDB88320 or rest >> 1 end
    remainders[byte] = rest
end

local function crc(bytes)
    local rest = 0xFFFFFFFF
    for index = 1, #bytes do rest = remainders[(rest ~ bytes:byte(index)) & 0xFF] ~ rest >> 8 end
    return rest ~ 0xFFFFFFFF
end

local signature, keyword = "\x89PNG\r\n\x1A\n", "repartee.screen\0\0\0\0\0"

-- A picture that shows this, a table or a text.
function wire.picture(content)
    local text = type(content) == "string" and content or json.encode(content)
    local bytes = signature
    for _, part in ipairs { { "IHDR", string.pack(">I4I4BBBBB", 1, 1, 8, 0, 0, 0, 0) }, { "iTXt", keyword .. text } } do
        bytes = bytes .. string.pack(">I4", #part[2]) .. part[1] .. part[2] .. string.pack(">I4", crc(part[1] .. part[2]))
    end
    return bytes
end

-- What a picture shows, after all of it was checked.
function wire.shown(bytes)
    check(hex.encode(bytes:sub(1, 8)), hex.encode(signature), "the signature of a PNG file")
    local chunks, place, content = {}, 9, nil
    while place <= #bytes do
        local length, kind = string.unpack(">I4c4", bytes, place)
        local data = bytes:sub(place + 8, place + 7 + length)
        check(string.unpack(">I4", bytes, place + 8 + length), crc(kind .. data), "the check sum of " .. kind)
        chunks[#chunks + 1] = kind
        if kind == "IHDR" then check({ string.unpack(">I4I4BBBBB", data) }, { 1, 1, 8, 0, 0, 0, 0, 14 }, kind) end
        if kind == "IDAT" then check(#deflate.expand(data), 2, "a filter and a pixel") end
        if kind == "iTXt" then
            check(data:sub(1, #keyword), keyword, kind)
            content = json.decode(data:sub(#keyword + 1))
        end
        place = place + 12 + length
    end
    check(chunks, { "IHDR", "iTXt", "IDAT", "IEND" }, "the chunks")
    return content
end

-- A server with the properties that it has now; one in another process tells them with the answer to a command.
function wire.fresh(server)
    server:swallow_pongs(false)
    return server
end

-- A list or a new topic, with the metadata that stands in it as text.
function wire.entry(payload)
    local value = json.decode(payload)
    if value.metadata then value.metadata = json.decode(value.metadata) end
    return value
end

return wire
