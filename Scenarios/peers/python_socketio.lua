-- Socket.IO as python-socketio speaks it: `scripts/peers python_socketio` starts Tests/Peers/python_socketio_chat.py and plays this.
local socketio = require "socketio"

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 100, duration = "20s", scenario = "two people talk in a room",
    think_time = { distribution = "exponential", mean = "500ms" },
    thresholds = { "rate(failures) == 0", "count(lost) == 0", "count(duplicated) == 0" },
}

scenario("two people talk in a room", { tags = { "peers" } }, function(t)
    local room = "room " .. random.hex(12)
    local ada = t:actor(socketio, { name = "ada", acknowledged = true })
    local bob = t:actor(socketio, { name = "bob", acknowledged = true })
    for _, person in ipairs { ada, bob } do
        expect(person:connect(), true)
        expect(person:call("join", room), room)
    end
    for number = 1, 3 do
        think()
        ada:say("Question " .. number)
        bob:expect("message", { text = "Question " .. number, from = room })
        bob:say("Answer " .. number)
        ada:expect("message", { text = "Answer " .. number })
    end
end)

for _, transport in ipairs { "websocket", "polling", "upgrade" } do
    scenario("everything goes over " .. transport, { tags = { "peers", transport } }, function(t)
        local ada = t:actor(socketio, { transport = transport, answer = function() return "this one", 2 end })
        expect(ada:connect(), true)
        if transport == "upgrade" then ada:expect "upgraded" end
        local sum, word = ada:call("sum", { 1, 2, 3 })
        expect(sum, 6)
        expect(word, "done")
        ada:emit("photo", "größe.png", { base64 = "AAEC/w==" })
        ada:expect("event", { name = "photo", args = { "größe.png", { base64 = "/wIBAA==" } } })
        ada:emit "question"
        ada:expect("event", { name = "question", args = { "which?" } })
        ada:expect("event", { name = "answered", args = { "this one", 2 } })
        expect(ada.connected, true)
    end)

    scenario("the heart beats over " .. transport, { tags = { "peers", transport, "slow" } }, function(t)
        local ada = t:actor(socketio, { transport = transport })
        ada:connect()
        wait "7s"
        expect(ada:call("sum", { 1, 1 }), 2)
    end)

    scenario("who has no right is refused over " .. transport, { tags = { "peers", transport } }, function(t)
        local stranger = t:actor(socketio, { transport = transport, auth = { token = "wrong" } })
        expect(stranger:connect(), false)
        stranger:expect("refused", { message = "who are you?" })
    end)

    scenario("the server ends a session over " .. transport, { tags = { "peers", transport } }, function(t)
        local ada = t:actor(socketio, { transport = transport })
        ada:connect()
        ada:emit "leave"
        ada:expect "disconnected"
        expect(ada.connected, false)
    end)

    scenario("a namespace of its own over " .. transport, { tags = { "peers", transport } }, function(t)
        local shop = t:actor(socketio, { transport = transport, namespace = "/orders" })
        expect(shop:connect(), true)
        shop:expect("event", { name = "order", args = { { id = 1 } } })
        local lost = t:actor(socketio, { transport = transport, namespace = "/no" })
        expect(lost:connect(), false)
        lost:expect "refused"
    end)
end
