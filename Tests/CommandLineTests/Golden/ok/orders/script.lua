-- Ordered, unordered and partial orders, nested.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

local function frame(text) return event("frame", { text = text }) end

local function sent(t, ...)
    local client, peer = connection(t)
    for _, text in ipairs { ... } do peer:send(text) end
    return client
end

local function texts(events)
    local list = {}
    for index, one in ipairs(events) do list[index] = one.text end
    return table.concat(list, " ")
end

scenario("all takes them in any order", function(t)
    expect(texts(sent(t, "b", "c", "a"):expect(all { frame "a", frame "b", frame "c" })), "b c a")
end)

scenario("any takes the first that comes and returns it alone", function(t)
    local client = sent(t, "b")
    expect(client:expect(any { frame "a", frame "b" }).text, "b")
end)

scenario("seq wants their order", function(t)
    expect(texts(sent(t, "a", "b"):expect(seq { frame "a", frame "b" })), "a b")
end)

scenario("interleave keeps each order and mixes them", function(t)
    local client = sent(t, "a1", "b1", "b2", "a2")
    expect(
        texts(client:expect(interleave { seq { frame "a1", frame "a2" }, seq { frame "b1", frame "b2" } })),
        "a1 b1 b2 a2")
end)

scenario("maybe is not missed", function(t)
    local client = sent(t, "a", "c")
    expect(texts(client:expect(seq { frame "a", maybe(frame "b"), frame "c" })), "a c")
end)

scenario("orders nest", function(t)
    local client = sent(t, "hello", "y", "x", "x2", "bye")
    local got = client:expect(seq {
        any { frame "hello", frame "hi" },
        all { seq { frame "x", frame "x2" }, frame "y" },
        maybe(frame "wait"),
        frame "bye",
    })
    expect(texts(got), "hello y x x2 bye")
end)

scenario("a table of name and fields is an event as well", function(t)
    local client = sent(t, "a", "b")
    client:expect(seq { { "frame", { text = "a" } }, { "frame", { text = "b" } } })
end)

scenario("the method maybe returns nil when nothing comes, and the scenario goes on", function(t)
    local client, peer = connection(t)
    expect(client:maybe("frame", { text = "a" }, { within = "2s" }), match.absent)
    expect(now(), match.near(2, 0.1))
    peer:send "a"
    expect(client:maybe("frame", { text = "a" }).text, "a")
end)

scenario("expect_next takes what comes next", function(t)
    local client = sent(t, "a", "b")
    client:expect_next("frame", { text = "a" })
    client:expect_next("frame", { text = "b" })
end)

scenario("expect_next does not stumble over noise", { allow = { "frame" } }, function(t)
    local client = sent(t, "noise", "noise")
    client:close(1000)
    client:expect_next("disconnected", { code = 1000 })
end)
