-- What the message carrier tells, item by item, and what goes past the service straight to it.
local http, livelike = require "http", require "livelike"
local beginnings = require "beginnings"
local listening, members = beginnings.listening, beginnings.members

local key = "sub-c-repartee"
local reads = "the listener reads the answers itself, and cannot read this one"

-- An application that asks the carrier as a member, and gives back what is in the answers.
local function listener(t, service, member)
    local client = t:actor(http, { name = "listener", server = service, query = { auth = member.access_token } })
    local function get(path)
        client:get(path)
        return client:expect("response", nil, { within = "5m" })
    end
    local function subscribe(after) return get("/v2/subscribe/" .. key .. "/chatroom.lobby/0?tt=" .. after).json end
    return get, subscribe
end

scenario("an item says who published what, where and in which order", {
    tags = { "carrier" }, faults = { malformed_json = reads },
}, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    local _, subscribe = listener(t, service, ben)
    local begin = subscribe(0)
    expect(begin, { t = { t = match.pattern "^%d+$", r = 4 }, m = {} })
    ada:say "one"
    local id = ben:expect("message", { text = "one" }).id
    ben:react(id, "like")
    ada:expect("message_updated", { id = id, reaction = "like" })
    local news = subscribe(begin.t.t)
    local channel = "chatroom.lobby"
    expect(news.m, {
        { a = "1", f = 514, i = "server", k = key, c = channel, b = channel, e = match.absent,
            u = { sender_id = ada.profile_id }, d = { event = "message-created", payload = { message = "one" } } },
        { a = "1", f = 514, i = ben.profile_id, k = key, c = channel, b = channel, e = 3,
            u = { sender_id = ben.profile_id }, d = { event = "added", data = { value = "like", type = "rc" } } },
    })
    expect(news.m[2].s - news.m[1].s, 1, "they are counted one by one")
    expect(news.m[1].p.t < news.m[2].p.t and news.m[2].p.t == news.t.t, true, "the token is that of the latest")
    t:allow { "message_sent", "message", "message_updated" }
end)

scenario("an answer has a hundred items, and the next one the rest", {
    tags = { "carrier", "limits" }, faults = { malformed_json = reads },
}, function(t)
    local service, ada = members(t, { "Ada" })
    local host = service:moderator "Host"
    local get, subscribe = listener(t, service, ada)
    local begin = subscribe(0).t.t
    for number = 1, 101 do host:say("message " .. number) end
    local first = subscribe(begin)
    expect({ #first.m, first.m[1].d.payload.message, first.m[100].d.payload.message }, { 100, "message 1", "message 100" })
    expect(subscribe(first.t.t).m, { { d = { payload = { message = "message 101" } } } })
    local page = "/sub-key/" .. key .. "/channel/chatroom.lobby?max=1000"
    expect(#get("/v3/history" .. page).json.channels["chatroom.lobby"], 100)
    expect(#get("/v3/history-with-actions" .. page).json.channels["chatroom.lobby"], 25)
    t:allow "message"
end)

scenario("a request that nothing answers is held, and the next one as well", {
    tags = { "carrier" }, faults = { malformed_json = reads },
}, function(t)
    local service, ada = members(t, { "Ada" }, { hold = "20s" })
    local _, subscribe = listener(t, service, ada)
    local token = subscribe(0).t.t
    for _ = 1, 2 do
        local begin = now()
        local silence = subscribe(token)
        expect(silence.m, {})
        expect(now() - begin, match.between(19.99, 25))
        token = silence.t.t
    end
end)

scenario("who publishes straight to the carrier is named, and knows the time of its message at once", {
    tags = { "carrier", "carriage" }, faults = { malformed_json = reads },
}, function(t)
    local service = t:server(livelike, { echo_order = "answer_first" })
    local ada, ben = listening(t, { name = "Ada", carriage = "pubnub" }), listening(t, { name = "Ben" })
    local _, subscribe = listener(t, service, ben)
    local begin = subscribe(0).t.t
    ada:say "straight"
    local sent = ada:expect("message_sent", { text = "straight" })
    expect(ada:message(sent.id).timetoken, match.is_not "0")
    local heard = ben:expect("message", { text = "straight" })
    expect({ heard.sender_id, heard.timetoken }, { ada.profile_id, ada:message(sent.id).timetoken })
    expect(subscribe(begin).m, {
        { i = ada.profile_id, u = { sender_id = ada.profile_id }, d = { payload = { sender_id = ada.profile_id } } },
    })
    t:allow "message"
end)

scenario("a thread is found by its address", { tags = { "carrier", "threads" } }, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    ada:say "Who comes?"
    local id = ben:expect("message", { text = "Who comes?" }).id
    ben:reply(id, "I do")
    ada:expect("message", { text = "I do" })
    local own = t:actor(http, { name = "own", server = service, token = ada.access_token })
    own:get "/api/v1/chatroom-messages/?chat_room_id=lobby"
    local question = own:expect("response").json.results[1]
    expect(question, { id = id, replies_count = 1 })
    own:get(question.replies_url:match "//[^/]+(/.*)$")
    expect(own:expect("response").json.results, { { message = "I do", parent_message_id = id } })
    t:allow { "message_sent", "message" }
end)

scenario("a reaction put straight to the carrier is named by at most 256 bytes", {
    tags = { "carrier", "limits" }, faults = { malformed_json = reads },
}, function(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    local _, subscribe = listener(t, service, ben)
    local begin = subscribe(0)
    ada:say "one"
    ben:expect("message", { text = "one" })
    local path = "/v1/message-actions/" .. key .. "/channel/chatroom.lobby/message/" .. subscribe(begin.t.t).m[1].p.t
    local application = t:actor(http, { server = service, query = { auth = ben.access_token } })
    for bytes, status in pairs { [256] = 200, [257] = 400 } do
        application:request("POST", path, { type = "rc", value = ("x"):rep(bytes) })
        expect(application:expect("response").status, status, bytes .. " bytes")
    end
    t:allow { "message_sent", "message", "message_updated", "error" }
end)

-- Ada says something whose answer is still to come, and the carrier brings its echo, which names no id of her client.
local function echoed(t)
    local service, ada, ben = members(t, { "Ada", "Ben" })
    ada:say "first"
    ada:expect("message_sent", { text = "first" })
    ada:say "second" -- goes out 100 ms later
    service:answer_next("/chatroom-messages/", { id = "m2", sender_id = ada.profile_id, message = "second" }, 201)
    local payload = { id = "m2", sender_id = ada.profile_id, message = "second" }
    service:publish_raw("chatroom.lobby", { event = "message-created", payload = payload })
    ben:expect("message", { id = "m2" })
    return service, ada, ben
end

scenario("a deletion that comes before the answer deletes the own message", { tags = { "carrier" } }, function(t)
    local service, ada, ben = echoed(t)
    service:publish_raw("chatroom.lobby", { event = "message-deleted", payload = { id = "m2" } })
    ada:expect(all { event("message_deleted", { id = "m2" }), event("message_sent", { id = "m2" }) })
    expect(ada:message "m2", { deleted = true, text = "" })
    ben:expect("message_deleted", { id = "m2" })
    t:allow "message"
end)

scenario("a reaction that comes before the answer is for the own message", { tags = { "carrier" } }, function(t)
    local _, ada, ben = echoed(t)
    ben:react("m2", "heart")
    ben:expect("message_updated", { id = "m2" })
    ada:expect(all {
        event("message_sent", { id = "m2" }),
        event("message_updated", { id = "m2", reaction = "heart", by_id = ben.profile_id }),
    })
    expect(ada:message("m2").reactions, { { id = "heart", by = ben.profile_id } })
    t:allow "message"
end)
