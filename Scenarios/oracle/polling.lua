-- A client that can open no WebSocket falls back to HTTP requests, and comes back.
local oracle = require "oracle"

-- A client that polls; it takes six refused sockets, two seconds apart.
local function poller(t, server, options)
    server = server or {}
    server.echo = true
    server.faults = { refuse_socket = 503 }
    options = options or {}
    options.enable_long_polling = true
    local desk = t:server(oracle, server)
    local user = t:actor(oracle, options)
    user:connect()
    user:expect("connected", { polling = true }, { within = "20s" })
    expect(now(), match.between(10, 20), "five pauses of two seconds")
    return user, desk
end

scenario("messages go out by requests and come in by polls", { tags = { "polling", "slow" } }, function(t)
    local user, desk = poller(t, nil, { init_user_hidden_message = "hi" })
    user:expect("message", { text = "hi" })
    user:say "Hello"
    user:expect("message", { text = "Hello" })
    desk:say { "one", "two" }
    user:expect("message", { text = "one" })
    user:expect("message", { text = "two" })
    expect(desk:received()[1], { state = { type = "ping" } })
end)

scenario("each request of an authenticated client has its token", { tags = { "polling", "slow" } }, function(t)
    local user = poller(t, { authentication = true }, { token_fixture = { user_id = "ada" } })
    user:say "It is me"
    user:expect("message", { text = "It is me" })
end)

scenario("an empty poll is held for 25 seconds and another one follows", {
    tags = { "polling" },
}, function(t)
    local user, desk = poller(t)
    wait "70s"
    desk:say "Still there?"
    user:expect("message", { text = "Still there?" })
end)

scenario("after five minutes the client tries a WebSocket again and stays with it", {
    tags = { "polling" }, clock = "virtual", timeout = "10m",
    faults = { clock_jump = "the five minutes are those of the client's clock" },
}, function(t)
    local user, desk = poller(t)
    desk:fault("refuse_socket", false)
    user:expect_silence("299s", "reconnected")
    user:expect("reconnected", { polling = false }, { within = "2s" })
    expect(user.polling, false)
    user:say "Faster now"
    user:expect("message", { text = "Faster now" })
end)

scenario("a WebSocket that is still refused leads back to polling", {
    tags = { "polling" }, timeout = "10m",
}, function(t)
    local user = poller(t, nil, { upgrade_to_web_socket_interval = "60s" })
    user:expect("reconnected", { polling = true }, { within = "75s" })
    user:say "Slow again"
    user:expect("message", { text = "Slow again" })
end)

scenario("a server that refuses requests too ends the tries", { tags = { "polling" } }, function(t)
    t:server(oracle, { faults = { refuse_socket = 503, poll_status = 500 } })
    local user = t:actor(oracle, { enable_long_polling = true })
    user:connect()
    user:expect("disconnected", { reason = "NetworkFailure" }, { within = "15s" })
    user:expect("error", { code = "NetworkFailure" })
end)

scenario("a message that a server refuses is an error and no drop", { tags = { "polling", "slow" } }, function(t)
    local user, desk = poller(t)
    desk:fault("poll_status", 500)
    user:say "Hello"
    user:expect("error", { code = "NetworkFailure" })
    desk:fault("poll_status", false)
    user:say "Hello again"
    user:expect("message", { text = "Hello again" })
end)

scenario("too many messages in a second are refused with 429", {
    tags = { "polling" }, faults = { delay = "messages that are late are not too many in a second" },
}, function(t)
    local user, desk = poller(t)
    desk:fault("rate_limit", 1)
    user:say "one"
    user:say "two"
    -- Each goes by a request of its own, so either may be there first.
    user:expect(all {
        event("message", { text = match.one_of { "one", "two" } }),
        event("error", { code = "NetworkFailure", message = match.contains "Too many" }),
    })
    user:expect_silence("1s", "message")
end)

scenario("who has ended the conversation polls no more", { tags = { "polling", "endings" } }, function(t)
    local user, desk = poller(t)
    user:say "Hello"
    user:expect("message", { text = "Hello" })
    user:end_chat()
    user:expect("ended", { reason = "user" })
    wait "1s"
    expect(pcall(desk.say, desk, "Still there?"), false, "the server does not take the user for back")
end)

scenario("five polls lost in a row end the connection", { tags = { "polling" } }, function(t)
    local user, desk = poller(t)
    desk:fault "drop_requests"
    user:expect("disconnected", { reason = "NetworkFailure" }, { within = "60s" })
    user:expect("error", { code = "NetworkFailure" })
end)

scenario("a client that polled tries a WebSocket first when it connects again", {
    tags = { "polling" }, timeout = "2m",
}, function(t)
    local user, desk = poller(t)
    user:disconnect()
    user:expect("disconnected", { reason = "ConnectionExplicitClose" })
    desk:fault("refuse_socket", false)
    user:connect()
    user:expect("connected", { polling = false }, { within = "5s" })
    expect(user.polling, false)
end)
