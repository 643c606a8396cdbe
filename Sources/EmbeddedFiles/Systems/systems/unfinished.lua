-- What has come of a packet or frame that is not whole, for the systems whose pieces a connection may divide.
local unfinished = {}

-- Says how much of `what` a reader of bytes has; nil if that is nothing.
function unfinished.bytes(reader, what)
    local count = #(reader.rest or "")
    return count > 0 and ("a %s that never became whole: %d bytes of it have come"):format(what, count) or nil
end

-- The same of one to which nothing is added in a second, for what still grows is on its way.
--
-- `look` returns what is there, and the text that says so: nil if that is nothing.
function unfinished.standing_still(look)
    local piece, text = look()
    if not text then return nil end
    wait "1s"
    local later, same = look()
    return later == piece and same == text and text or nil
end

return unfinished
