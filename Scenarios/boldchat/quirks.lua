-- Mistakes of the vendor's clients, each on as real clients have it, and switched off.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- Brings a visitor with some quirks into a chat that an agent has accepted.
local function in_chat(t, quirks) return beginnings.in_chat(t, { quirks = quirks }) end

-- Plays the same conversation with a quirk on and off.
local function both(title_on, title_off, quirk, options, body)
    scenario(title_on, options, function(t) body(t, { [quirk] = true }, true) end)
    scenario(title_off, options, function(t) body(t, { [quirk] = false }, false) end)
end

local repeated = "the desk repeats over each new connection what was not surely received, and here that is one sooner"

-- The server does not know such an id, so it repeats what was not surely received; typing is not told apart.
both("a client that counts its own ids as the server's is told again that the agent types",
    "a client that counts only the server's ids is told once that the agent types",
    "foreign_message_ids", {
        tags = { "quirks", "links" },
        faults = { cut = repeated, truncate = repeated, half_close = repeated, delay = repeated },
    }, function(t, quirks, is_on)
        local visitor, sam, desk = in_chat(t, quirks)
        sam:typing(true)
        visitor:expect("typing", { active = true })
        visitor:typing(true)
        visitor:expect "typing_sent"
        desk:drop_socket(visitor)
        if is_on then
            visitor:expect("typing", { active = true }, { within = "8s" })
        else
            visitor:expect_silence("6s", "typing", { active = true })
        end
        visitor:end_session()
    end)

local again = "a message without an answer is sent again over the next connection, and the desk refuses only the first"

both("a refused message counts as sent because the answer is not examined",
    "a refused message is an error when answers are examined",
    "unexamined_answers", {
        tags = { "quirks" }, faults = { cut = again, truncate = again, half_close = again },
    }, function(t, quirks, is_on)
        local visitor, _, desk = in_chat(t, quirks)
        desk:fail_next("sendMessage", "Not today")
        visitor:say "Hello?"
        if is_on then
            visitor:expect("message_sent", { text = "Hello?" })
        else
            visitor:expect("error", { operation = "say" })
        end
        visitor:end_session()
    end)

both("an agent's end while the last message is sent leaves the chat hanging",
    "an agent's end while the last message is sent finishes the chat",
    "end_while_sending_hangs", {
        tags = { "quirks" }, faults = { duplicate = "of two messages the desk answers only the first one late" },
    }, function(t, quirks, is_on)
        local visitor, sam, desk = in_chat(t, quirks)
        desk:delay_next("sendMessage", "1s")
        visitor:say "One more thing"
        visitor:finish()
        wait "100ms"
        sam:finish()
        if is_on then
            visitor:expect_silence("2s", "post_chat")
            expect(visitor.chat_state, "SendingVisitorMessagesBeforeFinishing")
        else
            visitor:expect("post_chat", { reason = "operator" })
        end
        visitor:end_session()
    end)

both("an end by the same visitor elsewhere is ignored",
    "an end by the same visitor elsewhere finishes the chat",
    "foreign_visitor_end_ignored", { tags = { "quirks" } }, function(t, quirks, is_on)
        local visitor, _, desk = in_chat(t, quirks)
        desk:end_chat("visitor", visitor)
        if is_on then
            visitor:expect_silence("1s", "post_chat")
            expect(visitor.session_state, "Chatting")
        else
            visitor:expect("post_chat", { reason = "visitor" })
        end
        visitor:end_session()
    end)

both("a failed transcript request shows the state of the post-chat form",
    "a failed transcript request leaves the chat alone",
    "history_failure_moves_state", { tags = { "quirks", "transcript" } }, function(t, quirks, is_on)
        local visitor, _, desk = in_chat(t, quirks)
        desk:fail_next("emailChatHistory", "No mail today")
        visitor:email_history "ada@example.com"
        visitor:expect("error", { operation = "email_history", message = "No mail today" })
        expect(visitor.session_state, is_on and "PostChatForm" or "Chatting")
        visitor:end_session()
    end)

both("a failed change of language empties the language",
    "a failed change of language keeps the language",
    "language_failure_clears_branding", { tags = { "quirks", "language" } }, function(t, quirks, is_on)
        local visitor, _, desk = in_chat(t, quirks)
        desk:fail_next("changeLanguage", "No texts")
        visitor:change_language "de-DE"
        visitor:expect("error", { operation = "change_language" })
        expect(visitor.language, is_on and "" or "en-US")
        visitor:end_session()
    end)

both("an error of the chat leaves the session chatting",
    "an error of the chat ends the session",
    "chat_error_keeps_session", { tags = { "quirks", "errors" } }, function(t, quirks, is_on)
        local visitor, _, desk = in_chat(t, quirks)
        desk:fail_next("finishChat", "Cannot finish")
        visitor:finish()
        visitor:expect("error", { code = -301, domain = "BCChat" })
        if not is_on then visitor:expect("ended", { reason = "error" }) end
        expect(visitor.session_state, is_on and "Chatting" or "Finished")
        visitor:end_session()
    end)

both("answers that are no JSON are tried again until the time limit",
    "answers that are no JSON are tried again 15 times",
    "body_resets_retries", { tags = { "quirks", "faults" }, timeout = "2m" },
    function(t, quirks, is_on)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { quirks = quirks })
        desk:break_next("createChat", "malformed", 1000)
        visitor:create_chat()
        visitor:expect("error", {
            code = is_on and -104 or -102, operation = "create_chat",
            message = match.contains "the server's answer could not be read: HTTP 200 with",
        }, { within = "40s" })
        expect(now(), is_on and match.between(29, 33) or match.between(1, 5))
    end)

both("over long polling the chat is never reported as accepted",
    "over long polling the chat is reported as accepted when the client looks",
    "long_poll_never_accepts", { tags = { "quirks", "links" } }, function(t, quirks, is_on)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { link = "long_poll", quirks = quirks })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        sam:accept(visitor)
        if is_on then
            visitor:expect_silence("1s", "accepted")
        else
            visitor:expect "accepted"
        end
        visitor:end_session()
    end)

both("the session never says why it ended",
    "the session says why it ended",
    "end_reason_unassigned", { tags = { "quirks" } }, function(t, quirks, is_on)
        local visitor = in_chat(t, quirks)
        visitor:finish()
        visitor:expect("post_chat").form:submit()
        visitor:expect "ended"
        expect(visitor.end_reason, is_on and "undefined" or "visitor")
    end)
