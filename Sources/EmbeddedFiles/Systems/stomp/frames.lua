-- The frames of STOMP 1.2, for both ends of `stomp`: texts in, tables out. What breaks the protocol raises a text that
-- says how.
local unfinished = require "systems.unfinished"
local frames = {}

-- What a script sends: the parameters of the method of either end.
frames.to_send = { "destination: string", "text: string", "headers: table?" }

-- The greatest frame that is read, in bytes, and the most headers of one.
local most_bytes, most_headers = 4 * 1024 * 1024, 1000

local escapes = { ["\\"] = "\\\\", ["\r"] = "\\r", ["\n"] = "\\n", [":"] = "\\c" }
local meanings = { ["\\\\"] = "\\", ["\\r"] = "\r", ["\\n"] = "\n", ["\\c"] = ":" }

-- Headers of CONNECT and CONNECTED are not escaped, for the sake of STOMP 1.0.
local function is_plain(command) return command == "CONNECT" or command == "CONNECTED" end

local function unescaped(text)
    return (text:gsub("\\.?", function(pair)
        return meanings[pair] or error("an escape that there is not: " .. pair, 0)
    end))
end

-- Returns the text of a frame; headers are in the order of their names, so that it is the same each time.
function frames.write(command, headers, body)
    local names = {}
    for name in pairs(headers) do names[#names + 1] = name end
    table.sort(names)
    local lines = { command }
    for _, name in ipairs(names) do
        local line = tostring(name) .. "\0" .. tostring(headers[name])
        if not is_plain(command) then line = line:gsub("[\\\r\n:]", escapes) end
        lines[#lines + 1] = (line:gsub("\0", ":", 1))
    end
    -- A body may hold a zero only where its length is said.
    if body and body ~= "" and not headers["content-length"] then
        lines[#lines + 1] = "content-length:" .. #body
    end
    return table.concat(lines, "\n") .. "\n\n" .. (body or "") .. "\0"
end

-- Reads the command and the headers of a frame: the lines before the empty one.
local function head(text)
    local frame = { headers = {} }
    local count = 0
    for line in (text .. "\n"):gmatch "(.-)\r?\n" do
        if not frame.command then
            if not line:find "^%u+$" then error("a frame with the command " .. line:sub(1, 40), 0) end
            frame.command = line
        else
            local name, value = line:match "^([^:]*):(.*)$"
            if not name then error("a header without a colon: " .. line:sub(1, 80), 0) end
            if not is_plain(frame.command) then name, value = unescaped(name), unescaped(value) end
            count = count + 1
            if count > most_headers then error("a frame with more than " .. most_headers .. " headers", 0) end
            -- Of headers that come again the first one counts.
            if frame.headers[name] == nil then frame.headers[name] = value end
        end
    end
    if not utf8.len(text) then error("a frame with headers that are no UTF-8", 0) end
    return frame
end

-- Returns the frames that a text completes; line ends between frames are heart-beats.
--
-- `reader` keeps what has not come to its end: an empty table in the beginning.
function frames.feed(reader, bytes)
    local text, list = (reader.rest or "") .. bytes, {}
    local place = 1
    while true do
        place = text:find("[^\r\n]", place) or #text + 1
        if place > #text then break end
        local stop, start = text:match("()\r?\n\r?\n()", place)
        if not stop then
            -- A zero in the head ends a frame that has none.
            if text:find("\0", place, true) then error("a frame without an empty line", 0) end
            break
        end
        local frame = head(text:sub(place, stop - 1))
        local length = frame.headers["content-length"]
        local last
        if length then
            local count = length:find "^%d+$" and math.tointeger(length)
            if not count or count > most_bytes then error("a frame with a length of " .. length:sub(1, 40), 0) end
            last = start + count
            if last > #text then break end
            if text:byte(last) ~= 0 then error("a frame that is longer than it says", 0) end
        else
            last = text:find("\0", start, true)
            if not last then break end
        end
        frame.body = text:sub(start, last - 1)
        list[#list + 1] = frame
        place = last + 1
    end
    reader.rest = text:sub(place)
    if #reader.rest > most_bytes + 65536 then error("a frame of more than " .. most_bytes .. " bytes", 0) end
    return list
end

-- Says what has come of a frame that is not whole; nil if that is nothing.
function frames.half(reader) return unfinished.bytes(reader, "frame") end

-- The same of one that stands still.
function frames.stands_still(reader)
    return unfinished.standing_still(function() return reader.rest, frames.half(reader) end)
end

-- Raises a text unless what a scenario gives `what` as headers can be such.
function frames.check_headers(what, headers)
    for name, value in pairs(headers or {}) do
        local kind = type(value)
        if type(name) ~= "string" then
            error(("%s: a header has a name, such as { priority = \"4\" }, not the number %s"):format(what, name), 0)
        elseif kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
            error(("%s: the header %s is a text, not a %s"):format(what, name, kind), 0)
        end
    end
end

return frames
