-- Agents who come, type, hand a chat on and come back, and what the visitor sees of it.
local boldchat = require "boldchat"
local in_chat = require("beginnings").in_chat

for _, profile in ipairs { "ios", "html" } do
    scenario("a chat goes to another agent and back, and the " .. profile .. " visitor sees who is there", {
        tags = { "transfer" },
    }, function(t)
        local visitor, sam, desk = in_chat(t, { profile = profile })
        local max = desk:agent "Max"
        sam:say "Good morning!"
        visitor:expect("message", { text = "Good morning!", name = "Sam" })
        sam:typing(true)
        visitor:expect("typing", { active = true, person = { name = "Sam" } })
        expect(visitor.screen.chat.typingLabel, "Sam is typing")
        sam:transfer "Max"
        visitor:expect("agent_left", { person = { name = "Sam" } })
        visitor:expect("agent_joined", { person = { name = "Max" } })
        -- Who has left does not type any more.
        expect(visitor.screen.chat.typingLabel, match.absent)
        max:expect("chat_waiting", { from_agent = "Sam" })
        expect(desk:chats(), match.has { agent = "Max", state = "answered" })
        expect(pcall(function() sam:say("Still me", visitor) end), false)
        max:typing(true)
        visitor:expect("typing", { active = true, person = { name = "Max" } })
        max:say "I am new here."
        visitor:expect("message", { text = "I am new here.", name = "Max" })
        visitor:expect("typing", { active = false, person = { name = "Max" } })
        max:transfer "Sam"
        visitor:expect(seq { event("agent_left", { person = { name = "Max" } }), event("agent_joined", { person = { name = "Sam" } }) })
        sam:expect("chat_waiting", { from_agent = "Max" })
        sam:say "Here I am again."
        visitor:expect("message", { text = "Here I am again.", name = "Sam" })
        -- Nothing is left of what was typed before the chat was handed on.
        visitor:expect_silence("300ms", "typing")
        visitor:end_session()
        sam:expect "chat_ended"
        expect(max:events "chat_ended", {})
    end)
end

scenario("an agent who helped takes the chat over and alone is told of its end", { tags = { "transfer" } }, function(t)
    local visitor, sam, desk = in_chat(t)
    local kim = desk:agent "Kim"
    kim:join(visitor)
    visitor:expect("agent_joined", { person = { name = "Kim" } })
    expect(pcall(function() kim:join(visitor) end), false)
    sam:transfer "Kim"
    visitor:expect("agent_left", { person = { name = "Sam" } })
    kim:expect("chat_waiting", { from_agent = "Sam" })
    kim:say "It is mine now."
    visitor:expect("message", { text = "It is mine now.", name = "Kim" })
    expect(visitor:events("agent_joined"), match.count(2)) -- Kim came once, and not again with the chat
    kim:finish()
    visitor:expect "post_chat"
    kim:expect("chat_ended", { reason = "operator" })
    expect({ kim:events "chat_ended", sam:events "chat_ended" }, { match.count(1), {} })
    visitor:end_session()
end)

scenario("the time that an agent has for the first answer begins anew when the visitor comes back", {
    tags = { "answer_timeout" }, timeout = "2m",
}, function(t)
    local desk = t:server(boldchat, { answer_timeout = "10s" })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:suspend()
    wait "12s" -- the time for an answer does not pass in the background
    expect(visitor:events "unavailable", {})
    visitor:resume()
    wait "8s"
    expect(visitor:events "unavailable", {})
    visitor:expect("unavailable", {}, { within = "4s" })
    visitor:end_session()
end)

scenario("an answer in time ends the wait for one, also across a pause", { tags = { "answer_timeout" }, timeout = "2m" }, function(t)
    local desk = t:server(boldchat, { answer_timeout = "5s" })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    sam:say "I am here."
    visitor:expect("message", { text = "I am here." })
    wait "6s"
    visitor:suspend()
    visitor:resume()
    wait "6s"
    expect({ visitor:events "unavailable", visitor.session_state }, { {}, "Chatting" })
    visitor:end_session()
end)

scenario("what is said and typed in the background is lost, and a session may end there", { tags = { "links" } }, function(t)
    local visitor, sam = in_chat(t)
    visitor:suspend()
    visitor:suspend() -- once more changes nothing
    visitor:say "Can you hear me?"
    visitor:typing()
    sam:expect_silence("1s", any { "message", "typing" })
    visitor:resume()
    visitor:resume()
    visitor:say "And now?"
    sam:expect("message", { text = "And now?" })
    expect(sam:events "message", match.count(1))
    visitor:suspend()
end)

group("what a session begins with", function()
    scenario("the values that an application presets stand in the form", { tags = { "presets" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { external = { first_name = "Ada" } })
        visitor:create_chat()
        expect(visitor:expect("pre_chat").form.fields, match.has { key = "first_name", value = "Ada" })
        visitor:end_session()
        visitor:create_chat { external = { first_name = "Bob" } }
        local form = visitor:expect("pre_chat").form
        expect(form.fields, match.has { key = "first_name", value = "Bob" })
        form:submit()
        visitor:expect "connected"
        expect(desk:chats(), match.has { name = "Bob", state = "waiting" })
        visitor:end_session()
    end)

    scenario("the language of a session is the wished one until the account says another", { tags = { "language" } }, function(t)
        local desk = t:server(boldchat, { languages = { "en-US", "de-DE" } })
        local visitor = t:actor(boldchat)
        desk:delay_next("createChat", "1s")
        visitor:create_chat { language = "fr-FR" }
        expect(visitor.language, "fr-FR")
        visitor:expect "pre_chat"
        expect(visitor.language, "en-US")
        visitor:end_session()
        desk:fail_next("createChat", "Error creating chat")
        visitor:create_chat { language = "de-DE" }
        visitor:expect "error"
        expect(visitor.language, "de-DE")
    end)

    scenario("a language that a phone is told before a session is that of the next one alone", { tags = { "language" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat, { language = "fr-FR" })
        visitor:change_language "de-DE"
        expect(visitor.language, "de-DE")
        for _, case in ipairs { { {}, "de-DE" }, { {}, "fr-FR" }, { { language = "es-ES" }, "es-ES" } } do
            visitor:create_chat(case[1])
            visitor:expect("session_created", { language = case[2] })
            visitor:expect "pre_chat"
            visitor:end_session()
        end
        local browser = t:actor(boldchat, { profile = "html" }) -- which takes one with its form only
        browser:change_language "de-DE"
        browser:expect("error", { code = -203, operation = "change_language" })
        expect(browser.language ~= "de-DE")
    end)

    for _, wrong in ipairs { { "email", "nobody" }, { "phone", "none" } } do
        scenario("a wrong " .. wrong[1] .. " in the presets begins no session", { tags = { "presets", "errors" } }, function(t)
            local desk = t:server(boldchat)
            local visitor = t:actor(boldchat)
            visitor:create_chat { external = { [wrong[1]] = wrong[2] } }
            visitor:expect("error", { operation = "create_chat" })
            expect(desk:chats(), {})
        end)
    end

    scenario("a rating that is preset is a number", { tags = { "presets", "errors" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat)
        local done, why = pcall(visitor.create_chat, visitor, { external = { overall = "good" } })
        expect(done, false)
        expect(tostring(why), match.contains "is a number")
    end)
end)

group("availability", function()
    scenario("two questions at once are one request with two answers", { tags = { "availability" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:delay_next("getChatAvailability", "1s")
        desk:fail_next("getChatAvailability", "a second request")
        visitor:check_availability()
        visitor:check_availability()
        visitor:check_availability()
        visitor:expect(seq { event "available", event "available", event "available" })
        expect(visitor:events "error", {})
        wait "61s" -- the answer is remembered for a minute
        visitor:check_availability()
        visitor:expect("error", { message = "a second request" })
    end)

    scenario("one question of two is withdrawn, and the other is answered", { tags = { "availability" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:delay_next("getChatAvailability", "1s")
        local number = visitor:check_availability()
        expect(visitor:check_availability(), number)
        visitor:cancel_request(number)
        visitor:expect "available"
        wait "1s"
        expect(visitor:events "available", match.count(1))
    end)
end)
