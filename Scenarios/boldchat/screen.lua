-- The headless screen: what a person would see, type and press.
local boldchat = require "boldchat"

-- Whether some cell of the shown form has a key and other members.
local function cell(members)
    return match.path("$.form.sections[0].cells", match.has(members))
end

group("the screen", function()
    scenario("a person fills the form, chats and rates, by hand", { tags = { "smoke", "screen" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:screen_type("first_name", "Ada")
        visitor:screen_press "button"
        visitor:expect "connected"
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:screen_type("inputTextView", "Where is my order?")
        visitor:screen_press "sendButton"
        sam:expect("message", { text = "Where is my order?" })
        visitor:screen_press "endChatButton"
        visitor:expect "post_chat"
        visitor:screen_press("overall", 4)
        visitor:screen_press "button"
        visitor:expect "ended"
        expect(visitor.screen, { view = "end", loading = false, endLabel = match.any })
    end)

    scenario("wrong cells are marked at once, missing ones once somebody tries to submit", { tags = { "screen", "forms" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:screen_type("email", "nobody")
        expect(visitor.screen, cell { key = "email", invalidEmailView = true })
        expect(visitor.screen, cell { key = "first_name", missingView = false })
        visitor:screen_press "button"
        visitor:expect("form_invalid", { keys = match.equals { "first_name", "email" } })
        expect(visitor.screen, cell { key = "first_name", missingView = true })
        expect(visitor.screen, cell { key = "email", invalidEmailView = true })
        visitor:screen_type("email", "ada@example.com")
        expect(visitor.screen, cell { key = "email", invalidEmailView = false })
        visitor:end_session()
    end)

    scenario("a picker opens, offers departments and closes", { tags = { "screen", "forms" } }, function(t)
        t:server(boldchat, { departments = { { id = "1", name = "Sales" }, { id = "2", name = "Billing" } } })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:screen_press "department"
        expect(visitor.screen, cell { kind = "picker", pickerView = match.count(2) })
        visitor:screen_press("department", "2")
        visitor:screen_press "department"
        expect(visitor.screen, match.is_not(cell { kind = "picker" }))
        expect(visitor.screen, cell { key = "department", valueLabel = match.contains "Billing" })
        visitor:end_session()
    end)

    local moves = "the queue moves while the client connects again"
    scenario("the queue shows its position and a way out", {
        tags = { "screen", "queue" }, faults = { cut = moves, truncate = moves, half_close = moves },
    }, function(t)
        t:server(boldchat, { queue = 2 })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 2 })
        expect(visitor.screen, {
            view = "chat",
            chat = { queuePositionLabel = match.contains "2", cancelChatButton = match.any, status = match.any },
        })
        visitor:screen_press "cancelChatButton"
        visitor:expect "unavailable"
        expect(visitor.screen.view, "unavailable")
        visitor:end_session()
    end)

    scenario("the conversation and who is typing can be read", { tags = { "screen", "typing" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        sam:accept(visitor)
        visitor:expect "accepted"
        sam:typing(true)
        visitor:expect("typing", { active = true })
        expect(visitor.screen.chat.typingLabel, match.contains "Sam")
        sam:say "Good morning!"
        visitor:expect("message", { from = "operator" })
        visitor:expect("typing", { active = false })
        expect(visitor.screen.chat, {
            typingLabel = match.absent,
            chatHistoryWebView = match.has { from = "operator", name = "Sam", text = "Good morning!" },
        })
        expect(visitor:screen_html(), match.contains "Good morning!")
        visitor:end_session()
    end)

    scenario("the loading view lies over a request", { tags = { "screen" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:delay_next("createChat", "1s")
        visitor:create_chat()
        wait "200ms"
        expect(visitor.screen.loading, true)
        visitor:expect "pre_chat"
        expect(visitor.screen, { loading = false, view = "pre_chat" })
        visitor:end_session()
    end)

    scenario("the error view says why no chat was created", { tags = { "screen", "errors" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:fail_next("createChat", "Not authorized")
        visitor:create_chat()
        visitor:expect("error", { code = -103 })
        expect(visitor.screen, { view = "error", errorLabel = "Not authorized" })
    end)

    local hidden = "the browser opens a lost connection again after five seconds, and has no input until then"
    scenario("a lost connection hides the input in the browser", {
        tags = { "screen", "links" }, faults = { cut = hidden, truncate = hidden, half_close = hidden },
    }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        wait "200ms"
        expect(visitor.screen.chat.inputTextView, match.any)
        desk:drop_socket(visitor)
        visitor:expect "disconnected"
        expect(visitor.screen.chat.inputTextView, match.absent)
        visitor:expect("reconnected", {}, { within = "8s" })
        expect(visitor.screen.chat.inputTextView, match.any)
        visitor:end_session()
    end)

    scenario("what is not shown can be neither pressed nor typed into", { tags = { "screen" } }, function(t)
        local desk = t:server(boldchat, { window_settings = { ShowTranscriptButton = false } })
        local visitor = t:actor(boldchat, {
            profile = "html", submit_cell = false, disconnected_outlets = { "chatViewXibName.endChatButton" },
        })
        local function refuses(act, ...)
            expect(pcall(act, visitor, ...), false)
        end
        visitor:create_chat()
        visitor:expect "pre_chat"
        refuses(visitor.screen_press, "button")
        visitor:submit_pre_chat { first_name = "Ada" }
        visitor:expect "connected"
        expect(visitor.screen.chat, { emailChatHistoryButton = match.absent, endChatButton = match.absent })
        refuses(visitor.screen_press, "emailChatHistoryButton", "ada@example.com")
        refuses(visitor.screen_press, "endChatButton")
        desk:drop_socket(visitor)
        visitor:expect "disconnected"
        expect(visitor.screen.chat.inputTextView, match.absent)
        refuses(visitor.screen_type, "inputTextView", "Hello?")
        refuses(visitor.screen_press, "sendButton")
        visitor:end_session()
    end)

    scenario("a second page begins without marks", { tags = { "screen", "forms" } }, function(t)
        t:server(boldchat, {
            pre_chat = {
                pages = {
                    { { key = "first_name", required = true } },
                    { { key = "last_name", required = true }, { key = "email", type = "email" } },
                },
            },
        })
        local visitor = t:actor(boldchat, { profile = "html" })
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:screen_press "button"
        visitor:expect("form_invalid", { keys = match.equals { "first_name" } })
        visitor:screen_type("first_name", "Ada")
        visitor:screen_press "button"
        visitor:expect("pre_chat", {})
        expect(visitor.screen, cell { key = "last_name", missingView = false, textField = "" })
        visitor:end_session()
    end)

    scenario("the transcript's alert asks where it shall go", { tags = { "screen" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        visitor:screen_press "emailChatHistoryButton"
        expect(visitor.screen.chat.emailAlert, "")
        visitor:screen_type("emailAlert", "ada@example.com")
        visitor:screen_press "emailAlertSend"
        visitor:expect "transcript_requested"
        expect(visitor.screen.chat.emailAlert, match.absent)
        visitor:finish()
        visitor:expect "ended"
        expect(desk:mails(), match.has { kind = "transcript", to = "ada@example.com" })
    end)

    scenario("an app replaces templates and leaves outlets out", { tags = { "screen" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat, {
            view_settings = { chatViewXibName = "OurChatView" }, disconnected_outlets = { "emailChatHistoryButton" },
        })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        expect(visitor.screen.chat, { template = "OurChatView", emailChatHistoryButton = match.absent })
        visitor:screen_press "chatExternalActionButton"
        visitor:expect("action_performed", { action = "boldChatViewControllerChatExternalActionPressed" })
        visitor:end_session()
    end)

    scenario("a language that runs right to left turns the screen", { tags = { "screen", "language" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat, { language = "he-IL" })
        visitor:create_chat()
        visitor:expect "pre_chat"
        expect(visitor.screen.direction, "rtl")
        visitor:end_session()
    end)
end)
