-- What happens to the connection of an Oracle channel, and how the client answers.
local oracle = require "oracle"
local beginnings = require "beginnings"

scenario("a connection goes through its states", { tags = { "smoke" } }, function(t)
    t:server(oracle)
    local user = t:actor(oracle)
    user:initialize()
    user:expect "initialized"
    user:expect("link_changed", { status = "connecting", label = user:string "odais_connecting" })
    user:expect("link_changed", { status = "open", label = user:string "odais_connected" })
    user:expect("connected", { user_id = match.pattern "^user%-%d+%-%d%d%d%d%d$" })
    user:disconnect()
    user:expect("link_changed", { status = "closing" })
    user:expect("link_changed", { status = "closed", label = user:string "odais_disconnected" })
    user:expect("disconnected", { reason = "ConnectionExplicitClose" })
    user:connect()
    user:expect "connected"
    user:destroy()
    user:expect "destroyed"
    expect(pcall(user.connect, user), false, "only initialize works now")
    user:initialize()
    user:expect "connected"
end)

scenario("connecting with the same values changes nothing, with others it opens the connection anew", function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle, { user_id = "ada" })
    user:connect()
    user:expect("connected", { user_id = "ada" })
    user:connect { user_id = "ada" }
    user:expect("connected", { already = true })
    user:connect { user_id = "bob" }
    user:expect("link_changed", { status = "closing" })
    user:expect("connected", { user_id = "bob" })
    user:say "I am Bob"
    user:expect("message", { text = "I am Bob" })
    expect(#desk:received(user) > 0)
    expect(desk.users, { "ada", "bob" })
end)

scenario("a dropped connection comes back after five seconds, and what was said meanwhile is lost", {
    tags = { "slow" },
}, function(t)
    local desk = t:server(oracle, { echo = true })
    local user = t:actor(oracle, { init_user_hidden_message = "hi" })
    user:connect()
    user:expect("message", { text = "hi" })
    desk:say { text = "Well?", actions = { "Yes" } }
    user:expect("message", { text = "Well?" })
    desk:drop(user)
    user:expect "reconnecting"
    desk:say("lost", user)
    expect(pcall(user.tap, user, "Yes"), false, "nothing can be tapped")
    user:say "lost too"
    user:expect("error", { code = "ConnectionNone" })
    user:expect("reconnected", nil, { within = "6s" })
    user:expect_silence("1s", "message")
    user:tap "Yes"
    user:expect("message", { text = "Yes" })
end)

scenario("the number of tries and the pause between them can be chosen", function(t)
    t:server(oracle, { faults = { refuse_socket = 503 } })
    local user = t:actor(oracle, { reconnect_max_attempts = 2, reconnect_interval = "100ms" })
    user:connect()
    user:expect("disconnected", { reason = "NetworkFailure" })
    user:expect("error", { code = "NetworkFailure" })
    expect(now(), match.between(0.2, 5), "two pauses of a tenth of a second")
end)

scenario("the button to try again tries again", function(t)
    local desk = t:server(oracle, { faults = { refuse_socket = 503 } })
    local user = t:actor(oracle)
    user:connect()
    user:expect("disconnected", { reason = "NetworkFailure", retry = "Try Again" }, { within = "26s" })
    user:expect("error", { code = "NetworkFailure" })
    desk:fault("refuse_socket", false)
    user:connect()
    user:expect "connected"
end)

scenario("pings keep a silent connection, which is renewed after fifty minutes", {
    clock = "virtual", timeout = "2h",
    faults = {
        delay = "a pong that is late renews the connection, and the pings are counted",
        clock_jump = "the fifty minutes are those of the client's clock",
    },
}, function(t)
    local desk = t:server(oracle)
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:expect_silence("49m", "reconnected")
    user:expect("link_changed", { status = "closing" }, { within = "61s" })
    user:expect "reconnected"
    expect(#desk:received(), 100 - 1, "one ping every thirty seconds")
end)

scenario("a device without a network connects once it has one again", function(t)
    t:server(oracle)
    local user = t:actor(oracle)
    user:go_offline()
    user:connect()
    user:expect("error", { code = "NetworkOffline" })
    user:go_online()
    user:expect "connected"
    user:go_offline()
    user:expect("link_changed", { status = "closed" })
    user:go_online()
    user:expect "connected"
end)

scenario("clients of one user hear the skill alike, but not each other", function(t)
    local desk = t:server(oracle, { skill = function(message) return "Heard " .. message.text end })
    local phone = t:actor(oracle, { user_id = "ada", name = "phone" })
    local laptop = t:actor(oracle, { user_id = "ada", name = "laptop" })
    phone:connect()
    phone:expect "connected"
    laptop:connect()
    laptop:expect "connected"
    phone:say "me"
    phone:expect("message", { text = "Heard me" })
    laptop:expect("message", { text = "Heard me" })
    expect(#laptop:screen().messages, 1)
    expect(beginnings.messages(desk, phone), { { text = "me" } })
end)

for _, segment in ipairs { "websdk", "iossdk", "androidsdk" } do
    scenario(("a client of the kind %s finds its channel"):format(segment), function(t)
        t:server(oracle, { echo = true })
        local user = t:actor(oracle, { channel = segment, user_id = "a b&c", encode_query = segment == "websdk" })
        user:connect()
        user:expect("connected", { user_id = "a b&c" })
        user:say "Hello"
        user:expect("message", { text = "Hello" })
    end)
end
