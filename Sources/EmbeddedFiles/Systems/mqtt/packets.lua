-- The packets of MQTT 3.1.1 and 5, for both ends of `mqtt`: tables in, bytes out, and back. What breaks the protocol
-- raises a text that says how. Numbers in brackets are sections of the OASIS standard of MQTT 5.
local unfinished = require "systems.unfinished"
local packets = {}

-- The greatest packet that is read, in bytes; the protocol allows 256 MB.
packets.most_bytes = 4 * 1024 * 1024

local names = {
    "connect", "connack", "publish", "puback", "pubrec", "pubrel", "pubcomp", "subscribe", "suback", "unsubscribe",
    "unsuback", "pingreq", "pingresp", "disconnect", "auth",
}
local numbers = {}
for number, name in ipairs(names) do numbers[name] = number end

-- [2.2.2.2] The properties of MQTT 5 by number: name, and how they are written.
local properties = {
    [1] = { "payload_format", "byte" }, [2] = { "message_expiry", "four" }, [3] = { "content_type", "text" },
    [8] = { "response_topic", "text" }, [9] = { "correlation_data", "data" }, [11] = { "subscription", "varying" },
    [17] = { "session_expiry", "four" }, [18] = { "assigned_client_id", "text" }, [19] = { "server_keep_alive", "two" },
    [21] = { "authentication_method", "text" }, [22] = { "authentication_data", "data" },
    [23] = { "request_problem_information", "byte" }, [24] = { "will_delay", "four" },
    [25] = { "request_response_information", "byte" }, [26] = { "response_information", "text" },
    [28] = { "server_reference", "text" }, [31] = { "reason", "text" }, [33] = { "receive_maximum", "two" },
    [34] = { "topic_alias_maximum", "two" }, [35] = { "topic_alias", "two" }, [36] = { "maximum_qos", "byte" },
    [37] = { "retain_available", "byte" }, [38] = { "user", "pair" }, [39] = { "maximum_packet_size", "four" },
    [40] = { "wildcards_available", "byte" }, [41] = { "subscription_ids_available", "byte" },
    [42] = { "shared_available", "byte" },
}
local property_numbers = {}
for number, property in pairs(properties) do property_numbers[property[1]] = number end

-- [2.4] What reason codes mean; those of a CONNACK of 3.1.1 have names of their own.
local reasons = {
    [0] = "success", [1] = "granted QoS 1", [2] = "granted QoS 2", [4] = "disconnect with will message",
    [16] = "no matching subscribers", [17] = "no subscription existed", [128] = "unspecified error",
    [129] = "malformed packet", [130] = "protocol error", [131] = "implementation specific error",
    [132] = "unsupported protocol version", [133] = "client identifier not valid", [134] = "bad user name or password",
    [135] = "not authorized", [136] = "server unavailable", [137] = "server busy", [138] = "banned",
    [139] = "server shutting down", [140] = "bad authentication method", [141] = "keep alive timeout",
    [142] = "session taken over", [143] = "topic filter invalid", [144] = "topic name invalid",
    [145] = "packet identifier in use", [146] = "packet identifier not found", [147] = "receive maximum exceeded",
    [148] = "topic alias invalid", [149] = "packet too large", [150] = "message rate too high",
    [151] = "quota exceeded", [152] = "administrative action", [153] = "payload format invalid",
    [154] = "retain not supported", [155] = "QoS not supported", [156] = "use another server", [157] = "server moved",
    [158] = "shared subscriptions not supported", [159] = "connection rate exceeded", [160] = "maximum connect time",
    [161] = "subscription identifiers not supported", [162] = "wildcard subscriptions not supported",
}
local refusals = {
    [1] = "unacceptable protocol version", [2] = "identifier rejected", [3] = "server unavailable",
    [4] = "bad user name or password", [5] = "not authorized",
}

function packets.reason(code, version) return (version == 4 and refusals[code] or reasons[code]) or "reason " .. code end

-- Writing -------------------------------------------------------------------------------------------------------------

local function text(value)
    if #value > 65535 then error("a text of MQTT has at most 65535 bytes", 0) end
    return string.pack(">s2", value)
end

local function varying(number)
    local bytes = {}
    repeat
        local rest = number >> 7
        bytes[#bytes + 1] = string.char((number & 127) | (rest > 0 and 128 or 0))
        number = rest
    until number == 0
    return table.concat(bytes)
end

local writers = {
    byte = string.char, two = function(value) return string.pack(">I2", value) end,
    four = function(value) return string.pack(">I4", value) end, varying = varying, text = text,
    data = function(value) return text(base64.decode(value)) end,
}

local function written_properties(list, version)
    if version ~= 5 then return "" end
    local parts, in_order = {}, {}
    for name in pairs(list or {}) do in_order[#in_order + 1] = name end
    table.sort(in_order)
    for _, name in ipairs(in_order) do
        local number = property_numbers[name] or error("MQTT 5 has no property \"" .. name .. "\"", 0)
        if name == "user" then
            local keys = {}
            for key in pairs(list.user) do keys[#keys + 1] = key end
            table.sort(keys)
            for _, key in ipairs(keys) do parts[#parts + 1] = "\38" .. text(key) .. text(list.user[key]) end
        else
            parts[#parts + 1] = string.char(number) .. writers[properties[number][2]](list[name])
        end
    end
    local whole = table.concat(parts)
    return varying(#whole) .. whole
end

local function number_of(packet) return string.pack(">I2", packet.id) end

-- A packet that answers another one: its number, and in MQTT 5 a code where that is not success.
local function answer(packet, version)
    if version ~= 5 or (packet.code or 0) == 0 then return number_of(packet) end
    return number_of(packet) .. string.char(packet.code) .. written_properties(packet.properties, version)
end

local bodies = {
    connect = function(packet, version)
        local will = packet.will
        local flags = (packet.clean and 2 or 0) | (packet.username and 128 or 0) | (packet.password and 64 or 0)
        if will then flags = flags | 4 | (will.qos or 0) << 3 | (will.retain and 32 or 0) end
        return text "MQTT" .. string.char(version, flags) .. string.pack(">I2", packet.keep_alive)
            .. written_properties(packet.properties, version) .. text(packet.client_id)
            .. (will and written_properties(will.properties, version) .. text(will.topic) .. text(will.payload) or "")
            .. (packet.username and text(packet.username) or "") .. (packet.password and text(packet.password) or "")
    end,
    connack = function(packet, version)
        return string.char(packet.session_present and 1 or 0, packet.code)
            .. written_properties(packet.properties, version)
    end,
    publish = function(packet, version)
        return text(packet.topic) .. (packet.qos > 0 and number_of(packet) or "")
            .. written_properties(packet.properties, version) .. packet.payload
    end,
    puback = answer, pubrec = answer, pubrel = answer, pubcomp = answer,
    subscribe = function(packet, version)
        local parts = { number_of(packet), written_properties(packet.properties, version) }
        for _, filter in ipairs(packet.filters) do parts[#parts + 1] = text(filter.topic) .. string.char(filter.qos) end
        return table.concat(parts)
    end,
    suback = function(packet, version)
        return number_of(packet) .. written_properties(packet.properties, version)
            .. string.char(table.unpack(packet.codes))
    end,
    unsubscribe = function(packet, version)
        local parts = { number_of(packet), written_properties(packet.properties, version) }
        for _, topic in ipairs(packet.topics) do parts[#parts + 1] = text(topic) end
        return table.concat(parts)
    end,
    unsuback = function(packet, version)
        if version ~= 5 then return number_of(packet) end
        return number_of(packet) .. written_properties(packet.properties, version)
            .. string.char(table.unpack(packet.codes))
    end,
    pingreq = function() return "" end, pingresp = function() return "" end,
    disconnect = function(packet, version)
        if version ~= 5 or (packet.code or 0) == 0 then return "" end
        return string.char(packet.code) .. written_properties(packet.properties, version)
    end,
}

-- Returns the bytes of a packet: a table with its `name` and fields; `version` is 4 for 3.1.1, or 5.
function packets.write(packet, version)
    local flags = 0
    if packet.name == "publish" then
        flags = (packet.duplicate and 8 or 0) | packet.qos << 1 | (packet.retain and 1 or 0)
    elseif packet.name == "pubrel" or packet.name == "subscribe" or packet.name == "unsubscribe" then
        flags = 2
    end
    local body = bodies[packet.name](packet, version)
    return string.char(numbers[packet.name] << 4 | flags) .. varying(#body) .. body
end

-- Reading -------------------------------------------------------------------------------------------------------------

-- What is left of a packet's body, read piece by piece.
local Body = {}
Body.__index = Body
function Body:bytes(count)
    local stop = self.place + count
    if stop > #self.source + 1 then error("a " .. self.name .. " that ends too early", 0) end
    local bytes = self.source:sub(self.place, stop - 1)
    self.place = stop
    return bytes
end
function Body:byte() return self:bytes(1):byte() end
function Body:two() return (string.unpack(">I2", self:bytes(2))) end
function Body:four() return (string.unpack(">I4", self:bytes(4))) end
function Body:data() return self:bytes(self:two()) end
function Body:text()
    local value = self:data()
    if not utf8.len(value) or value:find("\0", 1, true) then error("a " .. self.name .. " with a text that is none", 0) end
    return value
end
function Body:varying()
    local number = 0
    for shift = 0, 21, 7 do
        local byte = self:byte()
        number = number | (byte & 127) << shift
        if byte < 128 then return number end
    end
    error("a " .. self.name .. " with a length of more than four bytes", 0)
end
function Body:rest() return self:bytes(#self.source + 1 - self.place) end
function Body:is_empty() return self.place > #self.source end
function Body:id()
    local id = self:two()
    if id == 0 then error("a " .. self.name .. " with the number 0", 0) end
    return id
end
function Body:properties(version)
    local list = {}
    if version ~= 5 then return list end
    local stop = self:varying() + self.place
    if stop > #self.source + 1 then error("a " .. self.name .. " with properties that are too long", 0) end
    while self.place < stop do
        local number = self:varying()
        local property = properties[number] or error("a " .. self.name .. " with a property " .. number, 0)
        local name, kind = property[1], property[2]
        if kind == "pair" then
            list.user = list.user or {}
            local key = self:text()
            list.user[key] = self:text()
        else
            local value = self[kind](self)
            -- [2.2.2.2] Of the others only identifiers of subscriptions may come twice.
            if list[name] ~= nil and name ~= "subscription" then error("a " .. self.name .. " with two " .. name, 0) end
            list[name] = kind == "data" and base64.encode(value) or value
        end
    end
    if self.place ~= stop then error("a " .. self.name .. " with properties that end too late", 0) end
    return list
end

local function answered(body, version)
    local packet = { id = body:id(), code = 0 }
    if version == 5 and not body:is_empty() then
        packet.code = body:byte()
        if not body:is_empty() then packet.properties = body:properties(version) end
    end
    return packet
end

-- The codes of a packet: `most` and less are those of success that there are, and `other` if there is one more.
local function codes(body, most, other)
    local list = { body:rest():byte(1, 1000) }
    if #list == 0 then error("a " .. body.name .. " without a code", 0) end
    for _, code in ipairs(list) do
        if code > most and code < 128 and code ~= other then error("a " .. body.name .. " with the code " .. code, 0) end
    end
    return list
end

local readers = {
    connect = function(body)
        if body:text() ~= "MQTT" then error("a connect of another protocol", 0) end
        local packet = { version = body:byte() }
        local flags = body:byte()
        local version = packet.version
        packet.keep_alive, packet.clean = body:two(), flags & 2 ~= 0
        packet.properties = body:properties(version)
        packet.client_id = body:text()
        if flags & 1 ~= 0 then error("a connect with a flag that is reserved", 0) end
        if flags & 4 ~= 0 then
            packet.will = { qos = flags >> 3 & 3, retain = flags & 32 ~= 0, properties = body:properties(version) }
            if packet.will.qos == 3 then error("a will with QoS 3", 0) end
            packet.will.topic, packet.will.payload = body:text(), body:data()
        end
        if flags & 128 ~= 0 then packet.username = body:text() end
        if flags & 64 ~= 0 then packet.password = body:data() end
        return packet
    end,
    connack = function(body, version)
        local flags = body:byte()
        if flags > 1 then error("a connack with flags that are reserved", 0) end
        return { session_present = flags == 1, code = body:byte(), properties = body:properties(version) }
    end,
    publish = function(body, version, flags)
        local packet = { duplicate = flags & 8 ~= 0, qos = flags >> 1 & 3, retain = flags & 1 ~= 0 }
        packet.topic = body:text()
        if packet.qos == 3 then error("a publish with QoS 3", 0) end
        if packet.qos == 0 and packet.duplicate then error("a publish of QoS 0 that says it is sent again", 0) end
        if packet.topic:find "[+#]" then error("a publish to a topic with a wildcard", 0) end
        if packet.qos > 0 then packet.id = body:id() end
        packet.properties = body:properties(version)
        if packet.topic == "" and not packet.properties.topic_alias then error("a publish without a topic", 0) end
        packet.payload = body:rest()
        return packet
    end,
    puback = answered, pubrec = answered, pubrel = answered, pubcomp = answered,
    subscribe = function(body, version)
        local packet = { id = body:id(), properties = body:properties(version), filters = {} }
        repeat
            local filter = { topic = body:text() }
            local options = body:byte()
            filter.qos = options & 3
            if filter.qos == 3 or filter.topic == "" then error("a subscribe with a filter that is none", 0) end
            table.insert(packet.filters, filter)
        until body:is_empty()
        return packet
    end,
    suback = function(body, version)
        local packet = { id = body:id(), properties = body:properties(version) }
        packet.codes = codes(body, 2)
        return packet
    end,
    unsubscribe = function(body, version)
        local packet = { id = body:id(), properties = body:properties(version), topics = {} }
        repeat table.insert(packet.topics, body:text()) until body:is_empty()
        return packet
    end,
    unsuback = function(body, version)
        local packet = { id = body:id(), codes = {} }
        if version == 5 then packet.properties, packet.codes = body:properties(version), codes(body, 0, 17) end
        return packet
    end,
    pingreq = function() return {} end, pingresp = function() return {} end,
    disconnect = function(body, version)
        if version ~= 5 or body:is_empty() then return { code = 0 } end
        local code = body:byte()
        return { code = code, properties = body:is_empty() and {} or body:properties(version) }
    end,
    auth = function(body, version)
        if version ~= 5 then error("an auth, which MQTT 3.1.1 does not have", 0) end
        return { code = body:is_empty() and 0 or body:byte(), properties = body:is_empty() and {} or body:properties(5) }
    end,
}

local function read(first, text, version)
    local name = names[first >> 4] or error("there is no packet of type 0", 0)
    local flags, expected = first & 15, 0
    if name == "pubrel" or name == "subscribe" or name == "unsubscribe" then expected = 2 end
    if name ~= "publish" and flags ~= expected then error("a " .. name .. " with the flags " .. flags, 0) end
    local body = setmetatable({ name = name, source = text, place = 1 }, Body)
    local packet = readers[name](body, version, flags)
    if not body:is_empty() then error("a " .. name .. " that is too long", 0) end
    packet.name = name
    return packet
end

-- Returns the packets that bytes complete: messages of a WebSocket, and pieces of a stream, divide them as they like.
--
-- `reader` keeps what has not come to its end: an empty table in the beginning.
function packets.feed(reader, bytes, version)
    local text, list, place = (reader.rest or "") .. bytes, {}, 1
    while true do
        local length, shift, start = 0, 0, place + 1
        repeat
            local byte = text:byte(start)
            if byte then
                length = length | (byte & 127) << shift
                shift, start = shift + 7, start + 1
                if byte >= 128 and shift > 21 then error("a packet with a length of more than four bytes", 0) end
            end
        until not byte or byte < 128
        if length > packets.most_bytes then error("a packet of " .. length .. " bytes", 0) end
        local is_whole = start > place + 1 and text:byte(start - 1) < 128 and start - 1 + length <= #text
        if not is_whole then break end
        local packet = read(text:byte(place), text:sub(start, start - 1 + length), reader.version or version)
        -- A server learns the version from what the client says first.
        if packet.name == "connect" then reader.version = packet.version end
        list[#list + 1] = packet
        place = start + length
    end
    reader.rest = text:sub(place)
    return list
end

-- [4.3] The QoS of the message that a packet answers.
local answered_qos = { puback = 1, pubrec = 2, pubcomp = 2 }

-- Raises a text if a packet with the number of a message that is under way, `entry`, is not what that awaits.
function packets.check_answer(packet, entry)
    local qos = answered_qos[packet.name]
    if qos and (entry.packet.qos ~= qos or packet.name == "pubcomp" and not entry.is_received) then
        error(("a %s to a message of QoS %d that awaits another answer"):format(packet.name, entry.packet.qos), 0)
    end
end

-- [3.2.2.1.1] Raises a text if a server says to have kept the session of a client that has asked for a new one.
function packets.check_session(packet, is_new)
    if packet.session_present and is_new then error("a connack with an earlier session, where none was asked for", 0) end
end

-- Says what has come of a packet that is not whole; nil if that is nothing.
function packets.half(reader) return unfinished.bytes(reader, "packet") end

-- The same of one that stands still.
function packets.stands_still(reader)
    return unfinished.standing_still(function() return reader.rest, packets.half(reader) end)
end

-- Topics --------------------------------------------------------------------------------------------------------------

-- [4.7] Returns whether a filter with wildcards takes a topic in.
function packets.matches(filter, topic)
    -- Wildcards at the front do not take in what begins with a dollar sign.
    if topic:sub(1, 1) == "$" and filter:find "^[+#]" then return false end
    local levels = {}
    for level in (topic .. "/"):gmatch "([^/]*)/" do levels[#levels + 1] = level end
    local depth = 0
    for level in (filter .. "/"):gmatch "([^/]*)/" do
        if level == "#" then return true end
        depth = depth + 1
        if not levels[depth] or (level ~= "+" and level ~= levels[depth]) then return false end
    end
    return depth == #levels
end

-- Returns whether a text can be a filter: "#" stands alone at the end, "+" alone in its level.
function packets.is_filter(filter)
    if filter == "" then return false end
    return not filter:find "#." and not filter:find "[^/]#" and not filter:find "[^/]%+" and not filter:find "%+[^/]"
end

-- What scenarios ask for ----------------------------------------------------------------------------------------------

local function is_text(value) return type(value) == "string" end
local function upto(most)
    return function(value)
        return type(value) == "number" and math.tointeger(value) and value >= 0 and value <= most
    end
end

-- What an option may be, and how that is said.
local options = {
    topic = { is_text, "a text" }, text = { is_text, "a text" },
    qos = { upto(2), "0, 1 or 2" }, maximum_qos = { upto(2), "0, 1 or 2" },
    retain = { function(value) return type(value) == "boolean" end, "true or false" },
    properties = { function(value) return type(value) == "table" end, "a table" },
    keep_alive = { upto(65535), "a whole number of seconds up to 65535, 0 for no pings" },
}
local function is_user(value)
    if type(value) ~= "table" then return false end
    for key, text in pairs(value) do if not (is_text(key) and is_text(text)) then return false end end
    return true
end
local kinds = {
    byte = { upto(255), "a whole number up to 255" }, two = { upto(65535), "a whole number up to 65535" },
    four = { upto(4294967295), "a whole number up to 4294967295" },
    varying = { upto(268435455), "a whole number up to 268435455" }, text = { is_text, "a text" },
    data = { is_text, "a text in base64" }, pair = { is_user, "a table of texts" },
}

local function must_fit(what, name, value, kind)
    if kind[1](value) then return end
    local shown = is_text(value) and "\"" .. value .. "\"" or type(value) == "table" and "this table" or tostring(value)
    error(("%s: %s is %s, not %s"):format(what, name, kind[2], shown), 0)
end

local function known_properties()
    local list = {}
    for name in pairs(property_numbers) do list[#list + 1] = name end
    table.sort(list)
    return table.concat(list, ", ")
end

local function check_properties(what, list, version)
    if next(list) == nil then return end
    if version ~= 5 then error(what .. ": there are properties in MQTT 5 alone: give the actor version = \"5\"", 0) end
    for name, value in pairs(list) do
        local number = property_numbers[name]
            or error(("%s: MQTT 5 has no property \"%s\"; it has %s"):format(what, name, known_properties()), 0)
        must_fit(what, "the property " .. name, value, kinds[properties[number][2]])
    end
end

-- Raises a text unless the table that a scenario gave has only options that are `known`, each as it has to be.
function packets.check(what, given, known, version)
    for name in pairs(given or {}) do
        local is_known = false
        for _, other in ipairs(known) do is_known = is_known or name == other end
        if not is_known then
            error(("%s has no option \"%s\"; it has %s"):format(what, name, table.concat(known, ", ")), 0)
        end
    end
    for _, name in ipairs(known) do
        local value = given and given[name]
        if value ~= nil then must_fit(what, name, value, options[name]) end
    end
    if given and given.properties then check_properties(what, given.properties, version) end
end

-- Checks the options of a client; returns the version of the protocol that they ask for, as packets have it.
function packets.check_client(o)
    local version = o.version == "5" and 5 or 4
    local own = { qos = o.qos, properties = o.properties, keep_alive = o.keep_alive }
    packets.check("the client", own, { "qos", "properties", "keep_alive" }, version)
    packets.check("will", o.will, { "topic", "text", "qos", "retain", "properties" }, version)
    if o.will and not o.will.topic then error("will needs a topic", 0) end
    return version
end

function packets.will(will)
    return will and {
        topic = will.topic, payload = will.text or "", qos = will.qos, retain = will.retain,
        properties = will.properties,
    }
end

-- Returns the bytes of what a scenario publishes: a text, or bytes as `{ base64 = … }`.
function packets.payload(content)
    if type(content) == "string" or type(content) == "number" then return tostring(content) end
    if type(content) == "table" and type(content.base64) == "string" then return base64.decode(content.base64) end
    error("publish takes a text, or { base64 = … }", 0)
end

-- Returns a payload as events have it: a text, or an empty one and the bytes in base64.
function packets.text(payload)
    if utf8.len(payload) then return payload end
    return "", base64.encode(payload)
end

return packets
