-- What the simulated BoldChat account answers to plain requests: parameters, repetitions, wrong turns, files and polls.
local boldchat = require "boldchat"
local http = require "http"

local account, key = "/aid/1000100010001", "1000100010001:2000200020002:rehearsal"
local files = account .. "/account-id/1000100010001/v1/files"

local function plain(t, settings)
    local desk = t:server(boldchat, settings)
    local client = t:actor(http, { server = desk })
    t:allow { "message", "response" }
    -- Calls a method and returns the members of its answer.
    local function call(method, parameters, status, options)
        options = options or { query = { auth = key } }
        options.form = options.json == nil and (parameters or {}) or nil
        client:post(account .. "/rest/json/v1/" .. method, options.json, options)
        local answer = client:expect "response"
        check(answer.status, status or 200, method)
        return answer.json
    end
    local function refused(words, method, parameters)
        check(call(method, parameters), { Status = "error", Message = match.contains(words) }, method)
    end
    local function succeeds(method, parameters)
        local answer = call(method, parameters)
        check(answer.Status, "success", method)
        return answer
    end
    return succeeds, refused, desk, client, call
end

scenario("an account lets in whoever names its key, in the address or in the head", { tags = { "requests" } }, function(t)
    local _, _, _, client, call = plain(t)
    local function is(status, options)
        call("getDepartments", nil, status, options)
    end
    is(200, { query = { auth = key } })
    is(401, { query = { auth = key .. "x" } })
    is(401, {})
    is(200, { headers = { Authorization = "Basic " .. key } })
    is(200, { headers = { authorization = "bAsIc MTAwMDEwMDAxMDAwMToyMDAwMjAwMDIwMDAyOnJlaGVhcnNhbA==" } })
    is(401, { headers = { authorization = "Basic bm9ib2R5" } })
    is(401, { headers = { authorization = "Bearer " .. key } })
    is(200, { headers = { authorization = "Bearer x" }, query = { auth = key } })
    is(401, { headers = { authorization = "Basic x" }, query = { auth = key } })
    client:get(account .. "/oss/ws?ck=1")
    client:expect("response", { status = 404 })
end)

scenario("a form is led by plain requests, and each call out of turn is refused", { tags = { "requests" } }, function(t)
    local succeeds, refused, desk = plain(t, { pre_chat = { { key = "name", required = true }, { key = "email", type = "email" } } })
    local chat = succeeds("createChat", { VisitorID = "ada", IncludeBrandingValues = "true" })
    expect(chat, { PreChat = { Fields = match.count(2) }, Brandings = match.any, ChatWindowSettings = match.absent, Language = "en-US", WebSocketURL = match.absent })
    local function me(more)
        more = more or {}
        more.ChatKey = chat.ChatKey
        return more
    end
    expect(succeeds("resolveChatKey", me()), { ChatKey = chat.ChatKey, Startable = false, Ended = false })
    refused("Chat has ended", "sendMessage", me { Message = "Hello" })
    refused("Chat has ended", "startChat", me())
    refused("Chat has ended", "acceptVideoSession", me())
    refused("Chat has not ended", "submitPostChat", me())
    refused("not unavailable", "submitUnavailableEmail", me())
    refused("Missing required field: name", "submitPreChat", me { Data = "{}" })
    refused("Missing required field: name", "submitPreChat", me { Data = '{"name": ""}' })
    refused("Missing required field: name", "submitPreChat", me { Data = "no JSON" })
    refused("Invalid field: email", "submitPreChat", me { Data = '{"name": "Ada", "email": "nobody"}' })
    expect(desk:chats(), { { state = "pre_chat", values = match.count(0) } })
    local begun = succeeds("submitPreChat", me { Data = '{"name": "Ada"}' })
    expect(begun, { Name = "Ada", ClientID = match.pattern "%d+", WebSocketURL = match.any, LongPollURL = match.any, ClientTimeout = 300, AnswerTimeout = match.absent })
    expect(succeeds("submitPreChat", me { Data = '{"name": "Ada"}' }), { ClientID = begun.ClientID })
    expect(succeeds("submitPreChat", me { Data = '{"name": "Eve"}' }), { ClientID = begun.ClientID }) -- it has begun already
    succeeds("cancelPreChat", me()) -- and cannot be canceled any more
    expect(desk:chats(), { { state = "waiting", values = { name = "Ada" } } })
    expect(desk.waiting, match.count(1))
    expect(succeeds("resolveChatKey", me()), { Startable = true, Ended = false })
    expect(succeeds("startChat", me()), { Brandings = match.absent, Name = "Ada" })
    expect(succeeds("startChat", me { IncludeBrandingValues = "true" }), { Brandings = match.any })
    refused("Invalid Language", "changeLanguage", me())
    expect(succeeds("changeLanguage", me { Language = "de" }), { Language = "de-DE", Departments = match.absent })
    refused("Invalid EmailAddress", "emailChatHistory", me())
    expect(succeeds("pingChat", me()), { Recapture = false })
    desk:offer_recapture(true)
    expect(succeeds("pingChat", me()), { Recapture = true })
    succeeds("sendMessage", me { Message = "One", ChatMessageID = "1" })
    succeeds("sendMessage", me { Message = "One", ChatMessageID = "1" })
    succeeds("sendMessage", me { Message = "Two", Name = "A." })
    expect(desk:chats(), { { messages = match.equals { { from = "visitor", name = "Ada", text = "One" }, { from = "visitor", name = "A.", text = "Two" } } } })
    succeeds("pingChat", me { Closed = "true" })
    expect(desk:chats(), { { state = "closed", ended_reason = "visitor", language = "de-DE" } })
    expect(succeeds("resolveChatKey", me()), { Startable = false, Ended = true })
    succeeds("visitorTyping", me { IsTyping = "true" })
    refused("Chat has ended", "sendMessage", me { Message = "Three" })
    refused("not ended", "submitPostChat", me()) -- a window that was closed has no survey
    expect(desk.waiting, {})
end)

scenario("a form that is canceled is closed, and one that nobody can answer any more is not begun", { tags = { "requests" } }, function(t)
    local succeeds, refused, desk = plain(t)
    local first, second = succeeds("createChat"), succeeds("createChat")
    succeeds("cancelPreChat", { ChatKey = first.ChatKey })
    refused("not in pre-chat", "submitPreChat", { ChatKey = first.ChatKey, Data = '{"first_name": "Ada"}' })
    desk:close()
    local answer = succeeds("submitPreChat", { ChatKey = second.ChatKey, Data = '{"first_name": "Ada"}' })
    expect(answer, { UnavailableReason = "outside_hours", UnavailableForm = { Fields = match.count(3) } })
    desk:open()
    refused("not in pre-chat", "submitPreChat", { ChatKey = second.ChatKey, Data = '{"first_name": "Eve"}' })
    refused("Chat has ended", "startChat", { ChatKey = second.ChatKey })
    local mail = { ChatKey = second.ChatKey, From = "nobody", Body = "When?" }
    refused("Invalid field: email", "submitUnavailableEmail", mail)
    mail.From = "ada@example.com"
    refused("Missing required field: subject", "submitUnavailableEmail", mail)
    expect(desk:mails(), {})
    mail.Subject = "Hours"
    succeeds("submitUnavailableEmail", mail)
    succeeds("submitUnavailableEmail", mail)
    expect(desk:mails(), match.count(1)) -- the same mail again is a repetition
    mail.Body = "And when then?"
    succeeds("submitUnavailableEmail", mail)
    expect(desk:mails(), { { body = "When?" }, { subject = "Hours", from = "ada@example.com", body = "And when then?" } })
    expect(desk:chats(), { { state = "closed" }, { state = "unavailable" } })
    expect(first.VisitorID, match.is_not(second.VisitorID))
end)

scenario("a form on the wire says of its fields what the account does", { tags = { "requests", "forms" } }, function(t)
    local succeeds = plain(t, {
        pre_chat = {
            { key = "a", label_branding = "our#label", show_department_status = true, required = true },
            { key = "b", multi_line = true, shown = false, value = "x" },
            { key = "c", type = "select", options = {
                { value = "1", name_branding = "our#name", default = true, available = false, available_label = "out", available_label_branding = "our#out" },
                { value = "2" },
            } },
        },
        branding = { ["en-US"] = { ["our#label"] = "A", ["our#name"] = "One", ["our#out"] = "away" } },
    })
    expect(succeeds("createChat").PreChat.Fields, {
        { Key = "a", Type = "text", Label = "a", LabelBranding = "our#label", ShowDepartmentStatus = true, Required = true, MultiLine = match.absent, Value = match.absent, Options = match.absent },
        { Key = "b", MultiLine = true, ShowSelector = false, Value = "x", Required = false, LabelBranding = match.absent, ShowDepartmentStatus = match.absent },
        { Key = "c", Type = "select", ShowSelector = match.absent, Options = {
            { Name = "1", Value = "1", NameBrandingKey = "our#name", Default = true, Available = false, AvailableLabel = "out", AvailableLabelBranding = "our#out" },
            { Name = "2", Value = "2", NameBrandingKey = match.absent, Default = match.absent, Available = match.absent, AvailableLabel = match.absent },
        } },
    })
end)

scenario("who visits is said in visible letters, and not in too many", { tags = { "requests" } }, function(t)
    local succeeds, refused = plain(t)
    expect(succeeds("createChat", { VisitorID = ("a"):rep(64) }).VisitorID, ("a"):rep(64))
    refused("Invalid VisitorID", "createChat", { VisitorID = ("a"):rep(65) })
    refused("Invalid VisitorID", "createChat", { VisitorID = "ä" })
    refused("Invalid VisitorID", "createChat", { VisitorID = "a\nb" })
    refused("Invalid DepartmentID", "createChat", { Data = '{"department": "9"}' })
    refused("Invalid DepartmentID", "getChatAvailability", { DepartmentID = "9" })
    refused("Invalid ChatKey", "pingChat")
    refused("Invalid ChatKey", "pingChat", { ChatKey = "9" })
end)

scenario("a creation that is repeated under its key is one chat until the chat is used", { tags = { "requests" } }, function(t)
    local _, _, desk, _, call = plain(t, { pre_chat = false })
    local function create(name)
        return call("createChat", nil, 200, { query = { auth = key }, headers = { ["Idempotency-Key"] = name } })
    end
    local first = create "one"
    expect(create("one").ChatKey, first.ChatKey)
    expect(create("two").ChatKey, match.is_not(first.ChatKey))
    expect(desk:chats(), match.count(2))
    call("pingChat", { ChatKey = first.ChatKey })
    expect(create("one").ChatKey, match.is_not(first.ChatKey))
    expect(desk:chats(), match.count(3))
end)

scenario("a file is announced, sent and published once, in a chat that takes files", { tags = { "requests", "files" } }, function(t)
    local succeeds, _, desk, client = plain(t, { pre_chat = false })
    local chat = succeeds("createChat")
    desk:agent("Sam"):accept()
    local function announce(members)
        client:post(files, members)
        return client:expect "response"
    end
    local whole = { chatId = chat.ChatID, clientId = chat.ClientID, fileName = "a.txt" }
    for _, wrong in ipairs { {}, { clientId = chat.ClientID, fileName = "a.txt" }, { chatId = chat.ChatID, clientId = chat.ClientID }, { chatId = chat.ChatID, clientId = "1", fileName = "a.txt" }, { chatId = "1", clientId = chat.ClientID, fileName = "a.txt" } } do
        expect(announce(wrong).status, 400)
    end
    local announced = announce(whole)
    expect(announced, { status = 200, json = { token = match.pattern "%x+", uploadUrl = match.glob "*/v1/files/*" } })
    local token = announced.json.token
    client:request("PUT", files .. "/nothing")
    client:expect("response", { status = 404 })
    client:post(files .. "/" .. token, {})
    client:expect("response", { status = 200, json = { token = token } })
    expect(desk:agent("Sam"):events "attachment_uploaded", {})
    client:request("PUT", files .. "/" .. token)
    client:expect("response", { status = 200, json = { token = token } })
    desk:agent("Sam"):expect("attachment_uploaded", { file = "a.txt", token = token })
    client:request("PUT", files .. "/" .. token)
    client:expect("response", { status = 404 })
    succeeds("finishChat", { ChatKey = chat.ChatKey })
    expect(announce(whole).status, 400)
end)

scenario("a poll brings what has happened, once it has been named, and is held while nothing has", { tags = { "requests", "long_poll" }, timeout = "2m" }, function(t)
    local succeeds, _, desk = plain(t, { pre_chat = false, client_timeout = "10s" })
    local chat = succeeds("createChat")
    local window = t:actor(http, { server = desk }) -- polls over a connection of its own
    local function poll(after)
        window:get(account .. "/oss/poll?ck=" .. chat.ChatKey .. "&LastMessageID=" .. after)
    end
    local function answer(within)
        return window:expect("response", { status = 200 }, { within = within or "2s" }).json
    end
    poll(0)
    local first = answer()
    expect(first, { { method = "updateChat" }, { method = "reconnect", id = json.null } })
    poll(first[1].id)
    wait "1s"
    desk:push_auto_message "Hello"
    local second = answer()
    expect(second, { { method = "autoMessage", params = { { Text = "Hello" } } }, { method = "reconnect" } })
    expect(second[1].id > first[1].id, true)
    poll(first[1].id) -- what was not acknowledged comes again
    expect(answer(), { { method = "autoMessage" }, { method = "reconnect" } })
    poll(second[1].id)
    wait "24s"
    expect(desk:chats(), { { state = "waiting", connected = true } })
    expect(answer "2s", { { method = "reconnect" } })
    expect(desk:chats(), { { connected = false } })
    poll(second[1].id)
    wait "1s"
    poll(second[1].id) -- a poll that comes after another ends it
    expect(answer(), { { method = "reconnect" } })
    succeeds("finishChat", { ChatKey = chat.ChatKey })
    local last = answer()
    expect(last, { { method = "updateChat", params = { { Values = { EndedReason = "visitor", Ended = match.any } } } } })
    expect(last, match.count(1)) -- and no call to come again
end)

scenario("a visitor who never comes is gone after the time-out, and one who holds a poll is not", {
    tags = { "requests", "long_poll" }, timeout = "1m",
}, function(t)
    local succeeds, _, desk, client = plain(t, { pre_chat = false, client_timeout = "5s" })
    local sam = desk:agent "Sam"
    local first, second = succeeds("createChat"), succeeds("createChat")
    wait "3s"
    local function poll(after)
        client:get(account .. "/oss/poll?ck=" .. second.ChatKey .. "&LastMessageID=" .. after)
    end
    poll(0)
    poll(client:expect("response", { status = 200 }).json[1].id)
    wait "2500ms"
    sam:expect("chat_ended", { reason = "disconnect", chat_key = first.ChatKey })
    wait "4s"
    expect(desk:chats(), { { state = "ended", ended_reason = "disconnect" }, { state = "waiting", connected = true } })
end)
