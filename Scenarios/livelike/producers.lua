-- What a producer's own tools get that call the service by plain HTTP: reports, access rules, pins, and whole rooms.
local http = require "http"
local beginnings = require "beginnings"

local rules, reports = "/api/v1/chat-room-access-rules/", "/api/v1/reported-chat-room-messages/"

-- A moderator, a tool that calls the service as that one, and the members Ada and Ben.
local function produced(t, options)
    local service, ada, ben = beginnings.members(t, { "Ada", "Ben" }, options)
    local host = service:moderator "Host"
    local token = host:access_token()
    local tool = t:actor(http, { name = "tool", server = service, token = token, query = { auth = token } })
    local function call(method, path, body)
        tool:request(method, path, body)
        return tool:expect "response"
    end
    return call, host, ada, ben, service
end

scenario("an access rule takes the right to write from a member until it is deleted", {
    tags = { "moderation", "rules" },
}, function(t)
    local call, _, ada, ben = produced(t)
    expect(call("POST", rules, {}).status, 400)
    expect(call("POST", rules, { profile_id = ben.profile_id }), { status = 400, body = match.contains "directive" })
    local other = call("POST", rules, { profile_id = ada.profile_id, directive = "allow-read", chat_room_id = "attic" })
    expect(other.status, 201)
    local rule = call("POST", rules, { profile_id = ben.profile_id, directive = "allow-read", chat_room_id = "lobby" })
    expect(rule, { status = 201, json = {
        profile_id = ben.profile_id, directive = "allow-read", chat_room_id = "lobby", id = match.any,
    } })
    expect(#call("GET", rules).json.results, 2)
    ben:say "May I?"
    ben:expect("error", { status = 403 })
    ada:say "I may"
    ben:expect("message", { text = "I may" })
    expect(call("DELETE", rules .. "nothing/").status, 404)
    expect(call("DELETE", rules .. rule.json.id .. "/").status, 204)
    expect(call("GET", rules).json.results, { match.all_of { { id = other.json.id } } })
    ben:say "May I now?"
    ada:expect("message", { text = "May I now?" })
end)

scenario("a report waits until a producer dismisses it, each by its own id", {
    tags = { "moderation", "reports" },
}, function(t)
    local call, _, ada, ben = produced(t)
    for _, text in ipairs { "one", "two" } do
        ada:say(text)
        ben:report_message(ben:expect("message", { text = text }).id)
        ben:expect("completed", { callback = "reportMessage" })
    end
    local waiting = call("GET", reports).json.results
    expect(waiting, {
        { message = "one", status = "pending", reported_by_id = ben.profile_id, profile_id = ada.profile_id,
            nickname = "Ada", chat_room_id = "lobby" },
        { message = "two", status = "pending" },
    })
    expect(call("DELETE", reports .. "nothing/").status, 404)
    expect(call("DELETE", reports .. waiting[1].id .. "/").status, 204)
    expect(call("DELETE", reports .. waiting[1].id .. "/").status, 404)
    waiting = call("GET", reports).json.results
    expect({ #waiting, waiting[1].message }, { 1, "two" })
end)

scenario("a message that two have reported is one to a producer, and is dismissed with both reports", {
    tags = { "moderation", "reports" },
}, function(t)
    local call, host, ada, ben = produced(t)
    local messages = "/api/v1/reported-chat-messages/"
    local id = host:say "Buy my watches"
    for _, member in ipairs { ada, ben } do
        member:expect("message", { id = id })
        member:report_message(id)
        member:expect("completed", { callback = "reportMessage" })
    end
    expect(call("GET", reports .. "?chat_room_id=lobby").json.count, 2)
    expect(call("GET", messages .. "?chat_room_id=attic").json.results, {})
    local reported = call("GET", messages).json.results
    expect(reported, { { id = id, message_id = id, message = "Buy my watches", nickname = "Host", status = "pending" } })
    expect(#reported, 1)
    expect(call("DELETE", messages .. "nothing/").status, 404)
    expect(call("DELETE", messages .. id .. "/").status, 204)
    expect(call("GET", messages).json.results, {})
    expect(host:reports(), {})
end)

scenario("a room can be deleted, and then nobody finds it", { tags = { "rooms" } }, function(t)
    local call, _, ada = produced(t)
    local room = call("POST", "/api/v1/chat-rooms/", { title = "Mine" }).json
    expect(call("GET", "/api/v1/chat-rooms/").json.count, 2)
    expect(call("GET", "/api/v1/chat-rooms/" .. room.id .. "/").json, {
        id = room.id, title = "Mine", visibility = "members", content_filter = "none",
        report_message_url = match.contains(room.id .. "/report-message/"),
        reported_messages_url = match.contains "/reported-chat-room-messages/",
        channels = { chat = { pubnub = match.any }, control = { pubnub = match.any } },
        chat_message_throttle_seconds = 0,
    })
    expect(call("DELETE", "/api/v1/chat-rooms/" .. room.id .. "/").status, 204)
    expect(call("GET", "/api/v1/chat-rooms/" .. room.id .. "/").status, 404)
    expect(call("GET", "/api/v1/chat-rooms/").json.count, 1)
    ada:room_info(room.id)
    ada:expect("error", { status = 404 })
end)

scenario("the resources of the application, a profile and a room have all that the vendor's have", {
    tags = { "resources" },
}, function(t)
    local call, _, ada = produced(t)
    local names = {
        ["applications/any"] = [[
            client_id name pubnub_subscribe_key pubnub_publish_key pubnub_origin pubnub_heartbeat_interval
            pubnub_presence_timeout profile_url profile_detail_url_template chat_room_detail_url_template
            create_chat_room_url chat_rooms_invitations_url create_chat_room_invitation_url
            chat_room_invitation_detail_url_template profile_chat_room_received_invitations_url_template
            profile_chat_room_sent_invitations_url_template pinned_messages_url user_search_url analytics_properties
            program_detail_url_template sticker_packs_url reaction_packs_url sponsors_url]],
        ["profiles/" .. ada.profile_id] = [[
            id url nickname custom_data created_at subscribe_channel reported_count chat_room_memberships_url
            block_profile_url blocked_profiles_template_url blocked_profile_ids_url badges_url]],
        ["chat-rooms/lobby"] = [[
            id url client_id title created_at visibility content_filter custom_data channels upload_url
            report_message_url reported_messages_url delete_message_url memberships_url muted_status_url_template
            custom_messages_url chatroom_messages_url chatroom_messages_count_url
            pubnub_messages_reaction_url_template pubnub_messages_remove_reaction_url_template
            chatroom_access_rule_url chatroom_token_gate_access_url token_gates sticker_packs_url reaction_packs_url
            reaction_space_id sponsors_url attributes chat_message_throttle_seconds]],
    }
    for path, members in pairs(names) do
        local body = call("GET", "/api/v1/" .. path .. "/").body
        for name in members:gmatch "%S+" do
            check(body:find('"' .. name .. '":', 1, true) ~= nil, true, path .. ": " .. name)
        end
        -- What a resource names as a list can be asked for.
        for list in body:gmatch '"[a-z_]+":"http://[^/"]+(/[^"]*/%a+%-?packs/)"' do
            expect(call("GET", list).json.count, 1)
        end
        for list in body:gmatch '"[a-z_]+":"http://[^/"]+(/[^"]*/sponsors/)"' do
            expect(call("GET", list).json.count, 0)
        end
    end
end)

scenario("an application says of a room what it likes, and of several rooms different things", {
    tags = { "rooms" },
}, function(t)
    local red = { key = "team", value = "red" }
    local call, _, ada, _, service = produced(t, { rooms = { { id = "lobby", attributes = { red } }, { id = "attic" } } })
    ada:room_info "lobby"
    ada:expect("completed", { value = { attributes = { red } } })
    expect(call("GET", "/api/v1/chat-rooms/attic/").body, match.contains '"attributes":[]')
    local blue = { key = "team", value = "blue" }
    local changed = call("PATCH", "/api/v1/chat-rooms/attic/", { attributes = { blue } }).json
    expect(changed.attributes, { blue })
    ada:create_room { title = "Ours", attributes = { blue, red } }
    ada:expect("completed", { value = { title = "Ours", attributes = { blue, red } } })
    expect(#service.rooms, 3)
end)

scenario("the service makes a room with its own id, and one that exists is refused", { tags = { "rooms" } }, function(t)
    local call, _, ada, _, service = produced(t)
    local id = service:create_room(nil, { title = "Attic", reports = false })
    expect(service.rooms, match.has(id))
    local resource = call("GET", "/api/v1/chat-rooms/" .. id .. "/").json
    expect({ resource.title, resource.report_message_url, resource.reported_messages_url }, { "Attic" })
    local done, why = pcall(service.create_room, service, "lobby")
    expect({ done, tostring(why) }, { false, match.contains "exists already" })
    done, why = pcall(service.create_room, service, "")
    expect({ done, tostring(why) }, { false, match.contains "not empty" })
    ada:room_info(id)
    ada:expect("completed", { value = { title = "Attic" } })
end)

scenario("an invitation is answered by yes or no, and by whom it is for", { tags = { "invitations" } }, function(t)
    local call, host, ada, _, service = produced(t)
    local id = host:invite(ada)
    ada:expect("invitation", { id = id, status = "pending", by = "Host" })
    local path = "/api/v1/chat-room-invitations/" .. id .. "/"
    expect(call("PATCH", path, { status = "accepted" }).status, 403)
    local own = t:actor(http, { name = "own tool", server = service, token = ada.access_token })
    local function answer(body)
        own:request("PATCH", path, body)
        return own:expect "response"
    end
    expect(answer({}).status, 400)
    expect(answer({ status = "perhaps" }), { status = 400, body = match.contains "status" })
    expect(answer({ status = "rejected" }), { status = 200, json = { status = "rejected" } })
    expect(service:room("lobby").members, {})
    expect(answer({ status = "accepted" }), { status = 200, json = { status = "accepted" } })
    expect(service:room("lobby").members, { ada.profile_id })
end)
