-- The packets of Socket.IO and Engine.IO, for both ends of `socketio`: texts and bytes in, tables out. What breaks the
-- protocol raises a text that says how.
local unfinished = require "systems.unfinished"
local packets = {
    connect = "0", disconnect = "1", event = "2", ack = "3", connect_error = "4",
}
local separator = "\x1e"
local event, ack, binary_event, binary_ack = "2", "3", "5", "6"

-- At most so many binary attachments of one packet, and packets of one body, are read.
local most_attachments, most_packets = 64, 10000

-- Takes binary arguments out of a value; returns it with placeholders in their place.
local function without_bytes(value, attachments)
    if type(value) ~= "table" then return value end
    if type(value.base64) == "string" and next(value, next(value)) == nil then
        table.insert(attachments, base64.decode(value.base64))
        return { _placeholder = true, num = #attachments - 1 }
    end
    local copy = {}
    for key, member in pairs(value) do copy[key] = without_bytes(member, attachments) end
    return copy
end

-- Puts binary attachments where their placeholders stand, and notes which of them have one; raises a text.
local function with_bytes(value, attachments, named)
    if type(value) ~= "table" then return value end
    if value._placeholder == true then
        local bytes = math.type(value.num) == "integer" and attachments[value.num + 1]
            or error("a placeholder names an attachment that is not there", 0)
        named[value.num + 1] = true
        return { base64 = base64.encode(bytes) }
    end
    for key, member in pairs(value) do
        if type(member) == "table" then value[key] = with_bytes(member, attachments, named) end
    end
    return value
end

local function has_bytes(value)
    if type(value) ~= "table" then return false end
    if type(value.base64) == "string" and next(value, next(value)) == nil then return true end
    for _, member in pairs(value) do if has_bytes(member) then return true end end
    return false
end

-- Returns the text of a packet, and the binary attachments that follow it.
function packets.write(kind, namespace, payload, number)
    local attachments, count = {}, ""
    if payload ~= nil and (kind == event or kind == ack) and has_bytes(payload) then
        payload = without_bytes(payload, attachments)
        kind = kind == event and binary_event or binary_ack
        count = #attachments .. "-"
    end
    local text = payload ~= nil and json.encode(payload) or ""
    -- A table without members is an object for JSON; arguments are a list.
    if kind == ack and text == "{}" then text = "[]" end
    return "4" .. kind .. count .. (namespace ~= "/" and namespace .. "," or "") .. (number or "") .. text, attachments
end

-- Reads the text of a packet without the "4" of Engine.IO; raises a text.
local function read(text)
    local kind, rest = text:match "^([0-6])(.*)$"
    if not kind then error("there is no packet of this type: " .. text:sub(1, 40), 0) end
    local expected = 0
    if kind == binary_event or kind == binary_ack then
        local count, after = rest:match "^(%d%d?%d?)%-(.*)$"
        expected = tonumber(count) or error("a binary packet without a number of attachments", 0)
        if expected > most_attachments then error("a packet with " .. count .. " attachments", 0) end
        rest = after
        kind = kind == binary_event and event or ack
    end
    local namespace, after = rest:match "^(/[^,]*),?(.*)$"
    local number, payload = (after or rest):match "^(%d*)(.*)$"
    local packet = {
        kind = kind, namespace = (namespace or "/"):match "^[^?]*", expected = expected, attachments = {},
        ack = number ~= "" and math.tointeger(number) or nil,
    }
    if number ~= "" and not packet.ack then error("an acknowledgement's number is too great", 0) end
    if payload ~= "" then packet.payload = json.decode(payload, "unambiguous") end
    local is_list = payload:sub(1, 1) == "["
    if kind == event and not (is_list and type(packet.payload[1]) == "string") then
        error("an event without a name: " .. text:sub(1, 80), 0)
    elseif kind == ack and not (is_list and packet.ack) then
        error("an acknowledgement without number or arguments: " .. text:sub(1, 80), 0)
    end
    return packet
end

-- Both ends keep a packet with attachments in `waiting` until those are there, and return it whole; they raise texts.
function packets.take(receiver, text)
    if receiver._waiting then error("a text where an attachment is due", 0) end
    local packet = read(text)
    if packet.expected == 0 then return packet end
    receiver._waiting = packet
end

local function take_bytes(receiver, bytes)
    local packet = receiver._waiting or error("bytes that no packet announced", 0)
    table.insert(packet.attachments, bytes)
    if #packet.attachments == packet.expected then
        receiver._waiting = nil
        local named = {}
        packet.payload = with_bytes(packet.payload, packet.attachments, named)
        for place = 1, packet.expected do
            if not named[place] then error("an attachment that no placeholder names", 0) end
        end
        return packet
    end
end

-- Says what has come of a packet that still lacks attachments; nil if there is none.
function packets.half(receiver)
    local packet = receiver._waiting
    if not packet then return nil end
    return ("a packet that never became whole: %d of its %d attachments have come"):format(
        #packet.attachments, packet.expected)
end

-- The same of one that stands still.
function packets.stands_still(receiver)
    return unfinished.standing_still(function() return receiver._waiting, packets.half(receiver) end)
end

-- Hands a packet of Engine.IO to the handler of its type; returns a packet of Socket.IO that is whole.
function packets.dispatch(receiver, packet, handlers)
    if packet.bytes then return take_bytes(receiver, packet.bytes) end
    local handler = handlers[packet.text:sub(1, 1)]
    if not handler then error("there is no packet of this type: " .. packet.text:sub(1, 40), 0) end
    return handler(receiver, packet.text:sub(2))
end

-- Splits a body of long polling into packets: { text = … } or { bytes = … }; raises a text.
function packets.split(body, version)
    local list = {}
    local function add(text)
        if #list >= most_packets then error("a body of too many packets", 0) end
        local binary = text:match(version == 3 and "^b4(.*)$" or "^b(.*)$")
        list[#list + 1] = binary and { bytes = base64.decode(binary) } or { text = text }
    end
    if version == 3 then
        local place = 1
        while place <= #body do
            local length, start = body:match("^(%d+):()", place)
            length = length and math.tointeger(length)
            -- Lengths count characters, so a body that is no UTF-8 has none.
            local ok, stop = pcall(utf8.offset, body, (length or 0) + 1, start or 1)
            if not length or not ok or not stop then
                error("a length that is not one: " .. body:sub(place, place + 20), 0)
            end
            add(body:sub(start, stop - 1))
            place = stop
        end
    else
        for text in (body .. separator):gmatch("(.-)" .. separator) do add(text) end
    end
    if #list == 0 then error("a body without packets", 0) end
    return list
end

-- Joins packets to a body of long polling.
function packets.join(list, version)
    local texts = {}
    for place, packet in ipairs(list) do
        local text = packet.text or (version == 3 and "b4" or "b") .. base64.encode(packet.bytes)
        texts[place] = version == 3 and (utf8.len(text) or #text) .. ":" .. text or text
    end
    return table.concat(texts, version == 3 and "" or separator)
end

-- Raises a text unless a scenario gave the name of an event.
function packets.must_be_name(command, name)
    if type(name) ~= "string" then error(command .. " needs the name of an event, a text, not " .. tostring(name), 0) end
end

return packets
