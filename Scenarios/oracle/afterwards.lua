-- What stays of a conversation that ended, was cut off, or began anew: nothing that was under way goes on by itself.
local oracle = require "oracle"
local connected = require("beginnings").connected

group("after the server has ended the session", function()
    scenario("the client says nothing in place of the skill", {
        tags = { "endings", "default responses" }, faults = { delay = "until a late end the client goes on" },
    }, function(t)
        local user, desk = connected(t, { enable_default_client_response = true })
        user:say "Hello?"
        user:expect("auto_message", { type = "greeting" }, { within = "5.5s" })
        desk:end_session()
        user:expect("ended", { reason = "server" })
        expect(user.typing, false)
        user:expect_silence("60s", "auto_message")
    end)

    scenario("half a text is not shown", {
        tags = { "endings", "stream" }, faults = { delay = "until a late end the half is taken for the whole" },
    }, function(t)
        local user, desk = connected(t)
        desk:say { type = "textStream", text = "Once ", streamState = "start", streamId = "s", end_of_turn = false }
        user:expect("message_updated", { text = "Once " })
        desk:end_session()
        user:expect "ended"
        user:expect_silence("10s", "message")
        expect(user.messages, 0)
        user:connect()
        user:expect "connected"
        user:say "A new one"
        user:expect("message_sent", { text = "A new one" })
    end)

    scenario("completions that were asked for are not missed", { tags = { "endings", "completions" } }, function(t)
        local user, desk = connected(t, { enable_autocomplete = true })
        user:suggest "Pizza"
        desk:end_session()
        user:expect "ended"
        user:expect_silence("20s", "error")
        t:allow "suggestions" -- where they come before the end
    end)

    scenario("the agent of before is forgotten", { tags = { "endings", "agent" } }, function(t)
        local user, desk = connected(t, { enable_send_typing_status = true })
        desk:say { text = "Kim here", from = "agent", channelExtensions = { agentName = "Kim" } }
        user:expect("agent_joined", { agent = { name = "Kim" } })
        user:expect("message", { agent = "Kim" })
        desk:end_session()
        user:expect "ended"
        expect(user.agent, nil)
        user:connect()
        user:expect "connected"
        user:enter_text "Still there?"
        user:expect_silence("1s", "typing_sent")
    end)
end)

group("a client that begins a new life", function()
    -- Ends the life of a client and begins another.
    local function begin_anew(user)
        user:destroy()
        user:expect "destroyed"
        user:initialize()
        user:expect "connected"
    end

    for _, opens in ipairs { true, false } do
        scenario(("has its window %s, as the configuration says"):format(opens and "open" or "closed"), {
            tags = { "window" },
        }, function(t)
            local user = connected(t, { open_chat_on_load = opens })
            if opens then user:minimize_chat() else user:open_chat() end
            expect(user.expanded, not opens)
            begin_anew(user)
            expect(user.expanded, opens)
        end)
    end

    scenario("sends its first messages again", { tags = { "beginnings" } }, function(t)
        local user, desk = connected(t, { init_user_hidden_message = "hi" }, { echo = true })
        user:expect("message", { text = "hi" })
        begin_anew(user)
        user:expect("message", { text = "hi" })
        expect(desk:received(user), match.has { messagePayload = { text = "hi" } })
    end)

    scenario("waits for no completions of the former one", { tags = { "completions" } }, function(t)
        local user, desk = connected(t, { enable_autocomplete = true }, { suggestions = { "Pizza Funghi" } })
        desk:fault "silent"
        user:suggest "Pizza"
        begin_anew(user)
        user:expect_silence("20s", "error")
        desk:fault("silent", false)
        user:suggest "Pizza"
        user:expect("suggestions", { texts = { "Pizza Funghi" } })
    end)

    scenario("asks the application for a token although it never answered before", { tags = { "token" } }, function(t)
        local desk = t:server(oracle, { authentication = true })
        local asked = 0
        local user = t:actor(oracle, {
            token_provider = function()
                asked = asked + 1
                if asked == 1 then wait "30s" end
                return desk:make_token { userId = "ada" }
            end,
        })
        user:connect()
        user:expect("link_changed", { status = "connecting" })
        wait "1s"
        begin_anew(user)
        expect(asked, 2)
    end)

    scenario("tells an agent at once that the user types", { tags = { "agent", "typing" } }, function(t)
        local user, desk = connected(t, { enable_send_typing_status = true })
        desk:say { text = "Kim here", from = "agent", channelExtensions = { agentName = "Kim" } }
        user:expect("message", { agent = "Kim" })
        user:enter_text "Hel"
        user:expect("typing_sent", { active = true })
        begin_anew(user)
        desk:say { text = "Hello again", from = "agent", channelExtensions = { agentName = "Kim" } }
        user:expect("message", { agent = "Kim" })
        user:enter_text "Hello"
        user:expect("typing_sent", { active = true }, { within = "100ms" })
        t:allow "agent_joined"
    end)
end)

scenario("after disconnect nobody waits for completions any more", { tags = { "completions" } }, function(t)
    local user, desk = connected(t, { enable_autocomplete = true })
    desk:fault "silent"
    user:suggest "Pizza"
    user:disconnect()
    user:expect("disconnected", { reason = "ConnectionExplicitClose" })
    user:expect_silence("20s", "error")
end)

scenario("an agent without a name is told that the user types", { tags = { "agent", "typing" } }, function(t)
    local user, desk = connected(t, { enable_send_typing_status = true })
    desk:say { text = "Hello", from = "agent" }
    user:expect("message", { from = "agent", text = "Hello" })
    user:enter_text "Hi"
    user:expect("typing_sent", { active = true })
    desk:say { text = "I am back" }
    user:expect("agent_left", { name = match.absent })
    user:expect("message", { text = "I am back" })
    user:enter_text "Hi there"
    wait "4s"
    expect(user:events "typing_sent", match.count(1)) -- the skill is not told
    t:allow "agent_joined"
end)
