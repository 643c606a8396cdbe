-- Tokens of a channel with authentication: where they come from, and what becomes of bad ones.
local oracle = require "oracle"

scenario("a channel with authentication takes the token of the application", {
    tags = { "smoke", "token" },
}, function(t)
    local desk = t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, {
        user_id = "ada", token_provider = function() return desk:make_token { userId = "ada" } end,
    })
    user:connect()
    user:expect("connected", { user_id = "ada" })
    user:say "It is me"
    user:expect("message", { text = "It is me" })
    local first = desk:received()[1].state
    expect(first, { type = "auth", tokenType = "jwt", token = match.glob "*.*.*" })
end)

scenario("a token may go in the header of the handshake", { tags = { "token" } }, function(t)
    local desk = t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, { user_id = "ada", token_fixture = {}, auth_transport = "header" })
    user:connect()
    user:expect "connected"
    user:say "It is me"
    user:expect("message", { text = "It is me" })
    expect(desk:received()[1].messagePayload.text, "It is me", "no frame with the token came before")
end)

scenario("user and channel come from the token, whatever the configuration says", { tags = { "token" } }, function(t)
    local desk = t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, { user_id = "bob", token_fixture = { user_id = "ada" } })
    user:connect()
    user:expect("connected", { user_id = "ada" })
    user:say "It is me"
    user:expect("message", { text = "It is me" })
    expect(#desk:received() > 0)
    expect(desk.users, { "ada" })
end)

scenario("the application is asked again once its token has less than 20 seconds to live", {
    tags = { "token" }, clock = "virtual", timeout = "1h",
}, function(t)
    local asked = 0
    local desk = t:server(oracle, { authentication = true })
    local user = t:actor(oracle, {
        token_provider = function()
            asked = asked + 1
            return desk:make_token { userId = "ada" }
        end,
    })
    user:connect()
    user:expect "connected"
    user:disconnect()
    user:expect "disconnected"
    user:connect()
    user:expect "connected"
    expect(asked, 1)
    user:disconnect()
    user:expect "disconnected"
    wait "29m"
    wait "41s"
    user:connect()
    user:expect "connected"
    expect(asked, 2)
end)

-- What the client refuses before it opens any connection.
for _, row in ipairs {
    { { iat = json.null }, "AuthNoiat" }, { { exp = json.null }, "AuthNoexp" },
    { { channelId = json.null }, "AuthNochannelId" }, { { userId = json.null }, "AuthNouserId" },
    { { iat = "now" }, "AuthInvalidiat" }, { { exp = "later" }, "AuthInvalidexp" },
    { { channelId = 7 }, "AuthInvalidchannelId" }, { { userId = "" }, "AuthInvaliduserId" },
    { { iat = -1 }, "AuthNegativeiat" }, { { exp = 0 }, "AuthNegativeexp" },
    { { iat = 20, exp = 10 }, "AuthExpLessThanIat" }, { { iat = 10, exp = 20 }, "AuthExpiredToken" },
} do
    local name, value = next(row[1])
    scenario(("a token whose %s is %s is refused with %s"):format(name, json.encode(value), row[2]), { tags = { "token" } }, function(t)
        local desk = t:server(oracle, { authentication = true })
        local claims = { userId = "ada" }
        for key, claim in pairs(row[1]) do claims[key] = claim end
        local user = t:actor(oracle, { token_fixture = { user_id = "ada", claims = claims } })
        user:connect()
        user:expect("disconnected", { reason = row[2] })
        user:expect("error", { code = row[2] })
        expect(desk.connections, 0)
    end)
end

scenario("an application without a token does not connect", { tags = { "token" } }, function(t)
    t:server(oracle, { authentication = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect("disconnected", { reason = "AuthNoToken" })
    user:expect("error", { code = "AuthNoToken" })
end)

-- What the server refuses, though the client sees nothing wrong.
for name, fixture in pairs {
    ["a token that is signed with another key"] = { secret = "another" },
    ["a token for another channel"] = { claims = { channelId = "elsewhere" } },
    ["a token that lives longer than the channel allows"] = { lifetime = "2h" },
} do
    scenario(name .. " ends the tries", { tags = { "token" } }, function(t)
        t:server(oracle, { authentication = true })
        fixture.user_id = "ada"
        local user = t:actor(oracle, { token_fixture = fixture, reconnect_max_attempts = 0 })
        user:connect()
        local gone = user:expect "disconnected"
        expect(gone.reason, match.one_of { "AuthExpiredToken", "NetworkFailure" })
        user:expect("error", { code = gone.reason })
    end)
end

scenario("a server that refuses the token ends the tries", { tags = { "token" } }, function(t)
    t:server(oracle, { authentication = true })
    local user = t:actor(oracle, { token_fixture = { secret = "another", user_id = "ada" } })
    user:connect()
    user:expect "connected"
    user:expect("disconnected", { reason = "AuthExpiredToken", message = match.contains "1008" })
    user:expect("error", { code = "AuthExpiredToken" })
    user:expect_silence("6s", "link_changed")
end)

scenario("a first message hides the refusal, so the client tries five times in vain", {
    tags = { "token" }, faults = { delay = "it counts the seconds of five tries" },
}, function(t)
    t:server(oracle, { authentication = true })
    local user = t:actor(oracle, {
        token_fixture = { secret = "another", user_id = "ada" }, init_user_hidden_message = "hi",
    })
    user:connect()
    user:expect "connected"
    for _ = 1, 5 do
        user:expect("reconnecting", { reason = match.contains "1008" })
        user:expect("reconnected", nil, { within = "6s" })
    end
    user:expect("disconnected", { reason = "NetworkFailure" })
    user:expect("error", { code = "NetworkFailure" })
    expect(now(), match.between(24.9, 29))
end)

-- A token for so many seconds.
local function token_for(desk, seconds)
    local issued = math.floor(date.epoch(date.now()))
    return desk:make_token { userId = "ada", iat = issued, exp = issued + seconds }
end

group("a token that has run out is replaced", function()
    local options = {
        tags = { "token" }, faults = { delay = "the next token runs out, too, while an answer is that late" },
    }

    -- A user whose tokens live for 25 seconds, after half a minute; returns how often the application was asked.
    local function later(t, more, settings)
        local asked = 0
        settings = settings or {}
        settings.authentication, settings.echo = true, true
        local desk = t:server(oracle, settings)
        more = more or {}
        more.token_provider = function()
            asked = asked + 1
            return token_for(desk, 25)
        end
        local user = t:actor(oracle, more)
        user:connect()
        user:expect("connected", {}, { within = "30s" })
        wait "31s"
        return user, desk, function() return asked end
    end

    scenario("for an upload", options, function(t)
        local user, _, asked = later(t)
        local before = asked()
        user:upload { name = "note.txt", text = "Hello" }
        user:expect "attachment_uploaded"
        user:expect "message"
        expect(asked(), before + 1)
    end)

    scenario("for a recording", options, function(t)
        local user, desk, asked = later(t, { enable_speech_recognition = true })
        local before = asked()
        desk:hear "hello"
        user:start_recording { duration = "300ms" }
        user:expect("speech_final", { text = "hello" })
        expect(asked(), before + 1)
        t:allow { "message", "speech_partial", "speech_level" }
    end)

    scenario("for what is read aloud", options, function(t)
        local user, _, asked = later(t, { enable_speech_synthesis = true })
        local before = asked()
        user:speak "Hello"
        user:expect("speech_spoken", { service = "server" })
        expect(asked(), before + 1)
    end)

    scenario("for polls and messages, without a word", options, function(t)
        local user, _, asked = later(t, { enable_long_polling = true }, { faults = { refuse_socket = 503 } })
        expect(asked() > 2)
        user:say "Still me"
        user:expect("message", { text = "Still me" })
    end)
end)

scenario("a token that the server refuses is asked for once more, and then polling ends", {
    tags = { "token", "polling" }, timeout = "5m",
}, function(t)
    local asked, life = 0, 30
    local desk = t:server(oracle, {
        authentication = true, max_token_expiration = "5m", faults = { refuse_socket = 503 },
    })
    local user = t:actor(oracle, {
        enable_long_polling = true,
        token_provider = function()
            asked = asked + 1
            return token_for(desk, life)
        end,
    })
    user:connect()
    user:expect("connected", { polling = true }, { within = "20s" })
    -- From now on the tokens live longer than the channel allows.
    life = 3600
    local before = asked
    user:expect("error", { code = "AuthExpiredToken" }, { within = "3m" })
    expect(user.status, "closed")
    expect(asked - before, 2)
    wait "30s"
    expect(asked - before, 2)
    t:allow { "poll_lost", "disconnected" }
end)

scenario("an upload that waits for a token stays here if the user disconnects meanwhile", {
    tags = { "files", "token" },
}, function(t)
    local desk = t:server(oracle, { authentication = true })
    local asked = 0
    local user = t:actor(oracle, {
        token_provider = function()
            asked = asked + 1
            if asked > 1 then wait "2s" end
            return token_for(desk, 30)
        end,
    })
    user:connect()
    user:expect "connected"
    wait "15s"
    user:upload { name = "a.png", text = "a" }
    user:disconnect()
    user:expect("error", { code = "UploadNetworkFail" })
    wait "5s"
    expect({ asked, desk:files() }, { 2, {} })
end)

scenario("a token that has run out already is refused", { tags = { "token" } }, function(t)
    local desk = t:server(oracle, { authentication = true })
    local user = t:actor(oracle, { token_provider = function() return token_for(desk, -1) end })
    user:connect()
    user:expect("disconnected", { reason = match.any })
    user:expect("error", { code = match.one_of { "AuthExpLessThanIat", "AuthExpiredToken" } })
    local issued = math.floor(date.epoch(date.now()))
    local other = t:actor(oracle, {
        name = "other", token_fixture = { user_id = "bob", claims = { iat = issued - 100, exp = issued - 10 } },
    })
    other:connect()
    other:expect("error", { code = "AuthExpiredToken" })
    expect(other:events "connected", match.count(0), "the client itself sees that it is over")
    expect(desk.connections, 0)
    t:allow "disconnected"
end)

scenario("connecting with another token makes another user of the client", { tags = { "token" } }, function(t)
    local desk = t:server(oracle, { authentication = true, echo = true })
    local user = t:actor(oracle, { token_provider = function() return desk:make_token { userId = "ada" } end })
    user:connect()
    user:expect("connected", { user_id = "ada" })
    user:connect { token_provider = function() return desk:make_token { userId = "bob" } end }
    user:expect("connected", { user_id = "bob" })
    user:say "I am Bob"
    user:expect("message", { text = "I am Bob" })
    expect(desk.users, match.has "bob")
end)
