-- What reads bodies that come in pieces: by lines, and as server-sent events. A reader gets pieces of any size, and nil
-- at the end of the body; it returns a list of what they complete, and a text that says so where the body cannot be
-- read further. Beside it stands a function that tells what has come of a line or an event that is not whole, if any
-- has.

-- The longest line and the greatest event, in bytes.
local most_bytes = 4 * 1024 * 1024
-- What a line of an event takes beside its text, so that lines without any count, too.
local bytes_per_line = 16

-- Returns what cuts pieces into lines that end in what a pattern finds, and hands each of them to `take`, as well as
-- what stands behind the last one at the end of the body to `take_rest`. Either may return why it takes no more. Beside
-- it, what returns the bytes behind the last end so far.
local function line_cutter(line_ends, take, take_rest)
    -- The pieces of a line that has not ended: joined once it has, for joining at each piece would cost their square.
    local held, held_size, skips_feed = {}, 0, false
    return function(piece)
        -- A return ends a line at once; a line feed behind it belongs to it, and may come later.
        if piece and skips_feed and piece ~= "" then
            skips_feed = false
            if piece:byte() == 10 then piece = piece:sub(2) end
        end
        if piece == "" then return end
        held[#held + 1] = piece
        held_size = held_size + #(piece or "")
        if piece and not piece:find(line_ends) then
            return held_size > most_bytes and "a line of more than " .. most_bytes .. " bytes" or nil
        end
        local rest = table.concat(held)
        local place = 1
        while true do
            local stop = rest:find(line_ends, place)
            if not stop then break end
            local problem = take(rest:sub(place, stop - 1))
            if problem then return problem end
            place = stop + 1
            if rest:byte(stop) == 13 then
                skips_feed = stop == #rest
                if rest:byte(place) == 10 then place = place + 1 end
            end
        end
        rest = rest:sub(place)
        if #rest > most_bytes then return "a line of more than " .. most_bytes .. " bytes" end
        if not piece then return take_rest(rest) end
        held, held_size = { rest }, #rest
    end, function() return table.concat(held) end
end

local stream_readers = {}

-- Reads lines, which end in a line feed, maybe with a return before it; the last one need not have an end.
function stream_readers.lines()
    local list
    local function take(line)
        if line:byte(-1) == 13 then line = line:sub(1, -2) end
        list[#list + 1] = line
    end
    local cut, rest_of = line_cutter("\n", take, function(rest) if rest ~= "" then take(rest) end end)
    return function(piece)
        list = {}
        return list, cut(piece)
    end, function()
        local rest = rest_of()
        return rest ~= "" and #rest .. " bytes of a line that has no end" or nil
    end
end

-- Reads server-sent events (HTML standard, section 9.2.6, "Interpreting an event stream"). The standard drops an event
-- that the end of the body cuts off; here it is told, for the server has lost it. The third value is what the stream
-- has said of a reconnection so far, which needs no event: `id` counts from the end of its block on, `retry` at once.
function stream_readers.events()
    local list
    local data, size, is_first = nil, 0, true
    local name, id, retry
    local has_id = false
    local standing = {}
    local fields = {}
    function fields.data(value)
        size = size + #value + bytes_per_line
        if size > most_bytes then return "an event of more than " .. most_bytes .. " bytes" end
        data = data or {}
        data[#data + 1] = value
    end
    function fields.event(value) name = value ~= "" and value or nil end
    function fields.id(value)
        has_id = true
        if not value:find("\0", 1, true) then id = value end
    end
    function fields.retry(value)
        if #value > 15 or not value:find "^%d+$" then return end
        retry = tonumber(value) / 1000
        standing.retry = retry
    end
    local function take(line)
        if is_first then line, is_first = line:gsub("^\239\187\191", ""), false end
        if line ~= "" then
            local field, value = line:match "^([^:]*): ?(.*)$"
            local read = fields[field or line]
            return read and read(value or "")
        end
        standing.id = id
        -- An event without data is none.
        if data then
            list[#list + 1] = { event = name or "message", data = table.concat(data, "\n"), id = id, retry = retry }
            retry = nil
        end
        data, size, name, has_id = nil, 0, nil, false
    end
    -- A comment, which some send to keep the connection alive, is lost without harm.
    local function is_within(rest) return data or name or rest ~= "" and rest:byte() ~= 58 end
    -- An identifier may stand alone while the stream goes on; at the end of the body its event has been cut off.
    local cut, rest_of = line_cutter("[\r\n]", take, function(rest)
        if is_within(rest) or has_id then return "the body ended in the middle of an event" end
    end)
    return function(piece)
        list = {}
        return list, cut(piece)
    end, function()
        local rest = rest_of()
        if not is_within(rest) then return nil end
        return #(name or "") + #table.concat(data or {}) + #rest .. " bytes of an event that has no end"
    end, standing
end
