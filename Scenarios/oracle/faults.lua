-- Each way in which the simulated server can be told to misbehave, and what a client makes of it.
local oracle = require "oracle"
local beginnings = require "beginnings"

local function start(t, faults, options, server)
    server = server or { echo = true }
    server.faults = faults
    local desk = t:server(oracle, server)
    local user = t:actor(oracle, options)
    user:connect()
    return user, desk
end

scenario("refuse_socket: a client gives up after six tries and offers another", function(t)
    local user = start(t, { refuse_socket = 503 })
    user:expect("disconnected", {
        reason = "NetworkFailure", retry = "Try Again", banner = user:string "connectionFailureMessage",
    }, { within = "28s" })
    expect(now(), match.between(24.9, 29))
    user:expect("error", { code = "NetworkFailure" })
end)

scenario("no_pong: the connection is opened anew after 40 seconds", function(t)
    local user = start(t, { no_pong = true })
    user:expect "connected"
    user:expect("reconnecting", { reason = match.contains "no ping" }, { within = "41s" })
    user:expect("link_changed", { status = "closing" })
    user:expect("link_changed", { status = "closed" })
    user:expect("link_changed", { status = "connecting" })
    user:expect("link_changed", { status = "open" })
    user:expect "reconnected"
end)

scenario("silent: the skill hears everything and says nothing", {
    faults = { delay = "it looks after half a minute" },
}, function(t)
    local user, desk = start(t, { silent = true })
    user:expect "connected"
    user:say "Hello?"
    user:expect("typing", { active = true })
    user:expect_silence("29.5s", "typing")
    user:expect("typing", { active = false }, { within = "2s" })
    -- Beside it the client may just have said that it is there.
    expect(beginnings.messages(desk), match.count(1))
end)

scenario("duplicates: what comes twice is shown once", function(t)
    local user = start(t, { duplicates = true })
    user:expect "connected"
    user:say "Hello"
    user:expect("message", { text = "Hello" })
    user:expect_silence("500ms", "message")
end)

scenario("no_end_of_turn: the indicator stays though the answer is there", {
    faults = { delay = "the indicator goes away by itself before so late an answer" },
}, function(t)
    local user = start(t, { no_end_of_turn = true })
    user:expect "connected"
    user:say "Hello"
    user:expect("typing", { active = true })
    user:expect("message", { text = "Hello", end_of_turn = false })
    user:expect_silence("1s", "typing")
    expect(user:screen().typing)
end)

scenario("authentication_code: any code but 1006 is a refusal", function(t)
    local user = start(t, { authentication_code = 4003 }, {
        token_fixture = { secret = "another", user_id = "ada" },
    }, { authentication = true })
    user:expect("disconnected", { reason = "AuthExpiredToken" })
    user:expect("error", { code = "AuthExpiredToken" })
end)

scenario("authentication_code: a connection that dies is no refusal, so the client tries again", function(t)
    local user = start(t, { authentication_code = 1006 }, {
        token_fixture = { secret = "another", user_id = "ada" },
    }, { authentication = true })
    user:expect "connected"
    for _ = 1, 5 do
        user:expect "reconnecting"
        user:expect("reconnected", nil, { within = "6s" })
    end
    user:expect("disconnected", { reason = "NetworkFailure" })
    user:expect("error", { code = "NetworkFailure" })
end)

scenario("upload_status: the server answers uploads with a status", function(t)
    local user = start(t, { upload_status = 507 })
    user:expect "connected"
    user:upload { name = "a.txt", text = "a" }
    user:expect("error", { code = "UploadNetworkFail", status = 507 })
end)

scenario("poll_status: the server refuses long polls", function(t)
    local user = start(t, { refuse_socket = 503, poll_status = 403 }, { enable_long_polling = true })
    user:expect("disconnected", { reason = "NetworkFailure" }, { within = "15s" })
    user:expect("error", { code = "NetworkFailure" })
end)

scenario("drop_requests: requests get no answer", function(t)
    local user = start(t, { drop_requests = true })
    user:expect "connected"
    user:upload { name = "a.txt", text = "a" }
    user:expect("error", { code = "UploadNetworkFail" })
end)

scenario("no_session_closed: a client that asks for the end stays connected", function(t)
    local user = start(t, { no_session_closed = true })
    user:expect "connected"
    user:end_chat()
    user:expect_silence("2s", "ended")
    expect(user.status, "open")
end)

scenario("a session that has expired begins anew without a word", {
    faults = { delay = "the session expires while the message is under way" },
}, function(t)
    local sessions = {}
    local user = start(t, {}, nil, {
        session_expiration = "20s",
        skill = function(_, session)
            sessions[#sessions + 1] = session.session
            return "ok"
        end,
    })
    user:expect "connected"
    user:say "Hello"
    user:expect "message"
    wait "21s"
    user:say "Hello again"
    user:expect "message"
    expect(sessions, { 1, 2 })
end)

scenario("say_expired: the client learns that its session has expired", {
    faults = { delay = "the session expires while the message is under way" },
}, function(t)
    local user = start(t, { say_expired = true }, nil, { echo = true, session_expiration = "20s" })
    user:expect "connected"
    user:say "Hello"
    user:expect "message"
    wait "21s"
    user:say "Hello again"
    user:expect("ended", { reason = "server" })
end)

scenario("strict: the server says what is wrong with a frame and with its own skill", function(t)
    local user, desk = start(t, { strict = true }, nil, { skill = function() return { text = "  " } end })
    user:expect "connected"
    user:send { profile = { givenName = "Ada" } }
    user:say "Hello"
    user:expect("error", { code = "SkillError", message = match.contains "text must not be blank" })
    desk:say { type = "card", layout = "vertical", cards = { { description = "no title" } } }
    user:expect("error", { message = match.contains "a card needs a title" })
    user:send { type = "card", layout = "vertical", cards = { { title = "no user says that" } } }
    user:expect("error", { message = match.contains "one of the server, not of a user" })
end)

scenario("rate_limit: too many messages in a second are answered with an error", {
    faults = { delay = "messages that are late are not too many in a second" },
}, function(t)
    local user = start(t, { rate_limit = 2 })
    user:expect "connected"
    for number = 1, 3 do user:say("message " .. number) end
    user:expect("message", { text = "message 1" })
    user:expect("message", { text = "message 2" })
    user:expect("error", { code = "SkillError", message = match.contains "wait a second" })
    wait "1s"
    user:say "message 4"
    user:expect("message", { text = "message 4" })
end)

scenario("late_refusal: an unknown channel is taken and closed", function(t)
    local user = start(t, { late_refusal = true }, { channel_id = "nobody-knows-it" })
    user:expect "connected"
    user:expect("reconnecting", { reason = match.contains "UnknownChannel" })
    user:disconnect()
end)

scenario("an unknown channel is refused at the handshake, and so is a disabled one", function(t)
    local user, desk = start(t, {}, { channel_id = "nobody-knows-it", reconnect_max_attempts = 0 })
    user:expect("disconnected", { reason = "NetworkFailure" })
    user:expect("error", { message = match.contains "404" })
    desk:enable(false)
    local other = t:actor(oracle, { reconnect_max_attempts = 0, name = "other" })
    other:connect()
    other:expect("disconnected", { reason = "NetworkFailure" })
    other:expect("error", { message = match.contains "403" })
end)

for _, code in ipairs { 1001, 1012, 4000 } do
    scenario(("a close with code %d is a drop"):format(code), { tags = { "slow" } }, function(t)
        local user, desk = start(t, {})
        user:expect "connected"
        desk:close(code, "bye")
        user:expect("reconnecting", { reason = match.contains(tostring(code)) })
        user:expect("reconnected", nil, { within = "6s" })
    end)
end

scenario("frames that mean nothing are ignored", { allow = { "frame" } }, function(t)
    local user, desk = start(t, {})
    user:expect "connected"
    for _, frame in ipairs { { hello = 1 }, { 1, 2 }, "text", { state = { type = "nonsense" } } } do
        desk:send_frame(frame)
        user:expect "frame"
    end
    user:say "Still well"
    user:expect("message", { text = "Still well" })
end)
