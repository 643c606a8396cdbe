-- What is easily taken for granted: who else hears, what is late, and what begins anew.
local oracle = require "oracle"
local connected = require("beginnings").connected

scenario("a device that leaves takes no other one along", { tags = { "devices" } }, function(t)
    local phone, desk = connected(t, { user_id = "ada", name = "phone" })
    local tablet = t:actor(oracle, { user_id = "ada", name = "tablet" })
    tablet:connect()
    tablet:expect "connected"
    phone:disconnect()
    phone:expect "disconnected"
    desk:say "Are you there?"
    tablet:expect("message", { text = "Are you there?" })
    expect(phone:events "message", {}, "who has left hears no more")
end)

scenario("a second recording begins at its beginning", { tags = { "speech" } }, function(t)
    local user = connected(t, { enable_speech_recognition = true }, { echo = true, speech = { "one", "two" } })
    for number, word in ipairs { "one", "two" } do
        user:start_recording { duration = "300ms" }
        for _ = 1, 3 do user:expect("speech_level", { verdict = "good" }) end
        user:expect("speech_final", { text = word })
        user:expect("message", { text = word })
        expect(#user:events "speech_level", 3 * number)
    end
end)

scenario("a voice is at most as loud as can be, and one of no length says nothing", { tags = { "speech" } }, function(t)
    local user = connected(t, { enable_speech_recognition = true }, { speech = { "loud", "" } })
    user:start_recording { duration = "100ms", amplitude = 2 }
    local level = user:expect("speech_level", { verdict = "too_loud" }).level
    user:expect("speech_final", { text = "loud" })
    expect(level, match.between(0.5, 1))
    user:start_recording { duration = 0 }
    user:expect("recording_stopped", { reason = "failed" })
    user:expect("error", { code = "RecognitionNoSpeechTimeout" })
    expect(#user:events "speech_level", 1, "nothing was said")
    t:allow { "message_sent", "message" }
end)

scenario("what is heard meanwhile belongs to what is understood in the end", { tags = { "speech" } }, function(t)
    local user = connected(t, { enable_speech_recognition = true }, { echo = true, speech = { "order a pizza" } })
    user:start_recording { duration = "500ms" }
    local partial = user:expect("speech_partial", { text = "order" })
    local final = user:expect("speech_final", { text = "order a pizza" })
    expect(partial.raw.requestId, final.request_id)
    user:expect("message", { text = "order a pizza" })
end)

scenario("a user who is not let go is not sent away either when the connection breaks", {
    tags = { "endings", "delegates" },
}, function(t)
    local user, desk = connected(t, { before_end_conversation = function() return false end })
    user:end_chat()
    user:expect "before_end"
    desk:drop()
    user:expect "reconnecting"
    user:expect "reconnected"
    expect(user:events "ended", {})
    user:say "Still here"
    user:expect("message_sent", { text = "Still here" })
end)

scenario("a client whose life ends while the application looks for a token does not connect with it", {
    tags = { "token", "endings" },
}, function(t)
    local desk = t:server(oracle, { authentication = true })
    local asked = 0
    local user = t:actor(oracle, {
        token_provider = function()
            asked = asked + 1
            wait "2s"
            return desk:make_token { userId = "ada" }
        end,
    })
    user:connect()
    wait "500ms"
    user:destroy()
    user:expect "destroyed"
    wait "3s"
    expect({ asked, desk.connections, user.status }, { 1, 0, "closed" })
end)
