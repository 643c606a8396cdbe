-- What an application of one's own gets that calls the service by plain HTTP: by the vendor's API reference, or as defined
-- here where that is silent.
local http = require "http"
local members = require("beginnings").members

local lobby, subscribe = "/api/v1/chat-rooms/lobby/", "sub-c-repartee"

-- Rows of `{ method, path, body, status, part of the answer }`; `ADA` and `BEN` stand for the profiles of two members.
local groups = {
    ["to nobody"] = {
        { "GET", "/api/v2/profile/", nil, 404, "Not found" },
        { "GET", "/api/v1/nothing/", nil, 404, "Not found" },
    },
    ["about messages"] = {
        { "POST", "/api/v1/chatroom-messages/", {}, 404 },
        { "POST", "/api/v1/chatroom-messages/", { chat_room_id = "attic" }, 404 },
        { "POST", "/api/v1/chatroom-messages/", { chat_room_id = "lobby" }, 400, "message_event" },
        { "POST", "/api/v1/chatroom-messages/", { chat_room_id = "lobby", message_event = "message-deleted" }, 400, "message_event" },
        { "POST", "/api/v1/chatroom-messages/", { chat_room_id = "lobby", message_event = "message-created" }, 400, "message" },
        { "POST", "/api/v1/chatroom-messages/",
            { chat_room_id = "lobby", message_event = "message-created", message = "hi" }, 400, "sender_nickname" },
        { "POST", "/api/v1/chatroom-messages/",
            { chat_room_id = "lobby", message_event = "message-created", message = "hi", sender_nickname = "Ada" }, 201, "hi" },
        { "GET", "/api/v1/chatroom-messages/?chat_room_id=attic", nil, 404 },
        { "GET", "/api/v1/chatroom-messages/?chat_room_id=lobby&since_message_id=nothing", nil, 400, "since_message_id" },
        { "GET", "/api/v1/chatroom-messages/?chat_room_id=lobby", nil, 200, "\"message\":\"hi\"" },
        { "GET", "/api/v1/chatroom-messages-count/?chat_room_id=lobby", nil, 200, "\"count\":1" },
        { "POST", lobby .. "custom-messages/", {}, 400, "custom_data" },
        { "POST", lobby .. "custom-messages/", { custom_data = "{}" }, 201, "custom_data" },
        { "POST", lobby .. "delete-chat-message/", {}, 400, "message_id" },
        { "POST", lobby .. "delete-chat-message/", { message_id = "nobody's" }, 403, "permission" },
        { "POST", lobby .. "upload/", {}, 400, "image" },
    },
    ["about profiles"] = {
        { "GET", "/api/v1/profile/", nil, 200, "\"nickname\":\"Ada\"" },
        { "PATCH", "/api/v1/profile/", { nickname = ("x"):rep(21) }, 400 },
        { "GET", "/api/v1/profiles/nobody/", nil, 404 },
        { "GET", "/api/v1/profiles/ADA/", nil, 200, "\"nickname\":\"Ada\"" },
        { "GET", "/api/v1/profiles/BEN/", nil, 200, "\"nickname\":\"Ben\"" },
        { "GET", "/api/v1/profiles/BEN/blocks/", nil, 403, "permission" },
        { "GET", "/api/v1/profiles/ADA/nothing/", nil, 404 },
        { "GET", "/api/v1/profiles/ADA/badges/", nil, 200, "\"results\":[]" },
        { "GET", "/api/v1/profiles/", nil, 200, "\"count\":2" },
        { "GET", "/api/v1/profiles/?nickname=bE", nil, 200, "\"nickname\":\"Ben\"" },
        { "GET", "/api/v1/profiles/?nickname=bE", nil, 200, "\"count\":1" },
        { "GET", "/api/v1/profiles/?page=3", nil, 404, "page" },
        { "POST", "/api/v1/profiles/ADA/blocks/", {}, 400 },
        { "POST", "/api/v1/profiles/ADA/blocks/", { blocked_profile_id = "BEN" }, 201 },
        { "GET", "/api/v1/profiles/ADA/blocks/", nil, 200, "BEN" },
        { "GET", "/api/v1/profiles/ADA/blocked-profile-ids/", nil, 200, "BEN" },
        { "DELETE", "/api/v1/profiles/ADA/blocks/nothing/", nil, 404 },
    },
    ["about invitations and members"] = {
        { "POST", "/api/v1/chat-room-invitations/", {}, 400, "chat_room_id" },
        { "POST", "/api/v1/chat-room-invitations/", { chat_room_id = "lobby" }, 400, "invited_profile_id" },
        { "GET", "/api/v1/chat-room-invitations/", nil, 404 },
        { "PATCH", "/api/v1/chat-room-invitations/nothing/", { status = "accepted" }, 404 },
        { "POST", lobby .. "memberships/", { profile_id = "BEN" }, 403, "not a part" },
        { "POST", lobby .. "memberships/", { profile_id = "nobody" }, 400, "profile_id" },
        { "POST", lobby .. "memberships/", {}, 201, "ADA" },
        { "POST", lobby .. "memberships/", {}, 409, "already exists" },
        { "POST", lobby .. "memberships/", { profile_id = "BEN" }, 201, "BEN" },
        { "GET", lobby .. "memberships/", nil, 200, "\"count\":2" },
        { "PUT", lobby .. "memberships/", {}, 405 },
        { "DELETE", lobby .. "memberships/", nil, 204 },
        { "GET", lobby .. "memberships/", nil, 200, "\"count\":1" },
    },
    ["about rooms and pins"] = {
        { "GET", "/api/v1/chat-rooms/", nil, 200, "\"count\":1" },
        { "GET", "/api/v1/chat-rooms/attic/", nil, 404 },
        { "GET", lobby .. "nothing/", nil, 404 },
        { "PATCH", lobby, { title = "Mine" }, 403, "update" },
        { "DELETE", lobby, nil, 403, "delete" },
        { "POST", "/api/v1/chat-rooms/", { title = "Mine" }, 201, "\"visibility\":\"members\"" },
        { "GET", "/api/v1/chat-rooms/", nil, 200, "\"count\":2" },
        { "GET", lobby .. "muted-status/ADA/", nil, 200, "false" },
        { "GET", "/api/v1/pinned-messages/?chat_room_id=attic", nil, 404 },
        { "GET", "/api/v1/pinned-messages/?chat_room_id=lobby", nil, 200 },
        { "POST", "/api/v1/pinned-messages/", {}, 400, "chat_room_id" },
        { "POST", "/api/v1/pinned-messages/", { chat_room_id = "lobby" }, 400, "message_id" },
        { "POST", "/api/v1/pinned-messages/", { chat_room_id = "lobby", message_id = "1" }, 403, "producer" },
        { "DELETE", "/api/v1/pinned-messages/nothing/", nil, 404 },
        { "PUT", "/api/v1/pinned-messages/", {}, 405 },
    },
    ["that only producers may make"] = {
        { "GET", "/api/v1/reported-chat-room-messages/", nil, 403, "producer" },
        { "GET", "/api/v1/reported-chat-messages/", nil, 403, "producer" },
        { "GET", "/api/v1/chat-room-access-rules/", nil, 403, "producer" },
        { "POST", "/api/v1/chat-room-access-rules/", {}, 403, "producer" },
    },
    ["about token gates"] = {
        { "GET", "/api/v1/chatroom-token-gate-access/?chat_room_id=lobby&wallet_address=0x1", nil, 200, "allowed" },
        { "GET", "/api/v1/chatroom-token-gate-access/?chat_room_id=attic", nil, 404 },
    },
    ["of the message carrier"] = {
        { "GET", "/time/0", nil, 200, "[1" },
        { "GET", "/v2/nothing", nil, 400, "Invalid Arguments" },
        { "GET", "/v2/subscribe/sub-c-other/chatroom.lobby/0?tt=0", nil, 400, "Invalid Subscribe Key" },
        { "GET", "/v2/subscribe/" .. subscribe .. "/chatroom.lobby/0?tt=none", nil, 481, "Invalid filter" },
        { "GET", "/v2/subscribe/" .. subscribe .. "/profile.BEN/0?tt=0", nil, 403 },
        { "GET", "/v2/subscribe/" .. subscribe .. "/chatroom.lobby,profile.ADA/0?tt=0", nil, 200, "\"t\"" },
        { "GET", "/v2/subscribe/" .. subscribe .. "/chatroom.lobby/0?tt=0&uuid=" .. ("u"):rep(92), nil, 200, "\"t\"" },
        { "GET", "/v2/subscribe/" .. subscribe .. "/chatroom.lobby/0?tt=0&uuid=" .. ("u"):rep(93), nil, 400, "Invalid Arguments" },
        { "GET", "/v2/presence/sub-key/" .. subscribe .. "/channel/chatroom.lobby/leave?uuid=" .. ("u"):rep(93), nil, 400,
            "Invalid Arguments" },
        { "GET", "/publish/pub-c-repartee/" .. subscribe .. "/0/chatroom.lobby/0/%22%22?uuid=" .. ("u"):rep(93), nil, 400,
            "[0,\"Invalid Arguments\"" },
        { "GET", "/publish/pub-c-other/" .. subscribe .. "/0/chatroom.lobby/0/%22%22", nil, 400, "Invalid Key" },
        { "GET", "/publish/pub-c-repartee/" .. subscribe .. "/0/chatroom.lobby/0/nothing", nil, 400, "Invalid JSON" },
        { "GET", "/v3/history/sub-key/sub-c-other/channel/chatroom.lobby", nil, 400, "Invalid Subscribe Key" },
        { "GET", "/v3/history/sub-key/" .. subscribe .. "/channel/chatroom.lobby", nil, 200, "\"channels\"" },
        { "GET", "/v3/history/sub-key/" .. subscribe .. "/message-counts/chatroom.lobby?timetoken=0", nil, 200, "\"chatroom.lobby\":0" },
        { "GET", "/v3/history/sub-key/" .. subscribe .. "/message-counts/chatroom.lobby", nil, 400, "Invalid Arguments" },
        { "GET", "/v3/history/sub-key/" .. subscribe .. "/message-counts/chatroom.lobby?timetoken=now", nil, 400,
            "Invalid Arguments" },
        { "GET", "/v3/history/sub-key/" .. subscribe .. "/message-counts/chatroom.a,chatroom.b,chatroom.c?channelsTimetoken=0,0",
            nil, 400, "Invalid Arguments" },
        { "GET", "/v1/message-actions/" .. subscribe .. "/channel/chatroom.lobby", nil, 200, "\"data\":[]" },
        { "POST", "/v1/message-actions/" .. subscribe .. "/channel/chatroom.lobby/message/1", {}, 400, "Invalid message" },
        { "GET", "/v2/presence/sub-key/" .. subscribe .. "/channel/chatroom.lobby/heartbeat", nil, 200, "Presence" },
        { "GET", "/v2/presence/sub-key/" .. subscribe .. "/channel/chatroom.lobby/leave", nil, 200, "\"action\":\"leave\"" },
    },
}

for name, rows in pairs(groups) do
    scenario("requests " .. name .. " are answered as the service documents it", {
        tags = { "requests" }, faults = { malformed_json = "the caller reads the answers itself, and cannot read this one" },
    }, function(t)
        local service, ada, ben = members(t, { "Ada", "Ben" })
        local application = t:actor(http, { server = service, token = ada.access_token, query = { auth = ada.access_token } })
        local function named(text) return (text:gsub("ADA", ada.profile_id):gsub("BEN", ben.profile_id)) end
        t:allow { "member_added", "message", "profile_blocked", "response", "error", "rate_limited" }
        for number, row in ipairs(rows) do
            local method, path, body, status, part = row[1], row[2], row[3], row[4], row[5]
            if body and next(body) then body = json.decode(named(json.encode(body))) end
            application:request(method, named(path), body)
            local answer = application:expect "response"
            check(answer.status, status, method .. " " .. path .. " (" .. number .. ")")
            if part then check(json.encode(answer.json or answer.body or ""), match.contains(named(part)), path) end
        end
    end)
end

scenario("requests without a token, or with a forged one, are refused", { tags = { "requests" } }, function(t)
    local service = members(t, { "Ada" })
    local stranger, forger = t:actor(http, { server = service }), t:actor(http, { server = service, token = "forged" })
    for _, path in ipairs { "/api/v1/profile/", "/api/v1/chat-rooms/", lobby .. "memberships/", "/api/v1/chatroom-messages/" } do
        stranger:get(path)
        check(stranger:expect("response").status, 403, path)
        forger:get(path)
        check(forger:expect("response").status, 401, path)
    end
    stranger:get("/v3/history/sub-key/" .. subscribe .. "/channel/chatroom.lobby")
    stranger:expect("response", { status = 403 })
    stranger:get(lobby)
    stranger:expect("response", { status = 200 })
    stranger:post("/api/v1/profile/", {})
    stranger:expect("response", { status = 201 })
end)

-- An application that calls the service with the token of a member.
local function calls(t, service, member)
    return t:actor(http, {
        name = "calls of " .. member.nickname, server = service, token = member.access_token,
        query = { auth = member.access_token },
    })
end

-- Asks for something and returns the answer.
local function asked(application, method, path, body)
    application:request(method, path, body)
    return application:expect "response"
end

scenario("a reaction is added once and taken back by who gave it", { tags = { "requests", "reactions" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    t:allow { "message", "message_updated", "response", "error" }
    ada:say "We won!"
    local id = ada:expect("message_sent").id
    local first, second = calls(t, service, ada), calls(t, service, ben)
    local function history(more) return asked(first, "GET", "/api/v1/chatroom-messages/?chat_room_id=lobby" .. (more or "")).json.results end
    local message = history()[1]
    expect(message, { id = id, message = "We won!", message_event = "message-created", reactions = match.absent })
    local actions = "/v1/message-actions/" .. subscribe .. "/channel/chatroom.lobby"
    local one = actions .. "/message/" .. message.pubnub_timetoken
    check(asked(second, "POST", one, { type = "rc" }), { status = 400, json = match.any })
    local added = asked(second, "POST", one, { type = "rc", value = "like" })
    expect(added.status, 200)
    local given = added.json.data
    expect(given, { type = "rc", value = "like", uuid = ben.profile_id, messageTimetoken = tostring(message.pubnub_timetoken) })
    ada:expect("message_updated", { id = id, reaction = "like", added = true, by_id = ben.profile_id })
    expect(asked(second, "POST", one, { type = "rc", value = "like" }).status, 409)
    expect(json.encode(history()[1].reactions), match.contains(ben.profile_id))
    expect(asked(first, "GET", actions).json.data, { { value = "like", uuid = ben.profile_id } })
    expect(asked(second, "POST", one .. "/more", { type = "rc", value = "love" }).status, 400)
    local action = one .. "/action/" .. given.actionTimetoken
    local refused = asked(first, "DELETE", action)
    expect(refused.status, 400)
    expect(json.encode(refused.json), match.contains "wrong uuid")
    expect(asked(second, "DELETE", action).status, 200)
    ada:expect("message_updated", { id = id, reaction = "like", added = false })
    local again = asked(second, "DELETE", action)
    expect(again.status, 400)
    expect(json.encode(again.json), match.contains "No matching message actions")
    expect(history()[1].reactions, nil)
    expect(asked(first, "GET", actions).json.data, match.count(0))
end)

scenario("lists come in pages that name their neighbours", { tags = { "requests" } }, function(t)
    local service, ada = members(t, { "Ada" }, { rooms = { { id = "lobby" }, { id = "bar" }, { id = "stand" } } })
    local application = calls(t, service, ada)
    t:allow "response"
    for page, row in ipairs {
        { next = match.contains "page=2&page_size=1", previous = match.absent },
        { next = match.contains "page=3&page_size=1", previous = match.contains "page=1&page_size=1" },
        { next = match.absent, previous = match.contains "page=2&page_size=1" },
    } do
        local answer = asked(application, "GET", "/api/v1/chat-rooms/?page_size=1&page=" .. page).json
        row.count, row.results = 3, match.count(1)
        local function none(value) if value == json.null then return nil end return value end
        check({ count = answer.count, next = none(answer.next), previous = none(answer.previous), results = answer.results }, row)
    end
    local whole = asked(application, "GET", "/api/v1/chat-rooms/").json
    expect(#whole.results, 3)
    expect(asked(application, "GET", "/api/v1/chat-rooms/?page_size=1&page=5").status, 404)
    expect(#asked(application, "GET", "/api/v1/chat-rooms/?page_size=0").json.results, 1)
    expect(#asked(application, "GET", "/api/v1/chat-rooms/?page=-1").json.results, 3)
end)

scenario("history is read by quoted sender, by thread and by time", { tags = { "requests", "history" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    t:allow { "message", "message_sent", "response" }
    ada:say "First"
    local first = ben:expect("message", { text = "First" }).id
    wait "10s"
    ben:quote(first, "Second")
    ada:expect("message", { text = "Second" })
    wait "10s"
    ben:reply(first, "Third")
    ada:expect("message", { text = "Third" })
    local application = calls(t, service, ada)
    local function texts(more)
        local found = {}
        local answer = asked(application, "GET", "/api/v1/chatroom-messages/?chat_room_id=lobby" .. more).json
        for number, message in ipairs(answer.results) do found[number] = message.message end
        return found, answer.results
    end
    local all, messages = texts ""
    expect(all, { "First", "Second", "Third" })
    expect(messages[1].replies_count, 1)
    expect(messages[2].replies_count, nil)
    expect((texts("&quoted_sender_id=" .. ada.profile_id)), { "Second" })
    expect((texts("&quoted_sender_id=" .. ben.profile_id)), match.count(0))
    expect((texts("&parent_message_id=" .. first:upper())), { "Third" })
    expect((texts("&page_size=2")), { "Second", "Third" })
    local second = messages[2].created_at
    expect((texts("&until=" .. second)), { "First" })
    expect((texts("&since=" .. second)), { "Third" })
    expect((texts("&since_message_id=" .. first:upper())), { "Second", "Third" })
    expect((texts("&since_message_id=" .. first .. "&until=" .. messages[3].created_at)), { "Second" })
    expect((texts("&since_message_id=" .. first .. "&since=" .. second)), { "Third" })
    local count = asked(application, "GET", "/api/v1/chatroom-messages-count/?chat_room_id=lobby&since_message_id=" .. first)
    expect(count.json, { count = 2 })
end)

scenario("the carrier counts what is new on each channel, after one token or after its own", {
    tags = { "requests", "history" },
}, function(t)
    local service, ada = members(t, { "Ada" }, { rooms = { { id = "lobby" }, { id = "bar" } } })
    t:allow { "message", "response" }
    local host, application = service:moderator "Host", calls(t, service, ada)
    local function counted(query)
        local path = "/v3/history/sub-key/" .. subscribe .. "/message-counts/chatroom.lobby,chatroom.bar?" .. query
        local channels = asked(application, "GET", path).json.channels
        return { channels["chatroom.lobby"], channels["chatroom.bar"] }
    end
    host:say("one", "lobby")
    host:say("one", "bar")
    wait "1s"
    local now = ("%.0f"):format(asked(application, "GET", "/time/0").json[1])
    wait "1s"
    host:say("two", "lobby")
    host:say("two", "bar")
    expect(counted "timetoken=0", { 2, 2 })
    expect(counted("timetoken=" .. now), { 1, 1 })
    expect(counted("channelsTimetoken=" .. now), { 1, 1 })
    expect(counted("channelsTimetoken=0," .. now), { 2, 1 })
end)

scenario("a page that the carrier cuts off says where it goes on", { tags = { "requests", "history" } }, function(t)
    local service, ada = members(t, { "Ada" })
    t:allow { "message", "response" }
    local host, application = service:moderator "Host", calls(t, service, ada)
    for number = 1, 30 do host:say(tostring(number)) end
    local path = "/v3/history-with-actions/sub-key/" .. subscribe .. "/channel/chatroom.lobby"
    local first = asked(application, "GET", path .. "?max=100").json
    local items = first.channels["chatroom.lobby"]
    expect({ #items, items[1].message.payload.message }, { 25, "6" })
    expect(first.more, { max = 75, start = items[1].timetoken, url = path .. "?start=" .. items[1].timetoken .. "&max=75" })
    local rest = asked(application, "GET", first.more.url).json
    expect(#rest.channels["chatroom.lobby"], 5)
    expect(rest.channels["chatroom.lobby"][5].message.payload.message, "5")
    expect(rest.more, nil)
    for _, query in ipairs { "", "?max=25", "?max=30&end=" .. items[1].timetoken } do
        expect(asked(application, "GET", path .. query).json.more, nil, query)
    end
end)

scenario("a message is deleted by its own token, and only by it", { tags = { "requests", "moderation" } }, function(t)
    local service, ada = members(t, { "Ada" })
    t:allow { "message", "message_sent", "message_deleted", "response", "error" }
    ada:say "Oops"
    local id = ada:expect("message_sent").id
    local application = calls(t, service, ada)
    local path = "/api/v1/chatroom-messages/?chat_room_id=lobby"
    local token = asked(application, "GET", path).json.results[1].pubnub_timetoken
    local wrong = asked(application, "POST", lobby .. "delete-chat-message/", { message_id = id, pubnub_timetoken = token + 1 })
    expect(wrong.status, 400)
    expect(json.encode(wrong.json), match.contains "pubnub_timetoken")
    expect(asked(application, "GET", path).json.results, { { message_event = "message-created" } })
    expect(asked(application, "POST", lobby .. "delete-chat-message/", { message_id = id, pubnub_timetoken = token }).status, 204)
    ada:expect("message_deleted", { id = id })
    expect(asked(application, "GET", path).json.results, { { message_event = "message-deleted" } })
end)

scenario("what is longer than the carrier takes is refused", { tags = { "requests" } }, function(t)
    local service, ada = members(t, { "Ada" })
    t:allow { "message", "response", "error" }
    local application = calls(t, service, ada)
    local function send(length)
        return asked(application, "POST", "/api/v1/chatroom-messages/", {
            chat_room_id = "lobby", message_event = "message-created", sender_nickname = "Ada", message = ("x"):rep(length),
        }).status
    end
    expect(send(32000), 201)
    expect(send(32768), 413)
end)

scenario("an invitation stays open until its answer is one of the two", { tags = { "requests", "invitations" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    t:allow { "message", "invitation", "member_added", "response", "error" }
    local host, guest = calls(t, service, ada), calls(t, service, ben)
    local body = { chat_room_id = "lobby", invited_profile_id = ben.profile_id }
    local invited = asked(host, "POST", "/api/v1/chat-room-invitations/", body)
    expect(invited.status, 201)
    local path = "/api/v1/chat-room-invitations/" .. invited.json.id .. "/"
    for _, answer in ipairs { {}, { status = "perhaps" } } do
        local refused = asked(guest, "PATCH", path, answer)
        expect(refused.status, 400)
        expect(json.encode(refused.json), match.contains "status")
    end
    expect(asked(host, "PATCH", path, { status = "accepted" }).status, 403)
    local list = "/api/v1/profiles/" .. ben.profile_id .. "/received-invitations/"
    expect(asked(guest, "GET", list).json.results, { { id = invited.json.id, status = "pending" } })
    expect(asked(guest, "GET", lobby .. "memberships/").json.count, 0)
end)

scenario("who made a room deletes it, and then it is gone", { tags = { "requests", "rooms" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    t:allow { "message", "response", "error" }
    local owner, other = calls(t, service, ada), calls(t, service, ben)
    local made = asked(owner, "POST", "/api/v1/chat-rooms/", { title = "Mine" })
    expect(made.status, 201)
    local path = "/api/v1/chat-rooms/" .. made.json.id .. "/"
    expect(asked(other, "DELETE", path).status, 403)
    expect(asked(other, "GET", path).status, 200)
    expect(asked(owner, "DELETE", path).status, 204)
    expect(asked(owner, "GET", path).status, 404)
    expect(asked(owner, "GET", "/api/v1/chat-rooms/").json.count, 1)
end)

scenario("a block ends once, and is told of as ended", { tags = { "requests", "moderation" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    t:allow { "message", "profile_blocked", "profile_unblocked", "response", "error" }
    local application = calls(t, service, ada)
    local blocks = "/api/v1/profiles/" .. ada.profile_id .. "/blocks/"
    local block = asked(application, "POST", blocks, { blocked_profile_id = ben.profile_id })
    expect(block.status, 201)
    ada:expect "profile_blocked"
    local one = blocks .. block.json.id .. "/"
    expect(asked(application, "DELETE", one).status, 204)
    ada:expect "profile_unblocked"
    expect(asked(application, "DELETE", one).status, 404)
    expect(asked(application, "GET", blocks).json.results, match.count(0))
end)
