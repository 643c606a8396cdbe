-- Who the visitor is: language, identity, blocking.
local boldchat = require "boldchat"

scenario("a change of language brings new texts", { tags = { "language" } }, function(t)
    t:server(boldchat)
    local visitor = t:actor(boldchat, { language = "en-US" })
    visitor:create_chat()
    visitor:expect "pre_chat"
    local function introduction() return visitor.screen.form.sections[1].header.label end
    expect(introduction(), "Please tell us a little before we start.")
    visitor:change_language "de-DE"
    visitor:expect("language_changed", { language = "de-DE" })
    expect(introduction(), "Bitte sagen Sie uns kurz, worum es geht.")
    visitor:end_session()
end)

scenario("an unknown language falls back to English", { tags = { "language" } }, function(t)
    t:server(boldchat)
    local visitor = t:actor(boldchat, { language = "tlh-QO" })
    visitor:create_chat()
    visitor:expect "pre_chat"
    expect(visitor.language, "en-US")
    visitor:end_session()
end)

scenario("a blocked visitor is turned away", { tags = { "blocking", "unavailable" } }, function(t)
    local desk = t:server(boldchat)
    desk:block_visitor "troll-7"
    local visitor = t:actor(boldchat, { visitor_id = "troll-7" })
    visitor:check_availability()
    visitor:expect("unavailable", { reason = "visitor_blocked" })
    visitor:create_chat()
    visitor:expect("unavailable", { reason = "visitor_blocked" })
    visitor:end_session()
end)

scenario("a visitor without an id gets one", { tags = { "visitors" } }, function(t)
    t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    visitor:expect "pre_chat"
    expect(visitor.visitor_id, match.pattern "%w+")
    visitor:end_session()
end)
