-- Speaking and listening: sound goes to the recognition piece by piece, and messages are read aloud.
local oracle = require "oracle"
local connected = require("beginnings").connected

-- A user who may speak; what the recordings say stands in `speech`.
local function speaker(t, speech, options)
    options = options or {}
    options.enable_speech_recognition = true
    return connected(t, options, { echo = true, speech = speech })
end

scenario("speech is understood word by word and sent", { tags = { "speech", "smoke" } }, function(t)
    local user, desk = speaker(t, { "order a pizza" })
    user:start_recording { duration = "500ms" }
    expect(user:is_recording())
    user:expect("recording_started", { locale = "en-us", prompt = match.any })
    user:expect("speech_partial", { text = "order" })
    user:expect("speech_partial", { text = "order a" })
    user:expect("speech_final", { text = "order a pizza", sent = true })
    user:expect("recording_stopped", { reason = "recognized" })
    user:expect("message", { text = "order a pizza" })
    expect(desk:received(), match.has {
        messagePayload = { text = "order a pizza" }, sdkMetadata = { speechId = match.glob "speech-*" },
    })
end)

scenario("a recorded file is spoken as loud as it is", { tags = { "speech" } }, function(t)
    local user = speaker(t, { "order" })
    user:start_recording { file = "order.wav" }
    for _, verdict in ipairs { "too_soft", "too_soft", "good", "good", "too_loud", "too_loud" } do
        user:expect("speech_level", { verdict = verdict, level = match.between(0, 1) })
    end
    user:expect("speech_final", { text = "order" })
    user:expect("message", { text = "order" })
end)

for _, row in ipairs { { 0.01, "too_soft" }, { 0.5, "good" }, { 1, "too_loud" } } do
    scenario(("the visualizer shows a voice of amplitude %g as %s"):format(row[1], row[2]), {
        tags = { "speech" },
    }, function(t)
        local user = speaker(t, { "hm" })
        user:start_recording { duration = "200ms", amplitude = row[1] }
        user:expect("speech_level", { verdict = row[2] })
        user:expect("speech_final", { text = "hm" })
        user:expect("message", { text = "hm" })
    end)
end

scenario("what was understood can wait in the input field", { tags = { "speech" } }, function(t)
    local user = speaker(t, { "order a pizza" }, { enable_auto_send_speech_response = false })
    user:start_recording { duration = "300ms" }
    user:expect("speech_final", { text = "order a pizza", sent = false })
    expect(user:screen().input, "order a pizza")
    user:expect_silence("200ms", "message_sent")
    user:say(user:screen().input)
    user:expect("message", { text = "order a pizza" })
end)

scenario("a recording can be stopped before its end", { tags = { "speech" } }, function(t)
    local user = speaker(t, { "order" })
    user:start_recording { duration = "60s" }
    user:expect "recording_started"
    user:stop_recording()
    user:expect("speech_final", { text = "order" })
    user:expect("message", { text = "order" })
    expect(user:is_recording(), false)
end)

for _, locale in ipairs { "en-us", "en-au", "en-uk", "fr-fr", "de-de", "it-it", "pt-br", "es-es" } do
    scenario("the recognition understands " .. locale, { tags = { "speech", "locales" } }, function(t)
        local user = speaker(t, { "1 2 3" }, { speech_locale = locale })
        user:start_recording { duration = "100ms" }
        user:expect("recording_started", { locale = locale })
        user:expect("speech_final", { text = "1 2 3" })
        user:expect("message", { text = "1 2 3" })
    end)
end

scenario("a locale that the recognition does not know is an error, and another one can be set", {
    tags = { "speech", "locales" },
}, function(t)
    local user = speaker(t, { "servus" }, { speech_locale = "de-at" })
    user:start_recording {}
    user:expect("error", {
        code = "RecognitionNotAvailable", message = user:string "odais_speech_unsupported_locale",
    })
    user:set_speech_locale "de-de"
    user:start_recording { duration = "100ms" }
    user:expect("speech_final", { text = "servus" })
    user:expect("message", { text = "servus" })
end)

for _, row in ipairs {
    { speech = "", code = "RecognitionNoSpeechTimeout", text = "odais_no_speech_error" },
    { speech = { error = "RecognitionTooMuchSpeechTimeout" }, code = "RecognitionTooMuchSpeechTimeout",
        text = "odais_too_much_speech_error" },
    { speech = { error = "RecognitionProcessingFailure" }, code = "RecognitionProcessingFailure",
        text = "odais_speech_error" },
} do
    scenario("speaking may fail with " .. row.code, { tags = { "speech", "errors" } }, function(t)
        local user = speaker(t, { row.speech })
        user:start_recording { duration = "100ms" }
        user:expect("recording_stopped", { reason = "failed" })
        user:expect("error", { code = row.code, message = user:string(row.text) })
    end)
end

scenario("who may not use the microphone learns it", { tags = { "speech", "errors" } }, function(t)
    local user = speaker(t)
    user:start_recording { permission = false }
    user:expect("error", { message = user:string "odais_speech_permission_denied" })
end)

scenario("one recording goes on at a time", { tags = { "speech", "errors" } }, function(t)
    local user = speaker(t, { "order" })
    user:start_recording { duration = "1s" }
    user:start_recording {}
    user:expect("error", { code = "RecognitionMultipleConnection" })
    user:expect("speech_final", { text = "order" })
    user:expect("message", { text = "order" })
end)

scenario("nobody speaks while disconnected", { tags = { "speech", "errors" } }, function(t)
    local user = speaker(t)
    user:disconnect()
    user:expect "disconnected"
    user:start_recording {}
    user:expect("error", { code = "RecognitionNotReady" })
end)

scenario("the recognition asks for the token of the channel", { tags = { "speech", "token" } }, function(t)
    t:server(oracle, { echo = true, authentication = true, speech = { "it is me" } })
    local user = t:actor(oracle, { enable_speech_recognition = true, token_fixture = { user_id = "ada" } })
    user:connect()
    user:expect "connected"
    user:start_recording { duration = "100ms" }
    user:expect("speech_final", { text = "it is me" })
    user:expect("message", { text = "it is me" })
end)

-- A user to whom messages are read.
local function listener(t, options)
    options = options or {}
    options.enable_speech_synthesis = true
    if options.init_speech_synthesis_muted == nil then options.init_speech_synthesis_muted = false end
    return connected(t, options, { echo = true })
end

scenario("messages are read by the preferred voice once they are not muted", { tags = { "synthesis" } }, function(t)
    local user = listener(t, {
        init_speech_synthesis_muted = true,
        speech_synthesis_voice_preferences = { { lang = "en-us", name = "Ben" }, { lang = "fr-fr" } },
    })
    user:say "Quietly"
    user:expect("message", { text = "Quietly" })
    user:expect_silence("200ms", "speech_spoken")
    user:mute(false)
    user:say "Aloud"
    user:expect("message", { text = "Aloud" })
    user:expect("speech_spoken", { text = "Aloud", service = "server", voice = "Ben", language = "en-us" })
end)

for _, row in ipairs {
    { lang = "en-us", name = "Ben", voice = "Ben", because = "both fit" },
    { lang = "fr-fr", name = "Nobody", voice = "Claire", because = "the language fits" },
    { lang = "xx", name = "Nobody", voice = "Anna", because = "nothing fits" },
} do
    scenario(("%s of %s is read by %s, for %s"):format(row.name, row.lang, row.voice, row.because), {
        tags = { "synthesis" },
    }, function(t)
        local user = listener(t, { speech_synthesis_voice_preferences = { { lang = row.lang, name = row.name } } })
        user:speak "What kind of crust?"
        user:expect("speech_spoken", { voice = row.voice })
    end)
end

scenario("a message may have other words for the ear", { tags = { "synthesis" } }, function(t)
    local user, desk = listener(t)
    desk:say { text = "8 €", voice = { text = "eight euros" } }
    user:expect("message", { text = "8 €" })
    user:expect("speech_spoken", { text = "eight euros" })
end)

scenario("without its flag nobody is heard", { tags = { "speech", "errors" } }, function(t)
    t:server(oracle, { speech = { "stop" } })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:start_recording { duration = "200ms" }
    user:expect("error", { code = match.glob "Recognition*" })
    expect(user:is_recording(), false)
end)

scenario("without its flag nothing is read", { tags = { "synthesis" } }, function(t)
    t:server(oracle)
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    user:speak "Hello?"
    user:expect("error", { code = "TtsNotAvailable" })
end)

scenario("a service written in Lua reads in place of the client, and stops when the user speaks", {
    tags = { "synthesis", "service" },
}, function(t)
    local spoken, stopped = {}, 0
    local desk = t:server(oracle, { echo = true, speech = { "stop" } })
    local user = t:actor(oracle, {
        enable_speech_recognition = true, enable_speech_synthesis = true, init_speech_synthesis_muted = false,
        tts_service = {
            speak = function(text) spoken[#spoken + 1] = text end,
            stop_speech = function() stopped = stopped + 1 end,
            is_speaking = function() return #spoken > stopped end,
        },
    })
    user:connect()
    user:expect "connected"
    desk:say "Once upon a time"
    user:expect("message", { text = "Once upon a time" })
    user:expect("speech_spoken", { service = "script" })
    expect(spoken, { "Once upon a time" })
    user:start_recording { duration = "200ms" }
    user:expect "speech_stopped"
    expect(stopped, 1)
    user:expect("speech_final", { text = "stop" })
    user:expect("message", { text = "stop" })
    user:expect("speech_spoken", { text = "stop" })
    user:stop_speech()
    user:expect "speech_stopped"
    expect(stopped, 2)
end)

scenario("a service that takes its time is known to be speaking until it returns", {
    tags = { "synthesis", "service" },
}, function(t)
    t:server(oracle)
    local user = t:actor(oracle, {
        enable_speech_synthesis = true, tts_service = { speak = function() wait "2s" end },
    })
    user:connect()
    user:expect "connected"
    expect(user:is_speaking(), false)
    user:speak "Once upon a time"
    expect(user:is_speaking(), true)
    user:expect("speech_spoken", { service = "script" })
    expect(user:is_speaking(), false)
end)

scenario("what waited for voices that nobody named is not read later", { tags = { "speech" } }, function(t)
    local desk = t:server(oracle)
    local user = t:actor(oracle, { enable_speech_synthesis = true })
    user:connect()
    user:expect "connected"
    desk:fault "drop_requests"
    user:speak "first"
    user:speak "second"
    user:expect("error", { code = "TtsNotAvailable" })
    user:expect_silence("1s", "error")
    desk:fault("drop_requests", false)
    user:speak "third"
    user:expect("speech_spoken", { text = "third" })
    expect(user:events "speech_spoken", match.count(1))
end)
