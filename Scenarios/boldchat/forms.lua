-- Forms beyond the common ones: several pages, all kinds of fields, forms that come out of turn or are given up.
local boldchat = require "boldchat"

-- The form as both kinds of client show it.
local fields = {
    { key = "note", type = "label", label = "We answer within two minutes." },
    { key = "first_name", label = "Your name", required = true },
    { key = "phone", type = "phone", label = "Phone" },
    {
        key = "topic", type = "select",
        options = { { name = "Orders", value = "o" }, { name = "Bills", value = "b", default = true } },
    },
    { key = "size", type = "radio", options = { "S", "M", "L" } },
    { key = "custom_source", value = "shop", shown = false },
}
local nps = {
    key = "nps", type = "radio", label = "Would you recommend us?", options = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
}

for _, case in ipairs { { "ios", "text" }, { "html", "label" } } do
    local profile, label = case[1], case[2]

    scenario("the client " .. profile .. " fills every kind of field", { tags = { "forms" } }, function(t)
        local desk = t:server(boldchat, { pre_chat = fields, post_chat = { nps, { key = "overall", type = "rating" } } })
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        expect(form.fields, match.has { key = "note", type = label })
        expect(form.fields, match.has { key = "topic", value = "b" })
        expect(form.fields, match.has { key = "custom_source", shown = false })
        form:fill { first_name = "Ada", phone = "not a number" }:submit()
        visitor:expect("form_invalid", { keys = match.equals { "phone" }, reasons = { phone = "invalid_phone" } })
        form:fill { phone = "+49(30)123456", size = "M" }:submit()
        visitor:expect("chat_started", { after_pre_chat = true })
        expect(desk:chats()[1].values, { first_name = "Ada", topic = "b", size = "M", custom_source = "shop" })
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        local survey = visitor:expect("post_chat").form
        survey:fill { nps = 9, overall = 6 }:submit()
        visitor:expect("form_invalid", { form = "post_chat", keys = match.equals { "overall" } })
        survey:fill { overall = 5 }:submit()
        visitor:expect "ended"
        expect(desk:chats()[1].survey, { nps = "9", overall = "5" })
    end)

    scenario("the client " .. profile .. " gives up forms that are on their way", { tags = { "forms" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        visitor:expect "pre_chat"
        desk:delay_next("submitPreChat", "300ms")
        expect(visitor:cancel_request(visitor:submit_pre_chat { first_name = "Ada" }), true)
        expect(visitor.session_state, "PreChatForm")
        visitor:expect_silence("500ms", "chat_started")
        -- The desk has taken the form all the same; what is sent again leads into the same chat.
        visitor:submit_pre_chat { first_name = "Ada" }
        visitor:expect "connected"
        expect(desk:chats(), match.count(1))
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        visitor:expect "post_chat"
        desk:delay_next("submitPostChat", "300ms")
        expect(visitor:cancel_request(visitor:submit_post_chat { overall = 4 }), true)
        expect(visitor.session_state, "PostChatForm")
        visitor:submit_post_chat { overall = 4 }
        visitor:expect "ended"
    end)
end

scenario("the browser leads through forms of several pages", {
    tags = { "forms" },
    faults = { delay = "the browser sends a page again after fifteen seconds, and the desk takes it for the next one" },
}, function(t)
    local desk = t:server(boldchat, {
        pre_chat = {
            pages = { { { key = "first_name", required = true } }, { { key = "email", type = "email", required = true } } },
        },
        post_chat = { pages = { { nps }, { { key = "comments", multi_line = true } } } },
    })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = "html" })
    visitor:create_chat()
    local first = visitor:expect("pre_chat", { form = { fields = match.has { key = "first_name" } } }).form
    first:fill { first_name = "Ada" }:submit()
    local second = visitor:expect("pre_chat", { form = { fields = match.has { key = "email" } } }).form
    second:submit()
    visitor:expect("form_invalid", { keys = match.equals { "email" } })
    second:fill { email = "ada@example.com" }:submit()
    visitor:expect("chat_started", { after_pre_chat = true })
    expect(desk:chats()[1].values, { first_name = "Ada", email = "ada@example.com" })
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:finish()
    local function page(key) return { reason = "visitor", form = { fields = match.has { key = key } } } end
    visitor:expect("post_chat", page "nps").form:fill { nps = 10 }:submit()
    visitor:expect("post_chat", page "comments").form:fill { comments = "Kind." }:submit()
    visitor:expect("ended", { reason = "visitor" })
    expect(desk:chats()[1].survey, { nps = "10", comments = "Kind." })
end)

scenario("to the phone a second page is no form, and the chat has no address", { tags = { "forms", "errors" } }, function(t)
    t:server(boldchat, { pre_chat = { pages = { { { key = "first_name" } }, { { key = "email" } } } } })
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    visitor:expect("pre_chat").form:submit()
    visitor:expect(seq { "chat_started", event("error", { code = -303, operation = "connect" }) })
    expect(visitor.session_state, "Chatting")
    visitor:end_session()
end)

-- Submits forms that do not belong to the present state.
local complete = { pre_chat = { first_name = "Ada" }, post_chat = {}, unavailable = {} }
local function out_of_turn(visitor, ...)
    for _, form in ipairs { ... } do
        local method = "submit_" .. form
        visitor[method](visitor, complete[form])
        visitor:expect("error", { code = -203, domain = "BCChatSession", operation = method })
    end
end

scenario("a form out of turn is refused in every state of a chat", { tags = { "forms", "errors" } }, function(t)
    local desk = t:server(boldchat)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    out_of_turn(visitor, "pre_chat", "post_chat", "unavailable")
    desk:delay_next("createChat", "300ms")
    visitor:create_chat()
    expect(visitor.session_state, "CreatingChat")
    out_of_turn(visitor, "pre_chat", "post_chat", "unavailable")
    local form = visitor:expect("pre_chat").form
    out_of_turn(visitor, "post_chat", "unavailable")
    desk:delay_next("submitPreChat", "300ms")
    form:fill { first_name = "Ada" }:submit()
    expect(visitor.session_state, "SendingPreChatInfo")
    out_of_turn(visitor, "post_chat", "unavailable")
    visitor:expect "connected"
    out_of_turn(visitor, "pre_chat", "post_chat", "unavailable")
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:finish()
    local survey = visitor:expect("post_chat").form
    out_of_turn(visitor, "pre_chat", "unavailable")
    desk:delay_next("submitPostChat", "300ms")
    survey:submit()
    expect(visitor.session_state, "SendingPostChatInfo")
    out_of_turn(visitor, "pre_chat", "unavailable")
    visitor:expect "ended"
    out_of_turn(visitor, "pre_chat", "post_chat", "unavailable")
end)

scenario("a form out of turn is refused while there is no chat", {
    tags = { "forms", "errors", "unavailable" }, faults = { delay = "a mail that is late is the next one for the desk" },
}, function(t)
    local desk = t:server(boldchat, { open = false })
    local visitor = t:actor(boldchat)
    local mail = { email = "ada@example.com", subject = "Hours", body = "When?" }
    visitor:create_chat()
    local form = visitor:expect("unavailable").form
    out_of_turn(visitor, "pre_chat", "post_chat")
    step("a mail that is given up can be written again", function()
        desk:delay_next("submitUnavailableEmail", "300ms")
        local request = visitor:submit_unavailable(mail)
        expect(visitor.session_state, "SendingUnavailableInfo")
        out_of_turn(visitor, "pre_chat", "post_chat")
        wait "100ms"
        expect(visitor:cancel_request(request), true)
        expect(visitor.session_state, "UnavailableForm")
    end)
    step("and so can one that was refused", function()
        desk:fail_next("submitUnavailableEmail", "Mailbox is full")
        form:fill(mail):submit()
        visitor:expect("error", { operation = "submit_unavailable", message = "Mailbox is full" })
        expect(visitor.session_state, "UnavailableForm")
    end)
    form:submit()
    visitor:expect "ended"
end)

scenario("a mail needs what its form demands, as far as the wire carries it", { tags = { "forms", "unavailable" } }, function(t)
    local desk = t:server(boldchat, { open = false, unavailable = {
        { key = "email", type = "email", required = true }, { key = "body" }, { key = "custom_order", required = true },
    } })
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    local form = visitor:expect("unavailable").form
    form:fill { email = "ada@example.com", custom_order = "1815" }:submit()
    visitor:expect "ended"
    expect(desk:mails(), { { from = "ada@example.com", subject = match.absent, body = "" } })
end)

scenario("the desk closes while the form is filled in, and takes no mail", { tags = { "forms" } }, function(t)
    local desk = t:server(boldchat, { unavailable = false })
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    local form = visitor:expect("pre_chat").form:fill { first_name = "Ada" }
    desk:set_operators(false)
    form:submit()
    visitor:expect(seq { event("unavailable", { reason = "no_operators", form = match.absent }), "ended" })
    expect(visitor.session_state, "Finished")
end)

-- Brings a visitor into a state of the session that has a chat key.
local into = {
    PreChatForm = function(visitor)
        visitor:create_chat()
        visitor:expect "pre_chat"
    end,
    SendingPreChatInfo = function(visitor, desk)
        visitor:create_chat()
        desk:delay_next("submitPreChat", "2s")
        visitor:expect("pre_chat").form:fill { first_name = "Ada" }:submit()
    end,
    PostChatForm = function(visitor, _, sam)
        visitor:create_chat { skip_pre_chat = true }
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        visitor:expect "post_chat"
    end,
    SendingPostChatInfo = function(visitor, desk, sam)
        visitor:create_chat { skip_pre_chat = true }
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        desk:delay_next("submitPostChat", "2s")
        visitor:expect("post_chat").form:submit()
    end,
    UnavailableForm = function(visitor, desk)
        desk:close()
        visitor:create_chat()
        visitor:expect "unavailable"
    end,
    SendingUnavailableInfo = function(visitor, desk)
        desk:close()
        visitor:create_chat()
        desk:delay_next("submitUnavailableEmail", "2s")
        visitor:expect("unavailable").form:fill { email = "ada@example.com", subject = "?", body = "?" }:submit()
    end,
    Finished = function(visitor)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        visitor:finish()
        visitor:expect "ended"
    end,
}

for state, enter in pairs(into) do
    scenario("a refused transcript moves the phone from " .. state .. " to the survey",
        { tags = { "quirks", "transcript" } }, function(t)
            local desk = t:server(boldchat)
            local sam, visitor = desk:agent "Sam", t:actor(boldchat)
            enter(visitor, desk, sam)
            expect(visitor.session_state, state)
            desk:fail_next("emailChatHistory", "No mail today")
            visitor:email_history "ada@example.com"
            visitor:expect("error", { operation = "email_history" })
            expect(visitor.session_state, "PostChatForm")
            visitor:end_session()
        end)

    for _, profile in ipairs { "ios", "html" } do
        scenario("the client " .. profile .. " may leave in the state " .. state, { tags = { "forms" } }, function(t)
            local desk = t:server(boldchat)
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            enter(visitor, desk, sam)
            wait "100ms" -- what is under way has reached the desk
            expect(visitor.session_state, state)
            visitor:end_session()
            expect(visitor.session_state, "Finished")
            visitor:expect_silence "3s"
            step("and come back", function()
                desk:open()
                visitor:create_chat()
                visitor:expect "pre_chat"
            end)
            visitor:end_session()
        end)
    end
end

scenario("a visitor may leave before there is anything to leave", { tags = { "forms" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:end_session()
    expect(visitor.session_state, "Finished")
    desk:delay_next("createChat", "300ms")
    visitor:create_chat()
    wait "100ms"
    visitor:end_session()
    expect(visitor.session_state, "Finished")
    visitor:expect_silence "1s"
end)

for _, profile in ipairs { "ios", "html" } do
    scenario("the client " .. profile .. " takes no choice that a field does not offer", { tags = { "forms" } }, function(t)
        t:server(boldchat, {
            pre_chat = { { key = "topic", type = "radio", options = { { name = "Orders", value = "o" }, "Other" } } },
        })
        local visitor = t:actor(boldchat, { profile = profile })
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:submit_pre_chat { topic = "Orders" }
        visitor:expect("form_invalid", { reasons = { topic = "not_an_option" } })
        visitor:submit_pre_chat { topic = "o" }
        visitor:expect "chat_started"
        visitor:end_session()
    end)
end

scenario("a preset of the survey is a number", { tags = { "forms", "survey" } }, function(t)
    local desk = t:server(boldchat, {
        post_chat = {
            { key = "knowledge", type = "rating" }, { key = "responsiveness", type = "rating" },
            { key = "professionalism", type = "rating" }, { key = "comments" },
        },
    })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    expect(pcall(function() visitor:create_chat { external = { knowledge = "great" } } end), false)
    visitor:create_chat {
        skip_pre_chat = true,
        external = {
            knowledge = 5, responsiveness = 4, professionalism = 3, comments = "Fine.", last_name = "Lovelace",
            CustomUrl = "https://example.com/thanks",
        },
    }
    visitor:expect "connected"
    expect(visitor.custom_url, "https://example.com/thanks")
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:finish()
    local form = visitor:expect("post_chat").form
    expect(form.fields, match.has { key = "knowledge", value = "5" })
    form:submit()
    visitor:expect "ended"
    expect(desk:chats(), match.has {
        name = "Lovelace",
        survey = { knowledge = "5", responsiveness = "4", professionalism = "3", comments = "Fine." },
    })
end)
