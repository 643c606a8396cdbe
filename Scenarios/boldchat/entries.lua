-- What is accepted in the fields of forms, by the client and by the account, and what becomes of presets and options.
local boldchat = require "boldchat"

local wrong_email, right_email = {
    ios = {
        "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a b@example.com", "ada@example.c", "ada@example.museum",
        "ada@example.c0m", "ada@exam_ple.com", "ada@.com", "ada@example..com", "ä@example.com", "ada@example.com.",
    },
    html = { "ada", "ada@", "@example.com", "ada@example", "ada@example.", "ada@.", "ada@.c", "a da @ example . com", "a@b." },
}, {
    ios = { "ada@example.com", "a.b_c%d+e-f@sub-domain.example.info", "A1@EXAMPLE.co", "a@b.cd", "0@9.zz" },
    html = { "ada@example.com", "a@b.c", "a@b.cd", "Ada <ada@example.com>", "ada@@example.museum", "x a@b.c y", "ada@x.y.z" },
}
local wrong_phone, right_phone = {
    ios = { "none", "1 2", "12x3", "/", ":", " " }, html = { "none", "   ", "1y2", "1.2" },
}, {
    ios = { "0", "9", "+49(30)12-34*5#6,7;8" }, html = { "0", " 1 2 ", "+49 (30) 1234 x5", "1X2" },
}

for _, profile in ipairs { "ios", "html" } do
    scenario("the client " .. profile .. " knows an address and a number by their form", { tags = { "forms" } }, function(t)
        local desk = t:server(boldchat, { pre_chat = { { key = "email", type = "email" }, { key = "phone", type = "phone" } } })
        local visitor = t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        visitor:expect "pre_chat"
        local function is(key, texts, reason)
            for _, text in ipairs(texts) do
                visitor:submit_pre_chat { [key] = text, [key == "email" and "phone" or "email"] = "!" }
                local found = visitor:expect("form_invalid", { form = "pre_chat" })
                check(found.reasons[key], reason, text)
            end
        end
        is("email", wrong_email[profile], "invalid_email")
        is("email", right_email[profile], nil)
        is("phone", wrong_phone[profile], "invalid_phone")
        is("phone", right_phone[profile], nil)
        visitor:submit_pre_chat { email = right_email[profile][1], phone = right_phone[profile][1] }
        visitor:expect "chat_started"
        expect(desk:chats()[1].values, match.equals { email = right_email[profile][1], phone = right_phone[profile][1] })
        visitor:end_session()
    end)

    scenario("the client " .. profile .. " takes from one to five stars and nothing that is not offered", { tags = { "forms" } }, function(t)
        local desk = t:server(boldchat, {
            pre_chat = {
                { key = "stars", type = "rating" }, { key = "any", type = "select" }, { key = "one", type = "select", options = { "a" } },
                { key = "two", type = "radio", options = { "b" } }, { key = "name", required = true },
            },
        })
        local visitor = t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        visitor:expect "pre_chat"
        local function fails(values, reasons)
            values.name = values.name or "Ada"
            visitor:submit_pre_chat(values)
            visitor:expect("form_invalid", { reasons = match.equals(reasons) })
        end
        for _, stars in ipairs { 0, 6, 4.5, "many" } do fails({ stars = stars }, { stars = "invalid_rating" }) end
        fails({ one = "b", two = "a" }, { one = "not_an_option", two = "not_an_option" })
        fails({ name = "" }, { name = "missing" })
        visitor:submit_pre_chat { stars = 1, any = "thing", one = "a", two = "b", name = "Ada", extra = true, empty = "" }
        visitor:expect "chat_started"
        expect(desk:chats()[1].values, match.equals { stars = "1", any = "thing", one = "a", two = "b", name = "Ada", extra = "true" })
        expect(desk:chats()[1].name, "Ada")
        visitor:end_session()
    end)

    scenario("the client " .. profile .. " shows labels, names and states as the account wrote them", { tags = { "forms" } }, function(t)
        t:server(boldchat, {
            pre_chat = {
                { key = "a", label = "Plain" }, { key = "b", label = "Plain", label_branding = "our#label" },
                { key = "c", label_branding = "our#nothing" }, { key = "d" },
                { key = "e", type = "select", show_department_status = true, options = {
                    { value = "1", name = "One", name_branding = "our#name" }, { value = "2", name = "Two", name_branding = "our#nothing" },
                    { value = "3", available = true, available_label = "in" },
                    { value = "4", available = false, available_label = "out", available_label_branding = "our#label" },
                    { value = "5", available = true }, { value = "6", default = true }, { value = "7", default = true }, { name = "8" }, 9,
                } },
                { key = "f", multi_line = true, value = "text" }, { key = "g", type = "email", multi_line = true },
                { key = "h", shown = false, value = "" }, { key = "i", type = "radio", options = { "x" }, value = "x" },
            },
            branding = { ["en-US"] = { ["our#label"] = "Ours", ["our#name"] = "First" } },
        })
        local visitor = t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        expect(visitor.pre_chat_form, { kind = "pre_chat", submit = "submit_pre_chat", fields = match.count(9) })
        expect(form.fields, {
            { key = "a", label = "Plain", type = "text", required = false, multi_line = match.absent, shown = match.absent, value = match.absent, options = match.absent },
            { key = "b", label = "Ours" }, { key = "c", label = "c" }, { key = "d", label = "d" },
            { key = "e", value = "6", options = {
                { name = "First", value = "1", available = match.absent }, { name = "Two", value = "2" },
                { name = "3", available = true }, { name = "4", available = false }, { value = "5", available = match.absent },
                { value = "6" }, { value = "7" }, { name = "8", value = "8" }, { name = "9", value = "9" },
            } },
            { key = "f", multi_line = true, value = "text" }, { key = "g", multi_line = match.absent, type = "email" },
            { key = "h", shown = false }, { key = "i", value = "x" },
        })
        visitor:end_session()
    end)

    scenario("a preset of the client " .. profile .. " stands where it fits", { tags = { "presets", "forms" } }, function(t)
        local desk = t:server(boldchat, {
            pre_chat = {
                { key = "name" }, { key = "last_name" }, { key = "size", type = "radio", options = { "S", "M" }, value = "M" },
                { key = "topic", type = "select", options = { "a", "b" } }, { key = "custom_x", value = "old" }, { key = "phone", type = "phone" },
            },
            post_chat = { { key = "first_name" }, { key = "overall", type = "rating" } },
        })
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
        visitor:create_chat { external = {
            first_name = "Ada", size = "XL", topic = "b", custom_x = "new", phone = "12", overall = 3, ln = "King",
        } }
        local form = visitor:expect("pre_chat").form
        expect(form.fields, {
            { key = "name", value = "Ada" }, { key = "last_name", value = "King" }, { key = "size", value = "M" },
            { key = "topic", value = "b" }, { key = "custom_x", value = "new" }, { key = "phone", value = "12" },
        })
        form:fill { topic = "a", phone = "" }:submit()
        visitor:expect "connected"
        expect(desk:chats()[1], { name = "Ada", values = {
            name = "Ada", first_name = "Ada", last_name = "King", size = "M", topic = "a", custom_x = "new", overall = "3",
        } })
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        expect(visitor:expect("post_chat").form.fields, { { key = "first_name", value = "Ada" }, { key = "overall", value = "3" } })
        visitor:end_session()
    end)
end

scenario("the browser leaves out what it does not know, and the phone takes it for a text", { tags = { "forms" } }, function(t)
    local desk = t:server(boldchat, { pre_chat = { { key = "note", type = "label", label = "Read me" }, { key = "name", required = true } } })
    local phone, browser = t:actor(boldchat), t:actor(boldchat, { profile = "html" })
    for _, visitor in ipairs { phone, browser } do
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:submit_pre_chat { note = "Noted", name = "Ada" }
        visitor:expect "chat_started"
    end
    expect(desk:chats(), { { values = { note = "Noted" } }, { values = { name = "Ada" } } })
    phone:end_session()
    browser:end_session()
end)

scenario("a misspelt name of a field is refused, and one that only the account may know is sent", {
    tags = { "forms", "presets" },
}, function(t)
    local desk = t:server(boldchat, { pre_chat = { { key = "first_name" }, { key = "order_number" } } })
    local visitor = t:actor(boldchat)
    local function refuses(sentence, act, ...)
        local done, why = pcall(act, visitor, ...)
        expect(done, false)
        expect(tostring(why), match.contains(sentence))
    end
    visitor:create_chat { external = { customField_tier = "gold", vn = "Ada", campaign = "May" } }
    visitor:expect "pre_chat"
    local other = t:actor(boldchat)
    local done, why = pcall(other.create_chat, other, { external = { frist_name = "Ada" } })
    expect({ done, tostring(why) }, { false, match.contains 'external has no field "frist_name"; did you mean "first_name"?' })
    refuses('the pre_chat form has no field "order_numbr"; did you mean "order_number"?', visitor.submit_pre_chat, { order_numbr = "7" })
    refuses('the pre_chat form has no field "emial"; did you mean "email"?', visitor.submit_pre_chat, { emial = "ada@example.com" })
    visitor:submit_pre_chat { order_number = "7", email = "ada@example.com", custom_colour = "red", hobby = "chess" }
    visitor:expect "connected"
    expect(desk:chats()[1].values, { order_number = "7", email = "ada@example.com", custom_colour = "red", hobby = "chess" })
    visitor:end_session()
end)

scenario("a browser that leaves its mail unfinished just closes, and a phone is told what is missing", { tags = { "unavailable", "forms" } }, function(t)
    local desk = t:server(boldchat, { open = false, unavailable = { { key = "email", type = "email" }, { key = "subject" }, { key = "body" }, { key = "more" } } })
    local phone, browser = t:actor(boldchat), t:actor(boldchat, { profile = "html" })
    for _, visitor in ipairs { phone, browser } do
        visitor:create_chat()
        visitor:expect "unavailable"
        visitor:submit_unavailable { email = "nobody", subject = "S", body = "B", more = "M" }
        visitor:expect("form_invalid", { reasons = { email = "invalid_email" } })
        visitor:submit_unavailable { email = "ada@example.com", subject = "S", body = "B" }
    end
    phone:expect("form_submitted", { form = "unavailable" })
    phone:expect("ended", { reason = "unavailable" })
    browser:expect("ended", { reason = "unavailable" })
    expect(browser:events "form_submitted", {})
    expect(desk:mails(), match.count(1))
    expect(desk:mails(), { { from = "ada@example.com", subject = "S", body = "B" } })
    expect({ phone.session_state, browser.session_state }, { "Finished", "Finished" })
end)

scenario("the account checks again what was sent before it had another form", { tags = { "forms", "errors" } }, function(t)
    local desk = t:server(boldchat, { pre_chat = { { key = "email" } }, post_chat = { { key = "nps" } } })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat()
    visitor:expect "pre_chat"
    local function refuses(fields, values, words)
        desk:set_form("pre_chat", fields)
        visitor:submit_pre_chat(values)
        visitor:expect("error", { operation = "submit_pre_chat", message = words })
        expect(visitor.session_state, "PreChatForm")
    end
    refuses({ { key = "email", type = "email" } }, { email = "nobody" }, "Invalid field: email")
    refuses({ { key = "email", type = "phone" } }, { email = "nobody" }, "Invalid field: email")
    refuses({ { key = "email", type = "radio", options = { "a" } } }, { email = "b" }, "Invalid field: email")
    refuses({ { key = "size", required = true, value = "M" } }, { email = "b" }, "Missing required field: size")
    refuses({ { key = "size", type = "select", required = true, options = { { value = "M", default = true } } } }, {}, "Missing required field: size")
    desk:set_form("pre_chat", { { key = "email" } })
    visitor:submit_pre_chat { email = "b", language = "de-DE" }
    visitor:expect "connected"
    expect(visitor.language, "de-DE")
    expect(visitor.branding["api#chat#send"], "Senden")
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:finish()
    visitor:expect "post_chat"
    desk:set_form("post_chat", { { key = "nps", type = "rating" } })
    visitor:submit_post_chat { nps = "9" }
    visitor:expect("error", { operation = "submit_post_chat", message = "Invalid field: nps" })
    visitor:submit_post_chat { nps = "4" }
    visitor:expect "ended"
    expect(desk:chats(), { { values = { email = "b", language = "de-DE" }, survey = { nps = "4" }, language = "de-DE" } })
end)
