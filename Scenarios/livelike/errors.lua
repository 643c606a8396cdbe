-- Every error that the vendor's SDK names and a service or a carrier can cause, by that name.
local livelike = require "livelike"
local listening = require("beginnings").listening

local picture = "R0lGODdhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs="

-- Does what the next answer of the service at a path breaks, and hears of it by the error's name.
local function breaks(title, path, answer, act, error)
    scenario(title, {
        tags = { "errors" }, faults = { half_close = "the broken answer is lost, and its request repeated" },
    }, function(t)
        local service = t:server(livelike)
        local ada = listening(t)
        service:answer_next(path, answer)
        act(ada)
        ada:expect("error", error)
        -- The session goes on.
        service:moderator("Host"):say "Go on"
        ada:expect("message", { text = "Go on" })
    end)
end

local function send_picture(ada) ada:send_image(nil, picture) end

breaks("an upload without an answer is noDataInResponse", "/upload", nil, send_picture,
    { code = "noDataInResponse", callback = "sendMessage" })
breaks("an upload that is answered with anything else is failedToDecodeDataAsImageResource", "/upload", { id = "i" },
    send_picture, { code = "failedToDecodeDataAsImageResource", callback = "sendMessage" })
breaks("a message without an answer is noData", "/chatroom-messages/", nil, function(ada) ada:say "Hello" end,
    { code = "noData", callback = "sendMessage" })
breaks("a message that is answered by a page of a proxy is decodingError", "/chatroom-messages/",
    "<html>Sign in</html>", function(ada) ada:say "Hello" end, { code = "decodingError", callback = "sendMessage" })
breaks("a message that is answered with another room's is invalidResponse", "/chatroom-messages/",
    { id = "m", sender_id = "u", message = "Hello", chat_room_id = "elsewhere" }, function(ada) ada:say "Hello" end,
    { code = "invalidResponse", callback = "sendMessage" })
breaks("a muted status without its answer is decodingError", "/muted-status", {}, function(ada) ada:muted_status() end,
    { code = "decodingError", callback = "getChatUserMutedStatus" })

scenario("a room that is answered without its channel is decodingError, and connects at the next try", {
    tags = { "errors" }, faults = { half_close = "the broken answer is lost, and its request repeated" },
}, function(t)
    local service = t:server(livelike)
    local ada = t:actor(livelike)
    service:answer_next("/chat-rooms/lobby", { id = "lobby", title = "Lobby" })
    ada:connect "lobby"
    ada:expect("error", { code = "decodingError", callback = "connectChatRoom", room = "lobby" })
    ada:connect "lobby"
    ada:expect "connected"
end)

scenario("what answer_next cannot answer is refused", { tags = { "errors" } }, function(t)
    local service = t:server(livelike)
    local function refused(words, ...)
        local ok, said = pcall(service.answer_next, service, ...)
        expect(ok, false)
        expect(tostring(said), match.contains(words))
    end
    refused("answer_next takes a status from 200 to 599, not 100", "/upload", nil, 100)
    refused("answer_next needs a part of the path", "")
    refused("did you mean \"upload\"?", "/uplaod")
end)

-- What a service cannot do because its resources do not say where, and the error of the vendor's SDK for it.
for _, row in ipairs {
    { "nickname", "sendMessageFailedNoNickname", "sendMessage", function(ada) ada:say "Hello" end },
    { "upload_url", "failedToSendImageDueToMissingData", "sendMessage", send_picture },
    { "create_chat_room_url", "failedCreatingChatRoomUrl", "createChatRoom", function(ada) ada:create_room() end },
    { "muted_status_url_template", "invalidUserMutedStatusURLTemplate", "getChatUserMutedStatus",
        function(ada) ada:muted_status() end },
    { "report_message_url", "failedDueToMissingMessageReporter", "reportMessage",
        function(ada) ada:report_message(ada:messages()[1].id) end },
    { "custom_messages_url", "invalidResponse", "sendCustomMessage", function(ada) ada:send_custom "{}" end },
    { "pinned_messages_url", "invalidResponse", "getPinMessageInfoList", function(ada) ada:pinned_messages() end },
} do
    local member, code, callback, act = table.unpack(row)
    scenario(("a service without %s makes %s fail with %s"):format(member, callback, code), {
        tags = { "errors" },
    }, function(t)
        local service = t:server(livelike, { without = { member } })
        service:moderator("Host"):say "Welcome"
        local ada = listening(t)
        act(ada)
        ada:expect("error", { code = code, callback = callback })
    end)
end

scenario("a template of the muted status that is none is invalidUserMutedStatusURL", { tags = { "errors" },
    faults = { half_close = "the broken answer is lost, and its request repeated" },
}, function(t)
    local service = t:server(livelike)
    service:answer_next("/chat-rooms/lobby", {
        id = "lobby", channels = { chat = { pubnub = "chatroom.lobby" } }, muted_status_url_template = "nowhere",
        chatroom_messages_url = service.url .. "/api/v1/chatroom-messages/",
    })
    local ada = listening(t)
    ada:muted_status()
    ada:expect("error", { code = "invalidUserMutedStatusURL" })
end)

-- What the carrier does to a page of history, and the error of the vendor's SDK for it.
for _, row in ipairs {
    { "refuses it", "pubnubStatusError", "loadNextHistory", nil },
    { "says that it failed", "pubnubStatusError", "loadNextHistory",
        { status = 500, error = true, error_message = "Sorry" } },
    { "names no channels", "foundNoResultsFromHistoryRequest", "loadNextHistory", { status = 200 } },
    { "names no channels to count in", "noMessageCountResult", "getMessageCount", { status = 200 } },
    { "counts in another channel", "noMessageCountForChannel", "getMessageCount",
        { status = 200, channels = { elsewhere = {} } } },
} do
    local what, code, callback, answer = table.unpack(row, 1, 4)
    scenario(("a page of history is %s if the carrier %s"):format(code, what), {
        tags = { "errors", "history" }, faults = { half_close = "the broken answer is lost, and its request repeated" },
    }, function(t)
        local service = t:server(livelike)
        service:moderator("Host"):say "Welcome"
        local ada = listening(t, { carriage = "pubnub" })
        if answer then service:answer_next("/history", answer) else service:fail_next("/history", 403) end
        if callback == "getMessageCount" then ada:get_message_count "1" else ada:load_next_history() end
        ada:expect("error", { code = code, callback = callback })
        ada:get_message_count "1"
        ada:expect("completed", { value = 1 })
    end)
end

scenario("the Android SDK has words for a room without a name, and for one that is connected", {
    tags = { "errors" },
}, function(t)
    t:server(livelike)
    local ada = listening(t, { platform = "android" })
    ada:connect ""
    ada:expect("error", { code = "emptyRoomID", message = "ChatRoom Id cannot be Empty",
        callback = "connectToChatRoom" })
    ada:connect "lobby"
    ada:expect("error", { code = "alreadyConnected", message = "Already Connected to ChatRoom", room = "lobby" })
    -- To the other SDK both are a mistake of the script.
    local eve = listening(t)
    for room, words in pairs { [""] = "connect needs a room", lobby = "is connected already" } do
        local ok, why = pcall(eve.connect, eve, room)
        expect({ ok, tostring(why) }, { false, match.contains(words) })
    end
end)

scenario("a session of the Android SDK that is closed says so until it is connected again", {
    tags = { "errors" },
}, function(t)
    t:server(livelike)
    local ada = listening(t, { platform = "android" })
    ada:disconnect()
    ada:say "Anybody?"
    ada:expect("error", { code = "sessionClosed", message = "Session is closed", callback = "say" })
    ada:load_next_history "lobby"
    ada:expect("error", { code = "sessionClosed", room = "lobby" })
    ada:connect "lobby"
    ada:expect "connected"
    ada:say "Here again"
    ada:expect "message_sent"
end)

scenario("a refusal has the words of the SDK that tells of it", { tags = { "errors" } }, function(t)
    local service = t:server(livelike)
    local said = { android = "response code : 403 - Not today", ios = "the server answered 403: Not today" }
    for platform, words in pairs(said) do
        local ada = listening(t, { platform = platform })
        service:fail_next("/memberships", 403, "Not today")
        ada:join()
        ada:expect("error", { code = "forbidden", message = words, status = 403 })
    end
    local ada = listening(t, { platform = "android" })
    service:moderator("Host"):mute(ada)
    ada:say "Hello?"
    ada:expect("error", {
        code = "DENIED_MESSAGE_PUBLISH", message = match.contains "response code : 403 - The profile is muted",
        callback = "onErrorMessage",
    })
end)

scenario("each session of the Android SDK that is closed says so, not only the one closed last", {
    tags = { "errors" },
}, function(t)
    t:server(livelike, { rooms = { { id = "lobby" }, { id = "bar" }, { id = "hall" }, { id = "attic" } } })
    local ada = listening(t, { platform = "android" })
    for _, room in ipairs { "bar", "hall" } do
        ada:connect(room)
        ada:expect("connected", { room = room })
    end
    ada:disconnect "lobby"
    ada:disconnect "bar"
    for _, room in ipairs { "lobby", "bar" } do
        ada:say("Anybody?", room)
        ada:expect("error", { code = "sessionClosed", room = room })
    end
    ada:say "Anybody?"
    ada:expect("message_sent", { room = "hall" })
    local done, why = pcall(ada.say, ada, "Anybody?", "attic")
    expect({ done, tostring(why) }, { false, match.contains "needs a connected room" })
    ada:connect "lobby"
    ada:expect("connected", { room = "lobby" })
    ada:disconnect "hall"
    ada:disconnect "lobby"
    ada:say "Anybody?"
    ada:expect("error", { code = "sessionClosed", room = "lobby" })
end)

scenario("an avatar that is no URL lets no message out that would show it", { tags = { "errors" } }, function(t)
    t:server(livelike)
    local ada = listening(t, { shouldDisplayAvatar = true, avatarURL = "my face" })
    ada:say "Hello"
    ada:expect("error", { code = "invalidUserChatRoomImageUrl", callback = "sendMessage" })
    ada:set_avatar "https://img.example/ada.png"
    ada:say "Hello again"
    ada:expect("message_sent", { text = "Hello again" })
end)

scenario("a reaction to a message that is not loaded is ignored for the SDK's reason", { tags = { "errors" } },
    function(t)
        local service = t:server(livelike)
        local host = service:moderator "Host"
        for number = 1, 3 do host:say(tostring(number)) end
        local ben = t:actor(livelike, { name = "Ben", page_size = 3 })
        ben:connect "lobby"
        ben:expect "connected"
        local ada = listening(t, { name = "Ada", page_size = 1 })
        ben:react(ben:messages()[1].id, "heart")
        ben:expect("message_updated", { reaction = "heart" })
        ada:expect("frame", { ignored = match.contains "failedToFindChatMessageForPubSubID", room = "lobby" })
    end)
