-- What the screen shows of forms, of the end and of missing outlets, and what each press and each word typed does.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- Refuses an act of a person with these words.
local function refused(words, visitor, method, ...)
    local done, why = pcall(visitor[method], visitor, ...)
    expect(done, false)
    expect(tostring(why), match.contains(words))
end

-- The cell of a key in a section of the shown form.
local function cell(visitor, key, section)
    for _, found in ipairs(visitor.screen.form.sections[section or 1].cells) do
        if found.key == key and found.kind ~= "picker" then return found end
    end
end

-- The key whose picker is open in the first section.
local function picker(visitor)
    for _, found in ipairs(visitor.screen.form.sections[1].cells) do
        if found.kind == "picker" then return found.key, found.pickerView end
    end
end

local fields = {
    { key = "note", type = "label", label = "We answer soon." },
    { key = "first_name", label = "Name", label_branding = "api#email#transcript", required = true },
    { key = "email", type = "email" }, { key = "phone", type = "phone" },
    { key = "topic", type = "select", required = true, options = {
        { name = "Orders", value = "o", name_branding = "api#chat#end" },
        { name = "Bills", value = "b", available = false, available_label = "away" },
        { name = "Rest", value = "r", available_label = "here" },
    } },
    { key = "size", type = "radio", options = { "S", "M" } }, { key = "stars", type = "rating", required = true },
    { key = "more", multi_line = true }, { key = "hidden", shown = false, value = "x" },
}

group("a form", function()
    for _, profile in ipairs { "ios", "html" } do
        scenario("has a cell for each kind of field in the client " .. profile, { tags = { "screen", "forms" } }, function(t)
            t:server(boldchat, { pre_chat = fields })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect "pre_chat"
            local browser = profile == "html"
            local expected = {
                { key = "note", kind = browser and "label" or "single_line", titleLabel = "We answer soon.", textField = browser and match.absent or "" },
                { key = "first_name", kind = "single_line", titleLabel = "Send the transcript", requiredLabel = "required", missingView = false },
                { key = "email", kind = "email", requiredLabel = match.absent, invalidEmailView = false, invalidPhoneNumberView = match.absent },
                { key = "phone", kind = "phone", invalidPhoneNumberView = false, invalidEmailView = match.absent },
                { key = "topic", kind = "selection", valueLabel = "", requiredLabel = "required" },
                { key = "size", kind = "selection" }, { key = "stars", kind = "rating", starRatingView = "", requiredLabel = match.absent },
                { key = "more", kind = "multi_line", textView = "", textField = match.absent },
            }
            local cells = visitor.screen.form.sections[1].cells
            expect(cells, match.count(#expected))
            expect(cells, expected)
            expect(visitor.screen.form.sections, match.count(2))
            visitor:end_session()
        end)
    end

    scenario("opens one picker at a time, and a choice is made only in an open one", { tags = { "screen", "forms" } }, function(t)
        local desk = t:server(boldchat, { pre_chat = fields })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        refused("is closed", visitor, "screen_press", "topic", "o")
        visitor:screen_press "topic"
        local key, options = picker(visitor)
        expect(key, "topic")
        expect(options, {
            { name = "End chat", value = "o", selected = false }, { name = "Bills (away)", value = "b", selected = false },
            { name = "Rest", value = "r", selected = false },
        })
        refused("not an option", visitor, "screen_press", "topic", "x")
        visitor:screen_press("topic", "Bills")
        expect({ picker(visitor) }, { "topic", match.has { value = "b", selected = true } })
        expect(cell(visitor, "topic").valueLabel, "Bills (away)")
        visitor:screen_press "size"
        expect(picker(visitor), "size")
        refused("is closed", visitor, "screen_press", "topic", "o")
        visitor:screen_press "first_name" -- a tap on any other cell closes it
        expect(picker(visitor), nil)
        visitor:screen_press "size"
        visitor:screen_press "size"
        expect(picker(visitor), nil)
        visitor:screen_press "size"
        visitor:screen_type("first_name", "Ada")
        expect(picker(visitor), nil)
        visitor:screen_press "topic"
        visitor:screen_press("stars", 5)
        expect(picker(visitor), nil)
        refused("one to five stars", visitor, "screen_press", "stars", 6)
        refused("takes text under the name", visitor, "screen_type", "stars", "4")
        refused("takes text under the name", visitor, "screen_type", "topic", "o")
        refused("not on the pre_chat view", visitor, "screen_press", "hidden", "y")
        refused("not on the pre_chat view", visitor, "screen_type", "nothing", "y")
        refused("not on the pre_chat view", visitor, "screen_press", "sendButton")
        visitor:screen_press("more", "line") -- what is entered by a press is as good as typed
        visitor:screen_press "button"
        visitor:expect "chat_started"
        expect(desk:chats()[1].values, match.equals { first_name = "Ada", topic = "b", stars = "5", more = "line", hidden = "x" })
        visitor:end_session()
    end)

    scenario("marks what is missing after an attempt, and what is wrong while it stands there", { tags = { "screen", "forms" } }, function(t)
        t:server(boldchat, { pre_chat = fields })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        local function marks(missing)
            for _, key in ipairs { "first_name", "topic", "stars" } do check(cell(visitor, key).missingView, missing[key] == true, key) end
            expect({ cell(visitor, "email").missingView, cell(visitor, "size").missingView }, { false, false })
        end
        marks {}
        visitor:screen_type("email", "ada@")
        visitor:screen_type("phone", "1 2")
        expect({ cell(visitor, "email").invalidEmailView, cell(visitor, "phone").invalidPhoneNumberView }, { true, true })
        marks {}
        visitor:screen_press "button"
        visitor:expect("form_invalid", {
            keys = match.equals { "first_name", "email", "phone", "topic", "stars" },
            reasons = { first_name = "missing", email = "invalid_email", phone = "invalid_phone", topic = "missing", stars = "missing" },
        })
        marks { first_name = true, topic = true, stars = true }
        visitor:screen_press("stars", 3)
        visitor:screen_type("email", "")
        visitor:screen_type("phone", "12")
        marks { first_name = true, topic = true }
        expect({ cell(visitor, "email").invalidEmailView, cell(visitor, "phone").invalidPhoneNumberView }, { false, false })
        expect(cell(visitor, "stars").starRatingView, "3")
        visitor:end_session()
    end)

    scenario("after the chat has a section of its own for the address", { tags = { "screen", "survey" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        local function survey(form)
            if form then desk:set_form("post_chat", form) end
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            sam:accept(visitor)
            visitor:expect "accepted"
            visitor:finish()
            visitor:expect "post_chat"
            return visitor.screen.form.sections
        end
        expect(survey { { key = "email", type = "email" } }, {
            { header = { label = "Send the transcript" }, footer = { label = "Send the transcript" }, cells = match.count(1) },
            { header = match.absent, footer = match.absent, cells = { { kind = "button", button = "Done" } } },
        })
        visitor:end_session()
        expect(survey { { key = "comments" } }, {
            { header = { label = "How did we do?" }, footer = match.absent, cells = match.count(1) }, { cells = match.count(1) },
        })
        visitor:end_session()
        expect(survey { { key = "comments" }, { key = "email", type = "email" } }, {
            { header = { label = "How did we do?" }, footer = { template = "BCPostChatEmailFooterView" }, cells = { { key = "email" } } },
            { header = match.absent, footer = match.absent, cells = { { key = "comments" } } }, { cells = { { kind = "button" } } },
        })
        visitor:end_session()
    end)
end)

group("the closing words", function()
    -- Ends a chat with a survey of these values.
    local function rated(values, words)
        scenario("thank for a survey: " .. words, { tags = { "screen", "survey" } }, function(t)
            local visitor, _, desk = beginnings.in_chat(t)
            visitor:finish()
            visitor:expect "post_chat"
            visitor:submit_post_chat(values)
            visitor:expect "ended"
            expect(visitor.screen, { view = "end", endLabel = words, form = match.absent, endExternalActionButton = true })
            expect(desk:mails(), match.count(values.email and 1 or 0))
        end)
    end
    rated({}, "The chat has ended.")
    rated({ overall = 4 }, "Thank you for your answers.")
    rated({ email = "ada@example.com" }, "The transcript is on its way to you.")
    rated({ email = "ada@example.com", overall = 4 }, "Thank you for your answers. The transcript is on its way to you.")

    scenario("of a mail, of a desk without one, and of a chat", { tags = { "screen", "unavailable" } }, function(t)
        local desk = t:server(boldchat, { open = false })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "unavailable"
        refused("not on the unavailable view", visitor, "screen_press", "endExternalActionButton")
        for _, entry in ipairs { { "email", "ada@example.com" }, { "subject", "Hours" }, { "body", "When?" } } do
            visitor:screen_type(entry[1], entry[2])
        end
        visitor:screen_press "button"
        visitor:expect "ended"
        local mailed = visitor.screen.endLabel
        expect(desk:mails(), { { kind = "unavailable", from = "ada@example.com", subject = "Hours", body = "When?", to = match.absent } })
        desk:set_form "unavailable"
        visitor:create_chat()
        visitor:expect("unavailable", { form = match.absent })
        visitor:expect("ended", { reason = "unavailable" })
        local closed = visitor.screen.endLabel
        desk:open()
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        visitor:finish()
        visitor:expect("ended", { reason = "visitor" })
        expect({ mailed, closed, visitor.screen.endLabel }, {
            "Your message was sent.", "We are closed at this hour.", "The chat has ended.",
        })
        visitor:screen_press "endExternalActionPressed"
        visitor:screen_press "mainExternalActionButton"
        visitor:expect(seq {
            event("action_performed", { action = "boldChatViewControllerEndExternalActionPressed" }),
            event("action_performed", { action = "boldChatViewControllerMainExternalActionPressed" }),
        })
    end)
end)

group("the chat", function()
    scenario("is led by its buttons and by the names of their actions", { tags = { "screen" } }, function(t)
        local visitor, sam = beginnings.greeted(t)
        visitor:screen_press "sendButton" -- nothing to send
        visitor:screen_type("inputTextView", "Hello")
        expect(visitor.screen.chat.inputTextView, { text = "Hello", placeholder = "Write a message" })
        visitor:screen_press "sendButtonPressed:"
        expect(visitor.screen.chat.inputTextView.text, "")
        sam:expect("message", { text = "Hello" })
        refused("is pressed, nothing can be typed", visitor, "screen_type", "sendButton", "x")
        refused("connect_end_chat_pressed", visitor, "screen_press", "endChatPressed")
        refused("only in a queue", visitor, "screen_press", "cancelChatButton")
        refused("not on the chat view", visitor, "screen_press", "errorExternalActionPressed")
        refused("not on the chat view", visitor, "screen_press", "emailAlertSend")
        visitor:screen_press "chatExternalActionPressed:"
        visitor:expect("action_performed", { action = "boldChatViewControllerChatExternalActionPressed" })
        expect(sam:events "message", match.count(1))
        visitor:screen_press "endChatButton"
        visitor:expect "post_chat"
        expect(visitor.screen.chat, match.absent)
        visitor:end_session()
    end)

    scenario("ends by its action where a template connects it", { tags = { "screen" } }, function(t)
        local visitor = beginnings.greeted(t, { connect_end_chat_pressed = true, view_settings = { chatHistoryHtmlName = "ours" } })
        expect(visitor.screen.chat.chatHistoryHtmlName, "ours")
        visitor:screen_press "endChatPressed:"
        visitor:expect "post_chat"
        visitor:end_session()
    end)

    scenario("asks for an address, which can be given at once or not at all", { tags = { "screen", "transcript" } }, function(t)
        local visitor, _, desk = beginnings.greeted(t)
        expect(visitor.screen.chat, { emailAlert = match.absent, emailAlertSend = match.absent, emailAlertCancel = match.absent })
        visitor:screen_press "emailChatHistoryButton"
        expect(visitor.screen.chat, { emailAlert = "", emailAlertSend = "Send", emailAlertCancel = "Cancel" })
        visitor:screen_type("emailAlert", "ada@example.com")
        expect(visitor.screen.chat.emailAlert, "ada@example.com")
        visitor:screen_press "emailAlertCancel"
        expect(visitor.screen.chat.emailAlert, match.absent)
        visitor:screen_press "emailChatHistoryPressed"
        expect(visitor.screen.chat.emailAlert, "")
        visitor:screen_type("emailAlert", "nobody")
        visitor:screen_press "emailAlertSend"
        visitor:expect("error", { code = -205, operation = "email_history" })
        expect(visitor.screen.chat.emailAlert, match.absent)
        desk:delay_next("emailChatHistory", "300ms")
        visitor:screen_press("emailChatHistoryButton", "bob@example.com")
        expect(visitor.screen, { loading = true, loadingActivityIndicator = true })
        refused("covers the screen", visitor, "screen_press", "endChatButton")
        refused("covers the screen", visitor, "screen_type", "inputTextView", "x")
        visitor:expect "transcript_requested"
        expect(visitor.screen, { loading = false, loadingActivityIndicator = match.absent })
        visitor:finish()
        visitor:expect "post_chat"
        expect(desk:mails(), { { kind = "transcript", to = "bob@example.com", body = "Sam: Good morning!", from = match.absent } })
        expect(desk:mails(), match.count(1))
        visitor:end_session()
    end)

    scenario("is covered while it is ended or left", { tags = { "screen", "queue" } }, function(t)
        local desk = t:server(boldchat, { queue = 1, queue_interval = "1h" })
        local visitor = t:actor(boldchat)
        refused("no screen before", visitor, "screen_press", "mainExternalActionButton")
        refused("no screen before", visitor, "screen_type", "inputTextView", "x")
        expect(visitor.screen, nil)
        expect(visitor:screen_html(), "")
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 1 })
        desk:delay_next("getUnavailableForm", "300ms")
        visitor:screen_press "cancelChatPressed"
        expect({ visitor.screen.loading, visitor.chat_state }, { true, "GettingUnavailableForm" })
        visitor:expect("unavailable", { reason = "unknown" })
        expect({ visitor.screen.loading, visitor.screen.view }, { false, "unavailable" })
        visitor:end_session()
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 1 })
        desk:delay_next("finishChat", "300ms")
        visitor:finish()
        expect({ visitor.screen.loading, visitor.chat_state }, { true, "Finishing" })
        visitor:expect "ended"
        expect({ visitor.screen.loading, visitor.screen.view }, { false, "end" })
    end)
end)

group("the error view", function()
    scenario("stays until the session ends or another begins", {
        tags = { "screen", "errors" }, faults = { delay = "the browser asks again after fifteen seconds, and the desk refuses only the first" },
    }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        desk:fail_next("createChat", "Something else")
        visitor:create_chat()
        visitor:expect("error", { code = -100 })
        expect({ visitor.screen.view, visitor.window_state }, { "error", "Error" })
        expect(visitor.screen, { errorLabel = "Something else", errorExternalActionButton = true, chat = match.absent })
        visitor:screen_press "errorExternalActionButtonPressed"
        visitor:expect("action_performed", { action = "boldChatViewControllerErrorExternalActionPressed" })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        expect({ visitor.screen.view, visitor.window_state }, { "chat", "ChatActive" })
        desk:fail_next("finishChat", "No")
        visitor:finish()
        visitor:expect("error", { code = -301 })
        visitor:expect("ended", { reason = "error" })
        expect(visitor.screen, { view = "error", errorLabel = "the server did not finish the chat" })
        visitor:end_session()
    end)
end)

group("the browser's window", function()
    scenario("has a state of its own at each stage", { tags = { "screen" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor, phone = desk:agent "Sam", t:actor(boldchat, { profile = "html" }), t:actor(boldchat)
        expect(phone.window_state, nil)
        local function is(state) expect(visitor.window_state, state) end
        is "Idle"
        desk:delay_next("createChat", "300ms")
        visitor:create_chat()
        is "InitialLoading"
        visitor:expect "pre_chat"
        is "PreChat"
        desk:delay_next("submitPreChat", "300ms")
        visitor:submit_pre_chat { first_name = "Ada" }
        is "PreChatSending"
        desk:delay_next("socket", "300ms")
        visitor:expect "chat_started"
        is "ChatInactive"
        visitor:expect "connected"
        is "ChatActive"
        sam:accept(visitor)
        visitor:expect "accepted"
        desk:delay_next("finishChat", "300ms")
        visitor:finish()
        is "ChatEnding"
        visitor:expect "post_chat"
        is "PostChat"
        desk:delay_next("submitPostChat", "300ms")
        visitor:submit_post_chat { overall = 3 }
        is "PostChatSending"
        visitor:expect "ended"
        is "Finished"
        desk:close()
        visitor:create_chat()
        visitor:expect "unavailable"
        is "UnavailableChat"
        desk:delay_next("submitUnavailableEmail", "300ms")
        visitor:submit_unavailable { email = "ada@example.com", subject = "?", body = "?" }
        is "UnavailableChatSending"
        visitor:expect "ended"
        is "Finished"
    end)
end)

group("an outlet that is not connected", function()
    local function with(outlets, more)
        local options = { disconnected_outlets = outlets }
        for name, value in pairs(more or {}) do options[name] = value end
        return options
    end

    scenario("of the main view or of a holder hides all that is on it", { tags = { "screen" } }, function(t)
        t:server(boldchat)
        local whole, held = t:actor(boldchat, with { "mainViewXibName.view" }), t:actor(boldchat, with { "preChatHolderView" })
        for _, visitor in ipairs { whole, held } do
            visitor:create_chat()
            visitor:expect "pre_chat"
            expect(visitor.screen, { view = "pre_chat", form = match.absent })
            refused("not on the pre_chat view", visitor, "screen_type", "first_name", "Ada")
            refused("not on the pre_chat view", visitor, "screen_press", "button")
        end
        expect({ whole.screen, held.screen }, { { mainExternalActionButton = match.absent }, { mainExternalActionButton = true } })
        held:submit_pre_chat { first_name = "Ada" }
        held:expect "connected"
        expect(held.screen.chat, match.any) -- the chat has a holder of its own
        whole:end_session()
        held:end_session()
    end)

    scenario("of a cell leaves the rest of the cell", { tags = { "screen", "forms" } }, function(t)
        t:server(boldchat, { pre_chat = fields })
        local visitor = t:actor(boldchat, with({
            "requiredLabel", "singleLineCellXibName.titleLabel", "invalidEmailView", "multiLineCellXibName.cell", "starRatingView",
            "pickerView", "preChatHeaderXibName.label", "singleLinePhoneCellXibName.textField",
        }, { submit_cell = false }))
        visitor:create_chat()
        visitor:expect "pre_chat"
        expect(visitor.screen.form.sections, match.count(1))
        expect(visitor.screen.form.sections[1].header, { template = "BCPreChatHeaderView", label = match.absent })
        expect(cell(visitor, "first_name"), { titleLabel = match.absent, requiredLabel = match.absent, textField = "" })
        expect(cell(visitor, "email"), { titleLabel = "email", invalidEmailView = match.absent, missingView = false })
        expect(cell(visitor, "more"), nil)
        expect(cell(visitor, "stars"), { starRatingView = match.absent })
        refused("takes nothing: starRatingView", visitor, "screen_press", "stars", 4)
        refused("takes nothing: textField", visitor, "screen_type", "phone", "1")
        visitor:screen_press "topic"
        expect({ picker(visitor) }, { "topic" })
        refused("takes nothing: pickerView", visitor, "screen_press", "topic", "o")
        refused("not on the pre_chat view", visitor, "screen_press", "button")
        visitor:screen_type("first_name", "Ada")
        expect(cell(visitor, "first_name").textField, "Ada")
        visitor:end_session()
    end)

    scenario("of the table, of the picker's cell, of the loading view and of the button leaves the rest", { tags = { "screen" } }, function(t)
        local desk = t:server(boldchat, { pre_chat = fields })
        local table_less = t:actor(boldchat, with { "tableView", "loadingview" })
        local picker_less = t:actor(boldchat, with { "pickerCellXibName.cell", "buttonCellXibName.button", "preChatHeaderXibName.cell" })
        table_less:create_chat()
        table_less:expect "pre_chat"
        expect(table_less.screen.form, { kind = "pre_chat", sections = match.absent })
        desk:delay_next("submitPreChat", "200ms")
        table_less:submit_pre_chat { first_name = "Ada", topic = "o", stars = 2 }
        expect({ table_less.screen.loading, table_less.session_state }, { false, "SendingPreChatInfo" })
        table_less:expect "connected"
        picker_less:create_chat()
        picker_less:expect "pre_chat"
        picker_less:screen_press "topic"
        expect(picker(picker_less), nil)
        picker_less:screen_press("topic", "r")
        expect(cell(picker_less, "topic").valueLabel, "Rest")
        expect(picker_less.screen.form.sections, { { header = match.absent } })
        refused("is not connected", picker_less, "screen_press", "button")
        table_less:end_session()
        picker_less:end_session()
    end)

    scenario("of the chat leaves the rest of the chat", { tags = { "screen" } }, function(t)
        local visitor, sam = beginnings.greeted(t, with({
            "chatHistoryWebView", "inputTextView", "typingLabel", "queuePositionLabel", "chatExternalActionButton", "endLabel",
            "endChatButton", "emailChatHistoryButton", "inputHolderView",
        }))
        sam:typing()
        visitor:expect("typing", { active = true })
        expect(visitor.screen.chat, {
            chatHistoryWebView = match.absent, inputTextView = match.absent, typingLabel = match.absent, inputHolderView = match.absent,
            chatExternalActionButton = match.absent, endChatButton = match.absent, emailChatHistoryButton = match.absent,
            sendButton = "Send", chatHistoryWebViewHolderView = true,
        })
        refused("inputTextView is not", visitor, "screen_type", "inputTextView", "x")
        refused("endChatButton is not connected", visitor, "screen_press", "endChatButton")
        visitor:end_session()
        expect(visitor.screen, { view = "end", endLabel = match.absent, endExternalActionButton = true })
    end)

    local wrong = {
        { "an outlet that is none", { disconnected_outlets = { "sendButon" } }, "is not an outlet" },
        { "an outlet of a template that is none", { disconnected_outlets = { "chatView.sendButton" } }, "is not a setting of a template" },
        { "an outlet that the template has not", { disconnected_outlets = { "formViewXibName.sendButton" } }, "is not an outlet" },
        { "an outlet below an outlet", { disconnected_outlets = { "chatViewXibName.sendButton.label" } }, "is not an outlet" },
        { "a template without a name", { view_settings = { chatViewXibName = "" } }, "without its extension" },
        { "a template with its extension", { view_settings = { chatViewXibName = "Ours.XIB" } }, "without its extension" },
        { "a profile's key", { access_key = "none" }, "is not a BoldChat access key" },
    }
    for _, case in ipairs(wrong) do
        scenario("is refused where it is misspelt: " .. case[1], { tags = { "screen", "errors" } }, function(t)
            t:server(boldchat)
            local done, why = pcall(t.actor, t, boldchat, case[2])
            expect(done, false)
            expect(tostring(why), match.contains(case[3]))
        end)
    end
end)
