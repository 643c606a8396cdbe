-- Rooms of one's own: who belongs to them, who is invited, and how often they may speak.
local http = require "http"
local livelike = require "livelike"
local members = require("beginnings").members

scenario("a private room opens for its members alone", { tags = { "private" } }, function(t)
    local rooms = { { id = "lobby" }, { id = "club", visibility = "members" } }
    local service, ada = members(t, { "Ada" }, { rooms = rooms })
    ada:connect "club"
    ada:expect("error", { code = "forbidden", status = 403, room = "club" })
    service:moderator("Host"):add_member(ada, "club")
    ada:expect("member_added", { room = "club", by = "Host" })
    ada:connect "club"
    ada:expect("connected", { room = "club", visibility = "members" })
    ada:my_rooms()
    ada:expect("completed", { value = { { chat_room = { id = "club" } } } })
end)

scenario("what is pinned in a private room only its members read", { tags = { "private" } }, function(t)
    local service, ada = members(t, { "Ada" }, { rooms = { { id = "lobby" }, { id = "club", visibility = "members" } } })
    local host = service:moderator "Host"
    local id = host:say("For members", "club")
    host:pin(id, "club")
    local tool = t:actor(http, { server = service, token = ada.access_token })
    local function pins()
        tool:request("GET", "/api/v1/pinned-messages/?chat_room_id=club")
        return tool:expect "response"
    end
    expect(pins(), { status = 403, body = match.contains "not a member" })
    host:add_member(ada, "club")
    ada:expect "member_added"
    expect(pins(), { status = 200, json = { results = { { message_id = id } } } })
end)

scenario("who makes a room is its first member and may fill it", { tags = { "membership" } }, function(t)
    local _, ada, ben, eve = members(t, { "Ada", "Ben", "Eve" })
    ada:create_room { title = "Fans", visibility = "members" }
    local room = ada:expect("completed", { callback = "createChatRoom" }).value.id
    ada:connect(room)
    ada:expect("connected", { room = room, title = "Fans" })
    ada:add_member(ben.profile_id, room)
    ben:expect("member_added", { room = room, title = "Fans", by = "Ada" })
    ada:add_member(ben.profile_id, room)
    ada:expect("error", { status = 409, message = match.contains "membership already exists" })
    ada:members(room)
    local names = match.all_of {
        match.count(2), match.has { profile = { nickname = "Ada" } }, match.has { profile = { nickname = "Ben" } },
    }
    ada:expect("completed", { callback = "getChatRoomMemberships", value = names })
    ben:connect(room)
    ben:expect("connected", { room = room })
    ben:say("Here we are", room)
    ada:expect("message", { text = "Here we are", room = room })
    ben:leave(room)
    ben:expect("completed", { callback = "deleteUserChatRoomMembership" })
    eve:connect(room)
    eve:expect("error", { code = "forbidden" })
end)

scenario("an invitation is answered once, with yes or no", { tags = { "invitations" } }, function(t)
    local _, ada, ben, eve = members(t, { "Ada", "Ben", "Eve" })
    for _, guest in ipairs { ben, eve } do
        ada:invite(guest.profile_id, "lobby")
        ada:expect("completed", { callback = "sendChatRoomInviteToUser" })
    end
    local yes = ben:expect("invitation", { room = "lobby", by = "Ada", status = "pending" }).id
    local no = eve:expect("invitation", { room = "lobby", by = "Ada" }).id
    ben:answer_invitation(yes)
    ben:expect("completed", { value = { status = "accepted" } })
    eve:answer_invitation(no, false)
    eve:expect("completed", { value = { status = "rejected" } })
    ben:answer_invitation(no)
    ben:expect("error", { status = 403 })
    ada:invitations("sent", "rejected")
    ada:expect("completed", { callback = "getInvitationsByUser", value = { { id = no } } })
    ben:invitations "received"
    ben:expect("completed", { callback = "getInvitationsForUser", value = { { id = yes, status = "accepted" } } })
end)

scenario("several rooms share one subscribe loop", { tags = { "rooms" } }, function(t)
    local service, ada = members(t, { "Ada" }, { rooms = { { id = "lobby" }, { id = "stand" } } })
    ada:connect "stand"
    ada:expect("connected", { room = "stand" })
    expect(service.subscribers, match.between(0, 1))
    local host = service:moderator "Host"
    host:say("in the stand", "stand")
    host:say("in the lobby", "lobby")
    ada:expect("message", { room = "stand", text = "in the stand" })
    ada:expect("message", { room = "lobby", text = "in the lobby" })
    ada:disconnect "stand"
    ada:expect("disconnected", { room = "stand", reason = "unsubscribed" })
    host:say("anybody?", "stand")
    ada:expect_silence("300ms", "message")
end)

scenario("after the pause of a throttled room a message passes again", { tags = { "limits" } }, function(t)
    local rooms = { { id = "lobby", chat_message_throttle_seconds = 1.5 } }
    local _, ada, ben = members(t, { "Ada", "Ben" }, { rooms = rooms })
    ada:say "one"
    ben:expect("message", { text = "one" })
    ada:say "two"
    ada:expect("error", { status = 429, message = match.contains "throttled" })
    -- Everybody has a limit of their own.
    ben:say "not me"
    ada:expect("message", { text = "not me" })
    wait "1.6s"
    ada:say "three"
    ben:expect("message", { text = "three" })
    expect(ada:messages(), { { text = "one" }, { text = "two", failed = true }, { text = "not me" }, { text = "three" } })
end)

scenario("a name has one to twenty characters", { tags = { "profile" } }, function(t)
    local _, ada = members(t, { "Ada" })
    ada:set_display_name(("x"):rep(21))
    ada:expect("error", { code = "invalidNameLength" })
    ada:set_display_name "Countess Lovelace"
    ada:expect("completed", { value = "Countess Lovelace" })
    expect(ada.nickname, "Countess Lovelace")
end)

scenario("a stored token brings the same profile back", { tags = { "profile" } }, function(t)
    local _, ada = members(t, { "Ada" })
    local again = t:actor(livelike, { name = "Ada again", access_token = ada.access_token })
    again:connect "lobby"
    again:expect("session_created", { restored = true, profile_id = ada.profile_id, nickname = "Ada" })
    again:expect "connected"
end)
