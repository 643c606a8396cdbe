-- A chat in several languages: the menu, detection, and the conversation that begins anew with each choice.
local connected = require("beginnings").connected

local menu = {
    supported_languages = { { lang = "en" }, { lang = "fr" }, { lang = "sv", label = "Svenska" }, { lang = "tlh" } },
    primary_language = "en",
}

local greetings = { en = "Good morning", fr = "Bonjour", sv = "God morgon" }

-- A skill that speaks the language of the profile.
local function polyglot(_, session)
    return greetings[session.language] or "I heard " .. tostring(session.language)
end

local function speaker(t, languages, options)
    options = options or {}
    options.multi_lang_chat = languages
    return connected(t, options, { skill = polyglot })
end

scenario("the menu offers detection, native words, the skill author's words, and a bare tag where there are none", {
    tags = { "languages" },
}, function(t)
    local user = speaker(t, menu)
    expect(user:language_menu(), {
        { language = "und", label = "Detect Language", selected = false },
        { language = "en", label = "English", selected = true },
        { language = "fr", label = "French", selected = false },
        { language = "sv", label = "Svenska", selected = false },
        { language = "tlh", label = "tlh", selected = false },
    })
end)

scenario("the skill learns the primary language before the first message", { tags = { "languages" } }, function(t)
    local user, desk = speaker(t, menu, {
        init_user_profile = { profile = { givenName = "Ada" } }, init_user_hidden_message = "hi",
    })
    user:expect("message", { text = "Good morning" })
    local frames = desk:received()
    expect(frames[1].profile, { givenName = "Ada" })
    expect(frames[2].profile, { languageTag = "en" })
    expect(frames[3].messagePayload.text, "hi")
end)

scenario("a chosen language begins the conversation anew", { tags = { "languages", "smoke" } }, function(t)
    local user, desk = speaker(t, menu)
    user:say "Hello"
    user:expect("message", { text = "Good morning" })
    user:set_language "fr"
    user:expect("language_changed", { language = "fr", label = "French" })
    expect(#user:screen().messages, 0, "the messages are gone")
    user:say "Salut"
    user:expect("message", { text = "Bonjour" })
    expect(desk:profile().languageTag, "fr")
end)

for _, row in ipairs { { tag = "und" }, { tag = nil }, { tag = "ja" } } do
    scenario(("%s stands for detection"):format(row.tag or "no language"), { tags = { "languages" } }, function(t)
        local user, desk = speaker(t, menu)
        user:set_language(row.tag)
        user:expect("language_changed", { label = "Detect Language" })
        expect(user.language, nil)
        user:say "Hej"
        user:expect("message", { text = "I heard nil" })
        expect(desk:received()[2].profile, { languageTag = json.null, locale = json.null })
    end)
end

scenario("a primary language alone needs no menu and can be changed to any tag", {
    tags = { "languages" },
}, function(t)
    local user = speaker(t, { primary_language = "sv" })
    expect(#user:language_menu(), 0)
    user:say "Hej"
    user:expect("message", { text = "God morgon" })
    user:set_language "ja"
    user:expect("language_changed", { language = "ja" })
end)

scenario("one language makes no menu", { tags = { "languages" } }, function(t)
    local user = speaker(t, { supported_languages = { { lang = "en" } }, primary_language = "en" })
    expect(#user:language_menu(), 0)
    expect(user.language, "en")
end)

scenario("a primary language that is not in the menu means detection", { tags = { "languages" } }, function(t)
    local user = speaker(t, { supported_languages = { { lang = "en" }, { lang = "fr" } }, primary_language = "de" })
    expect(user:language_menu()[1], { language = "und", selected = true })
end)

scenario("the language outlives the session", { tags = { "languages" } }, function(t)
    local user, desk = speaker(t, menu)
    user:set_language "fr"
    user:expect "language_changed"
    user:end_chat()
    user:expect("ended", { reason = "user" })
    user:connect()
    user:expect "connected"
    user:say "Salut"
    user:expect("message", { text = "Bonjour" })
    expect(desk:profile().languageTag, "fr")
end)

scenario("a language can be chosen only while connected", { tags = { "languages" } }, function(t)
    local user = speaker(t, menu)
    user:disconnect()
    user:expect("disconnected", { reason = "ConnectionExplicitClose" })
    user:set_language "fr"
    user:expect("error", { code = "ConnectionNone" })
end)

scenario("what was under way in the former language is not said any more", {
    tags = { "languages" }, faults = { delay = "what the network holds back was said before the change" },
}, function(t)
    local user, desk = speaker(t, menu)
    user:say "Hello"
    user:expect("message", { text = "Good morning" })
    desk:say { { text = "one" }, { text = "two", delay = "2s" } }
    user:expect("message", { text = "one" })
    user:set_language "fr"
    user:expect("language_changed", { language = "fr" })
    user:expect_silence("5s", "message")
    user:say "Bonjour"
    user:expect("message", { text = "Bonjour" })
end)

for _, row in ipairs { { true, 1 }, { false, 2 } } do
    local resets, turn = row[1], row[2]
    scenario("after a change of language the skill is at turn " .. turn, { tags = { "languages" } }, function(t)
        local user = connected(t, { multi_lang_chat = menu }, {
            skill = function(_, session) return "turn " .. session.turn end, language_change_resets = resets,
        })
        user:say "Hello"
        user:expect("message", { text = "turn 1" })
        user:set_language "fr"
        user:expect "language_changed"
        user:say "Salut"
        user:expect("message", { text = "turn " .. turn })
    end)
end

scenario("without a primary language the profile's counts", { tags = { "languages" } }, function(t)
    local user = speaker(t, { supported_languages = menu.supported_languages }, {
        init_user_profile = { profile = { languageTag = "fr" } },
    })
    user:say "Salut"
    user:expect("message", { text = "Bonjour" })
    expect(user.language, "fr")
end)
