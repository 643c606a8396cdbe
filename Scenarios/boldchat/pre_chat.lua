-- The form before a chat: filling it, getting it wrong, presetting it, leaving it out.
local boldchat = require "boldchat"

group("the pre-chat form", function()
    scenario("a complete form starts the chat", { tags = { "smoke", "forms" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect("pre_chat").form:fill { first_name = "Ada", email = "ada@example.com" }:submit()
        visitor:expect "chat_started"
        desk:agent("Sam"):accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        visitor:expect("post_chat").form:submit()
        visitor:expect "ended"
    end)

    scenario("required and malformed fields are named before anything is sent", { tags = { "forms" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        form:fill { email = "not an address" }:submit()
        visitor:expect("form_invalid", { code = -204, keys = match.all_of { match.has "first_name", match.has "email" } })

        step("the corrected form goes through", function()
            form:fill { first_name = "Ada", email = "ada@example.com" }:submit()
            visitor:expect "chat_started"
        end)
        visitor:end_session()
    end)

    scenario("values from the app fill the form in advance", { tags = { "forms" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat, { external = { first_name = "Ada", email = "ada@example.com" } })
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        expect(form.fields, match.has { key = "first_name", value = "Ada" })
        form:submit()
        visitor:expect "chat_started"
        visitor:end_session()
    end)

    scenario("an app may skip the form", { tags = { "forms" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:never "pre_chat"
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "chat_started"
        visitor:end_session()
    end)
end)
