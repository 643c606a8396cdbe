-- What an application of one's own gets that calls the visitor API by plain HTTP, as the vendor's reference has it.
local boldchat = require "boldchat"
local http = require "http"

local account, key = "/aid/1000100010001", "1000100010001:2000200020002:rehearsal"

-- A plain client of an account with these settings; `call` posts to a method and returns the answer.
local function plain(t, settings)
    local desk = t:server(boldchat, settings)
    local client = t:actor(http, { server = desk, query = { auth = key } })
    t:allow { "message", "response" }
    local function call(method, parameters, status)
        client:post(account .. "/rest/json/v1/" .. method, nil, { form = parameters or {} })
        local answer = client:expect "response"
        check(answer.status, status or 200, method)
        return answer.json
    end
    -- Calls a method that is refused with these words.
    local function refused(words, method, parameters)
        local answer = call(method, parameters)
        check(answer, { Status = "error", Message = match.contains(words) }, method)
    end
    return call, refused, desk, client
end

scenario("methods that nobody knows, and callers that nobody knows, are refused", { tags = { "requests" } }, function(t)
    local call, _, desk = plain(t)
    expect(call("doNothing", nil, 404), { Status = "error", Message = "Unknown method" })
    local stranger = t:actor(http, { server = desk })
    for _, path in ipairs { "/nothing", "/aid/1/rest/json/v1/createChat", account .. "/nothing" } do
        stranger:get(path)
        check(stranger:expect("response").status, 404, path)
    end
    stranger:post(account .. "/rest/json/v1/createChat", nil, { form = {} })
    stranger:expect("response", { status = 401, json = { Status = "error", Message = "Not authorized" } })
    stranger:get(account .. "/oss/poll?ck=nobody")
    stranger:expect("response", { status = 404 })
end)

scenario("a chat without a pre-chat form is led by plain requests", { tags = { "requests" } }, function(t)
    local call, refused, desk = plain(t, { pre_chat = false })
    expect(call("getChatAvailability", { VisitorID = "ada" }), { Status = "success", Available = true })
    local chat = call("createChat", { VisitorID = "ada", Language = "en-US" })
    expect(chat, { Status = "success", ChatKey = match.any, ChatID = match.any })
    local me = { ChatKey = chat.ChatKey }
    refused("unavailable", "submitUnavailableEmail", me)
    refused("not ended", "submitPostChat", me)
    refused("EmailAddress", "emailChatHistory", { ChatKey = chat.ChatKey, EmailAddress = "nobody" })
    refused("Language", "changeLanguage", me)
    refused("ActiveAssistID", "acceptActiveAssist", { ChatKey = chat.ChatKey, ActiveAssistID = "1" })
    refused("RCHistoryID", "acceptRemoteControlSession", { ChatKey = chat.ChatKey, RCHistoryID = "1" })
    refused("video", "acceptVideoSession", me)
    for _, method in ipairs { "startChat", "finishChat", "sendMessage", "pingChat" } do
        expect(call(method, { ChatKey = "nobody's" }).Status, "error")
    end
    expect(call("startChat", me).Status, "success")
    expect(call("sendMessage", { ChatKey = chat.ChatKey, Message = "Hello", ChatMessageID = "1" }).Status, "success")
    expect(call("visitorTyping", { ChatKey = chat.ChatKey, IsTyping = "true" }).Status, "success")
    expect(call("pingChat", me).Status, "success")
    expect(call("finishChat", me).Status, "success")
    for _, method in ipairs { "startChat", "sendMessage", "acceptActiveAssist" } do refused("ended", method, me) end
    expect(call("submitPostChat", { ChatKey = chat.ChatKey, overall = "5" }).Status, "success")
    expect(desk:chats(), { { visitor_id = "ada", messages = match.count(1), ended_reason = "visitor" } })
end)
