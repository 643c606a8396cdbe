-- Servers that break the protocol of STOMP: the client tells of it and leaves.
local stomp = require "stomp"

local accepted = "CONNECTED\nversion:1.2\n\n\0"

-- A server of which a scenario writes every message, from the moment the client says CONNECT.
local function broken(t, messages)
    local system = system { name = "stomp", events = {} }
    function system.server.upgrade() return "v12.stomp" end
    function system.server.text(_, client, text)
        if not text:find "^CONNECT" then return end
        for _, message in ipairs(messages) do client:send_bytes(message) end
    end
    t:server(system)
    return t:actor(stomp)
end

local rows = {
    { name = "a command in small letters", text = "message\n\n\0" },
    { name = "no command", text = "x:y\n\n\0" },
    { name = "an unknown command", text = "HELLO\n\n\0" },
    { name = "a header without a colon", text = "RECEIPT\nreceipt-id\n\n\0" },
    { name = "an escape that there is not", text = "RECEIPT\nreceipt-id:a\\tb\n\n\0" },
    { name = "an escape that does not end", text = "RECEIPT\nreceipt-id:a\\\n\n\0" },
    { name = "no empty line", text = "RECEIPT\nreceipt-id:a\0" },
    { name = "a length that is none", text = "RECEIPT\ncontent-length:-1\n\n\0" },
    { name = "a length beyond all bounds", text = "RECEIPT\ncontent-length:99999999999999999999\n\n\0" },
    { name = "a body that is longer than it says", text = "RECEIPT\ncontent-length:1\n\nabc\0" },
    { name = "a receipt that nothing asked for", text = "RECEIPT\nreceipt-id:a\n\n\0" },
    { name = "a receipt without an id", text = "RECEIPT\n\n\0" },
    { name = "a message without a destination", text = "MESSAGE\nmessage-id:1\nsubscription:0\n\nx\0" },
    { name = "a message without an id", text = "MESSAGE\ndestination:/a\nsubscription:0\n\nx\0" },
    { name = "a message without a subscription", text = "MESSAGE\ndestination:/a\nmessage-id:1\n\nx\0" },
    { name = "a second CONNECTED", text = accepted },
    { name = "a frame of clients", text = "SEND\ndestination:/a\n\n\0" },
}
scenario("a broken frame ends the connection", { tags = { "stomp", "broken" }, rows = rows }, function(t, row)
    local ada = broken(t, { accepted .. row.text })
    ada:connect()
    ada:expect("error", { code = "protocol" })
    ada:expect("disconnected", { code = 1002, reason = "protocol" })
    expect(ada.connected, false)
end)

local openings = {
    { name = "another version", text = "CONNECTED\nversion:1.1\n\n\0" },
    { name = "no version", text = "CONNECTED\n\n\0" },
    { name = "a heart-beat that is none", text = "CONNECTED\nversion:1.2\nheart-beat:soon\n\n\0" },
    { name = "a heart-beat beyond all bounds", text = "CONNECTED\nversion:1.2\nheart-beat:1,99999999999999\n\n\0" },
    { name = "a message before CONNECTED", text = "MESSAGE\ndestination:/a\nmessage-id:1\nsubscription:0\n\nx\0" },
}
scenario("a broken opening lets nobody in", { tags = { "stomp", "broken" }, rows = openings }, function(t, row)
    local ada = broken(t, { row.text })
    expect(ada:connect(), false)
    ada:expect("error", { code = "protocol" })
    ada:expect "disconnected"
end)

scenario("half a frame that stands still is told", {
    tags = { "stomp", "broken" }, expected_failure = "the broker never sends the rest",
}, function(t)
    broken(t, { accepted, "MESSAGE\ndestination:/a\nmess" }):connect()
end)

scenario("half a frame before the end of a connection is told", { tags = { "stomp", "broken" } }, function(t)
    local system = system { name = "stomp", events = {} }
    function system.server.upgrade() return "v12.stomp" end
    function system.server.text(_, client)
        client:send_bytes(accepted .. "MESSAGE\ndestination:/a\nmess")
        client:close(1000)
    end
    t:server(system)
    local ada = t:actor(stomp)
    ada:connect()
    ada:expect("error", { code = "protocol", message = match.contains "never became whole" })
    ada:expect "disconnected"
end)

scenario("a broker that chooses no sub-protocol is left", { tags = { "stomp", "broken" } }, function(t)
    local system = system { name = "stomp", events = {} }
    function system.server.text() end
    t:server(system)
    local ada = t:actor(stomp)
    expect(not ada:connect())
    ada:expect("error", { code = "protocol", message = match.contains "agreed on no sub-protocol" })
    ada:expect "disconnected"
end)

scenario("frames are the same however messages divide them", { tags = { "stomp", "broken" } }, function(t)
    local stream = "\n\r\n" .. accepted
    for number = 1, 20 do
        stream = stream .. "MESSAGE\r\ndestination:/a\nmessage-id:" .. number .. "\nsubscription:0\n"
            .. (number % 2 == 0 and "content-length:" .. 2 * number .. "\n" or "") .. "\n"
            .. (number % 2 == 0 and "x\0" or "xy"):rep(number) .. "\0" .. ("\n"):rep(number % 3)
    end
    for _, most in ipairs { 1, 2, 7, 1000 } do
        local pieces, place = {}, 1
        while place <= #stream do
            local length = random.integer(1, most)
            pieces[#pieces + 1] = stream:sub(place, place + length - 1)
            place = place + length
        end
        local ada = broken(t, pieces)
        expect(ada:connect(), true)
        for number = 1, 20 do
            ada:expect("message", { id = tostring(number), text = (number % 2 == 0 and "x\0" or "xy"):rep(number) })
        end
    end
end)

local pieces = {
    "MESSAGE", "RECEIPT", "ERROR", "CONNECTED", "\n", "\r\n", "\n\n", "\0", ":", "\\n", "\\", "destination:/a",
    "message-id:1", "subscription:0", "receipt-id:r1", "content-length:3", "content-length:", "abc", "\255", "ä",
}
scenario("whatever a server sends, the client stays or leaves as declared", {
    tags = { "stomp", "broken" }, allow = { "error", "disconnected", "message", "refused" },
}, function(t)
    for round = 1, 80 do
        local messages = { accepted }
        for place = 2, random.integer(2, 6) do
            local text = {}
            for index = 1, random.integer(0, 12) do text[index] = pieces[random.integer(1, #pieces)] end
            messages[place] = table.concat(text, random.pick { "", "\n" }) .. random.pick { "", "\0" }
        end
        local ada = broken(t, messages)
        expect(ada:connect(), true, "round " .. round)
        wait "1s"
        expect(ada.connected == true or #ada:events "disconnected" == 1, true)
    end
end)
