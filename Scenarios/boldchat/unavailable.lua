-- Nobody can chat: at creation, after the pre-chat form, by leaving the queue, with and without a form.
local boldchat = require "boldchat"

group("a chat is not available", function()
    scenario("outside of the hours, with a form for a mail", { tags = { "smoke", "unavailable" } }, function(t)
        local desk = t:server(boldchat, { open = false })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local unavailable = visitor:expect("unavailable", { reason = "outside_hours" })
        unavailable.form
            :fill { email = "ada@example.com", subject = "Opening hours", body = "When do you open?" }
            :submit()
        visitor:expect "ended"
        expect(desk:mails(), match.has { from = "ada@example.com", subject = "Opening hours" })
    end)

    scenario("without a form the session is over at once", { tags = { "unavailable" } }, function(t)
        t:server(boldchat, { open = false, unavailable = false })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect("unavailable", { reason = "outside_hours", form = match.absent })
        visitor:expect "ended"
    end)

    scenario("the department that the visitor chose has nobody", { tags = { "unavailable", "forms" } }, function(t)
        t:server(boldchat, {
            departments = { { id = "1", name = "Sales", online = true }, { id = "2", name = "Billing", online = false } },
        })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect("pre_chat").form:fill { first_name = "Ada", department = "2" }:submit()
        visitor:expect("unavailable", { reason = "no_operators" })
        visitor:end_session()
    end)

    scenario("a mail without an address is not sent", { tags = { "unavailable", "forms" } }, function(t)
        t:server(boldchat, { open = false })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("unavailable").form
        form:fill { subject = "Hello", body = "…" }:submit()
        visitor:expect("form_invalid", { keys = match.has "email" })
        form:fill { email = "ada@example.com" }:submit()
        visitor:expect "ended"
    end)
end)
