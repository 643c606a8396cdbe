-- How a WebSocket is opened: where, with what compression, and in what time.
local websocket = require "websocket"

local LONG = ("Where is my order? "):rep(50)

scenario("messages are compressed where both sides want it, and read the same", { tags = { "websocket" } }, function(t)
    local peer = t:server(websocket):peer "peer"
    local visitor = t:actor(websocket)
    visitor:connect()
    peer:expect("connected", { headers = { ["sec-websocket-extensions"] = match.contains "permessage-deflate" } })
    visitor:expect "connected"
    visitor:send(LONG)
    peer:expect("frame", { text = LONG, size = #LONG })
    peer:send(LONG)
    visitor:expect("frame", { text = LONG })
    visitor:close()
    visitor:expect("disconnected", { code = 1000 })

    visitor:connect { compression = false }
    peer:expect("connected", { headers = match.where(function(headers)
        return headers["sec-websocket-extensions"] == nil
    end) })
    visitor:expect "connected"
    visitor:send(LONG)
    peer:expect("frame", { text = LONG })
end)

scenario("a server need not compress", { tags = { "websocket" } }, function(t)
    local peer = t:server(websocket, { compression = false }):peer "peer"
    local visitor = t:actor(websocket)
    visitor:connect()
    visitor:expect "connected"
    visitor:send(LONG)
    peer:expect("frame", { text = LONG })
end)

scenario("a WebSocket may be opened at another path, and at hosts that the target names", { tags = { "websocket" } }, function(t)
    local server = t:server(websocket, { echo = true })
    local peer = server:peer "peer"
    local visitor = t:actor(websocket)
    visitor:connect { url = "/rooms/7?token=a" }
    peer:expect("connected", { path = "/rooms/7", query = { token = "a" } })
    visitor:expect "connected"
    visitor:close()
    visitor:expect("disconnected", { code = 1000 })
    local ok, problem = pcall(visitor.connect, visitor, { url = "wss://elsewhere.example/" })
    expect(ok, false)
    expect(tostring(problem), match.contains "add it to the target's settings")
end)

scenario("opening takes as long as it may, and no longer", { tags = { "websocket" }, clock = "virtual" }, function(t)
    t:server(websocket)
    local visitor = t:actor(websocket)
    t:network { latency = "20s" }
    local start = now()
    visitor:connect()
    visitor:expect("error", { code = "timed_out" }, { within = "40s" })
    expect(now() - start, match.near(30, 0.1))

    visitor:connect { timeout = "5s" }
    visitor:expect("error", { code = "timed_out" }, { within = "40s" })

    start = now()
    visitor:connect { timeout = 0 }
    visitor:expect("connected", {}, { within = "2m" })
    expect(now() - start, match.near(80, 1))
end)

scenario("what a close frame or a header cannot carry is refused, not cut", { tags = { "websocket" } }, function(t)
    local peer = t:server(websocket):peer "peer"
    local visitor = t:actor(websocket)
    local function refuses(sentence, act, ...)
        local done, why = pcall(act, ...)
        expect(done, false)
        expect(tostring(why), match.contains(sentence))
    end
    local split = { headers = { ["X-Note"] = "one\r\nX-Other: two" } }
    refuses('the header "X-Note" has a line end', visitor.connect, visitor, split)
    refuses('the header "X-Note" has a line end', t.actor, t, websocket, split)
    visitor:connect { headers = { ["X-Note"] = "one\ttwo é" } }
    visitor:expect "connected"
    peer:expect("connected", { headers = { ["x-note"] = "one\ttwo é" } })
    local longest = ("é"):rep(61) .. "!"
    refuses("at most 123 bytes (RFC 6455 section 5.5), and this one has 124", visitor.close, visitor, 1000, longest .. "!")
    refuses("at most 123 bytes (RFC 6455 section 5.5), and this one has 124", peer.close, peer, 1000, longest .. "!")
    refuses("close takes a code from 1000 to 1003, 1007 to 1014 or 3000 to 4999", peer.close, peer, 1005)
    visitor:close(1000, longest)
    peer:expect("disconnected", { code = 1000, reason = longest })
    visitor:expect "disconnected"
end)
