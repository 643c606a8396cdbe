-- Ends of a chat that cross each other: the visitor's, the agent's, the server's and the network's.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- Brings a visitor, who may lose the connection, into a chat that an agent has accepted.
local function in_chat(t, ...)
    t:allow { "disconnected", "reconnected" }
    return beginnings.in_chat(t, ...)
end

-- Sends the end of the chat as the record of the chat would say it.
local function send_end(desk, visitor, reason)
    local values = { Ended = "2024-01-01T00:00:00.000Z", EndedReason = reason }
    desk:send_event("updateChat", { Values = values }, visitor)
end

group("while the visitor finishes", function()
    for _, reason in ipairs { "disconnect", "unknown" } do
        scenario("the server ends the chat for the reason " .. reason, { tags = { "survey" } }, function(t)
            local visitor, _, desk = in_chat(t)
            visitor:finish()
            expect(visitor.chat_state, "Finishing")
            send_end(desk, visitor, reason)
            visitor:expect("post_chat", { reason = "visitor" })
            visitor:end_session()
        end)
    end

    scenario("the stream is closed for good", { tags = { "survey", "links" } }, function(t)
        local visitor, _, desk = in_chat(t)
        visitor:finish()
        desk:send_closed(visitor)
        visitor:expect("post_chat", { reason = "visitor" })
        visitor:end_session()
    end)

    scenario("the network is lost for good", { tags = { "survey", "links" } }, function(t)
        local visitor, _, desk = in_chat(t, {}, { client_timeout = "2s", heartbeat_interval = "500ms" })
        desk:block_sockets()
        desk:drop_socket(visitor)
        wait "100ms"
        desk:delay_next("finishChat", "4s")
        visitor:finish()
        wait "3s"
        expect(visitor.chat_state, "FinishingUpdateArrived")
        visitor:expect("post_chat", { reason = "visitor" })
        visitor:end_session()
    end)

    scenario("the agent finishes too", { tags = { "survey" } }, function(t)
        local visitor, sam = in_chat(t)
        sam:finish()
        visitor:finish()
        visitor:expect("post_chat", { reason = match.one_of { "operator", "visitor" } })
        visitor:end_session()
    end)
end)

group("while the last message is sent", function()
    -- A visitor who has said something that is not answered, and wants to finish.
    local function finishing(t, quirks, server)
        local visitor, sam, desk = in_chat(t, { quirks = quirks }, server)
        desk:delay_next("sendMessage", "1s")
        visitor:say "One more thing"
        visitor:finish()
        expect(visitor.chat_state, "SendingVisitorMessagesBeforeFinishing")
        return visitor, desk, sam
    end

    scenario("the chat is finished once it is there", { tags = { "survey" } }, function(t)
        local visitor = finishing(t)
        visitor:expect(seq { "message_sent", event("post_chat", { reason = "visitor" }) })
        visitor:end_session()
    end)

    local doubled = { duplicate = "of two messages the desk answers only the first one late" }
    for _, reason in ipairs { "disconnect", "unknown" } do
        scenario("the server ends the chat for the reason " .. reason, {
            tags = { "survey" }, faults = doubled,
        }, function(t)
            local visitor, desk = finishing(t)
            wait "100ms"
            desk:end_chat(reason, visitor)
            visitor:expect("post_chat", { reason = "timeout" })
            visitor:end_session()
        end)
    end

    scenario("the same visitor ends the chat elsewhere", { tags = { "survey", "quirks" } }, function(t)
        local visitor, desk = finishing(t, { foreign_visitor_end_ignored = false })
        wait "100ms"
        desk:end_chat("visitor", visitor)
        visitor:expect("post_chat", { reason = "visitor" })
        visitor:end_session()
    end)

    scenario("the stream is closed for good", { tags = { "survey", "links" }, faults = doubled }, function(t)
        local visitor, desk = finishing(t)
        wait "100ms"
        desk:send_closed(visitor)
        visitor:expect("post_chat", { reason = "timeout" })
        visitor:end_session()
    end)

    scenario("the network is lost for good", { tags = { "survey", "links" }, faults = doubled }, function(t)
        local visitor, desk = finishing(t, nil, { client_timeout = "2s", heartbeat_interval = "500ms" })
        wait "100ms"
        desk:block_sockets()
        desk:drop_socket(visitor)
        visitor:expect("post_chat", { reason = "timeout" }, { within = "4s" })
        visitor:end_session()
    end)

    scenario("the server resets the chat, which is finished afterwards", { tags = { "survey", "links" } }, function(t)
        local visitor, desk, sam = finishing(t)
        wait "100ms"
        desk:send_reset(visitor)
        visitor:expect("post_chat", { reason = "visitor" }, { within = "5s" })
        sam:expect("message", { text = "One more thing" })
        sam:expect_silence("500ms", "message")
        visitor:end_session()
    end)

    scenario("the visitor asks for the mail form instead", { tags = { "unavailable" } }, function(t)
        local visitor = finishing(t)
        visitor:cancel_chat()
        visitor:expect("unavailable", { reason = "unknown", form = match.any })
        visitor:end_session()
    end)
end)

group("while the chat is started again after a reset", function()
    -- A visitor who waits while the server takes its time to start the chat again.
    local function resetting(t, server, place)
        local desk = t:server(boldchat, server)
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        desk:delay_next(place or "startChat", "5s")
        desk:send_reset(visitor)
        wait "200ms"
        return visitor, desk
    end

    local late = "a client that lost its connection hears of the reset five seconds later"
    local lost = { cut = late, truncate = late, half_close = late, delay = late }

    scenario("the visitor finishes", { tags = { "survey", "links" }, faults = lost }, function(t)
        local visitor = resetting(t)
        expect(visitor.chat_state, "ChatStarting")
        visitor:finish()
        visitor:expect("ended", { reason = "visitor" })
    end)

    scenario("the visitor leaves the queue", { tags = { "unavailable", "links" } }, function(t)
        local visitor = resetting(t)
        visitor:cancel_chat()
        visitor:expect("unavailable", { reason = "unknown" })
        visitor:end_session()
    end)

    scenario("nobody answers in time", { tags = { "unavailable", "links" } }, function(t)
        local visitor = resetting(t, { answer_timeout = "1s" })
        visitor:expect("unavailable", { reason = "unknown" })
        visitor:end_session()
    end)

    local taken = "the slow answer is that to the connection which is lost"
    scenario("nobody answers in time, not even the socket", {
        tags = { "unavailable", "links" },
        faults = {
            cut = taken, truncate = taken, half_close = taken, http_429 = taken, http_500 = taken, http_503 = taken,
            delay = "the state is looked at a fifth of a second after the reset",
            reorder = "the state is looked at a fifth of a second after the reset",
        },
    }, function(t)
        local visitor = resetting(t, { answer_timeout = "1s" }, "socket")
        expect(visitor.chat_state, "OSSStarting")
        visitor:expect("unavailable", { reason = "unknown" })
        visitor:end_session()
    end)
end)

scenario("a chat that could not be finished can be finished by the visitor alone", { tags = { "errors" } }, function(t)
    local visitor, _, desk = in_chat(t)
    desk:fail_next("finishChat", "Not now")
    visitor:finish()
    visitor:expect("error", { code = -301, message = match.any })
    expect(visitor.chat_state, "Error")
    visitor:finish()
    visitor:expect("ended", { reason = "visitor" })
end)

scenario("an agent's end without a survey is the end", { tags = { "survey" } }, function(t)
    local visitor, sam = in_chat(t, {}, { post_chat = false })
    sam:finish()
    visitor:expect("ended", { reason = "operator" })
end)

local moves = "the queue moves while the client connects again"
scenario("a visitor leaves the queue of a desk that takes no mail", {
    tags = { "queue", "unavailable" }, faults = { cut = moves, truncate = moves, half_close = moves },
}, function(t)
    t:server(boldchat, { queue = 2, unavailable = false })
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect("queue", { position = 2, unavailable_form_available = false })
    visitor:cancel_chat()
    visitor:expect(seq { event("unavailable", { form = match.absent }), "ended" })
    expect(visitor.session_state, "Finished")
end)

scenario("a server may start and end the chat of a browser by events of its own", { tags = { "links" } }, function(t)
    local visitor, sam, desk = in_chat(t, { profile = "html" })
    wait "200ms"
    desk:send_event("startChat", {}, visitor)
    sam:say "Here again"
    visitor:expect("message", { text = "Here again" })
    desk:send_event("finishChat", {}, visitor)
    visitor:expect("chat_ended", { reason = "operator" })
    visitor:finish()
    visitor:expect("post_chat", { reason = "operator" })
    visitor:end_session()
end)
