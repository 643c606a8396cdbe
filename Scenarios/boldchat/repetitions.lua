-- What the account says once more or in part, what it withdraws, and what it refuses although the form was right.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

scenario("a browser takes the changes of a message one by one, and tells nothing where nothing changed", {
    tags = { "messages" },
}, function(t)
    local visitor, _, desk = beginnings.greeted(t, { profile = "html" })
    local id = visitor:events("message")[1].id
    local function change(values) desk:send_event("addMessage", { MessageID = id, Values = values }, visitor) end
    change { Text = "Good evening!" }
    visitor:expect("message_updated", { id = id, text = "Good evening!", name = "Sam" })
    change { OriginalText = "Guten Abend!" }
    visitor:expect("message_updated", { id = id, text = "Good evening!", original_text = "Guten Abend!" })
    change { Text = "Good evening!" }
    visitor:expect_silence("300ms", any { "message", "message_updated" })
    expect(visitor.screen.chat.chatHistoryWebView, { { text = "Good evening!" } })
    visitor:end_session()
end)

scenario("a status text of the system may change until somebody answers", { tags = { "messages" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    local function say(text)
        desk:send_event("addMessage", { MessageID = "77", Values = { PersonID = "s", PersonType = "system", Text = text } }, visitor)
    end
    say "All agents are busy."
    visitor:expect("message", { from = "system", text = "All agents are busy." })
    say "Somebody comes soon."
    visitor:expect("message_updated", { id = "77", text = "Somebody comes soon." })
    expect(visitor.screen.chat, { status = "Somebody comes soon.", chatHistoryWebView = match.count(0) })
    visitor:end_session()
end)

scenario("a wait without a number is no wait", { tags = { "queue" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    desk:send_event("updateBusy", { Position = 2, ShowWaitTime = true }, visitor)
    visitor:expect("queue", { position = 2, wait_time = 0, wait_time_unit = "" })
    desk:send_event("updateBusy", { ShowWaitTime = false, WaitTime = 5 }, visitor)
    visitor:expect("queue", { position = -1, wait_time = match.absent })
    visitor:end_session()
end)

for _, link in ipairs { "web_socket", "long_poll" } do
    scenario("a visitor whose " .. link .. " breaks off misses nothing of what is said meanwhile", {
        tags = { "links" },
    }, function(t)
        t:allow { "disconnected", "reconnected" }
        local visitor, sam, desk = beginnings.greeted(t, { profile = "html", link = link })
        for number = 1, 3 do
            desk:drop_socket(visitor)
            sam:say("after loss " .. number)
            visitor:expect("message", { text = "after loss " .. number }, { within = "30s" })
        end
        expect(visitor:events "message", match.count(4))
        visitor:say "I heard it all"
        sam:expect("message", { text = "I heard it all" }, { within = "30s" })
        visitor:end_session()
    end)
end

scenario("a queue that takes nobody is too long for everybody", { tags = { "queue", "unavailable" } }, function(t)
    local desk = t:server(boldchat, { queue_limit = 0 })
    local visitor = t:actor(boldchat)
    visitor:check_availability()
    visitor:expect("unavailable", { reason = "queue_full" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect("unavailable", { reason = "queue_full" })
    visitor:end_session()
    expect(desk.waiting, {})
end)

scenario("a department that the account does not know is refused, in the form and before it", {
    tags = { "forms", "errors" },
}, function(t)
    local desk = t:server(boldchat, {
        departments = { { id = "1", name = "Sales" } },
        pre_chat = { { key = "department", type = "text" } },
    })
    local visitor = t:actor(boldchat)
    visitor:create_chat()
    local form = visitor:expect("pre_chat").form
    visitor:submit_pre_chat { department = "9" }
    visitor:expect("error", { operation = "submit_pre_chat", message = "Invalid DepartmentID" })
    form:fill { department = "1" }:submit()
    visitor:expect "connected"
    expect(desk:chats(), match.has { state = "waiting", values = { department = "1" } })
    visitor:end_session()
end)

scenario("a phone cannot be loaded again, nor a page without a chat", { tags = { "links", "errors" } }, function(t)
    t:server(boldchat)
    for profile, reason in pairs { ios = 'profile = "html"', html = "no chat to come back to" } do
        local visitor = t:actor(boldchat, { profile = profile })
        local done, why = pcall(visitor.reload, visitor)
        expect(done, false)
        expect(tostring(why), match.contains(reason))
    end
end)

scenario("a page that is loaded again waits anew for the first answer", { tags = { "links" }, timeout = "1m" }, function(t)
    t:server(boldchat, { answer_timeout = "6s" })
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    wait "4s"
    visitor:reload()
    visitor:expect "chat_started"
    visitor:expect "connected"
    wait "4s"
    expect(visitor:events "unavailable", {})
    visitor:expect("unavailable", {}, { within = "4s" })
    visitor:end_session()
end)

scenario("the desk takes a visitor back in the next session, too", { tags = { "recapture" }, timeout = "5m" }, function(t)
    local visitor, sam, desk = beginnings.greeted(t)
    desk:offer_recapture(true, visitor)
    visitor:expect("recapture", {}, { within = "35s" })
    visitor:expect_silence("65s", "recapture") -- told once
    visitor:end_session()
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    desk:offer_recapture(true, visitor)
    visitor:expect("recapture", {}, { within = "35s" })
    visitor:end_session()
end)
