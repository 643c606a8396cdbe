-- Matrix as Synapse speaks it, in Lua alone: a registration in two steps, long polls, rooms, typing.
-- `scripts/peers matrix_synapse` starts the server and plays this.
before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)
local S = system {
    name = "matrix", client = "person", options = { user = "string", password = "string" },
    properties = { id = "string?" }, noise = { "joined", "typing", "message_sent" }, troubles = { "refused" },
    events = {
        form = { stages = "list" }, refused = { code = "string" }, invited = { room = "string" },
        joined = { user = "string" }, left = { user = "string" }, typing = { users = "list" },
        message = { from = "string", text = "string" }, message_sent = { text = "string", id = "string" },
    },
    json = { from_client = {}, from_server = {                      -- of all that rooms tell, what a person sees
        ["m.room.message"] = { sender = "string", content = "table" },
        ["m.room.member"] = { state_key = "string", content = "table" },
        ["m.typing"] = { content = "table" },
    } },
}

local function ask(me, method, path, options)
    local request = options or {}
    request.method, request.path, request.token = method, "/_matrix/client/v3" .. path, me.token
    return me:request(request)
end

-- What the server lets the person do gives its account; anything else is told.
local function take_account(me, answer)
    if not answer.ok then return me:emit("refused", { code = answer.json.errcode }, answer.json) end
    me.id, me.token = answer.json.user_id, answer.json.access_token
    me:after("sync", 0)
    me:wait("synced", "1m")
end

local function register(me, auth)
    local account = { username = me.options.user, password = me.options.password, auth = auth }
    return ask(me, "POST", "/register", { json = account, name = "register" })
end

-- The server answers the first time with what it asks for.
function S.commands.register(me)
    local answer = register(me)
    if answer.status ~= 401 then return take_account(me, answer) end
    me.session = answer.json.session
    me:emit("form", { stages = answer.json.flows[1].stages }, answer.json)
end
function S.commands.submit(me, stage) take_account(me, register(me, { type = stage, session = me.session })) end

function S.commands.login(me)
    local person = { type = "m.id.user", user = me.options.user }
    local login = { type = "m.login.password", identifier = person, password = me.options.password }
    take_account(me, ask(me, "POST", "/login", { json = login, name = "login" }))
end
local function room(me, path) return "/rooms/" .. url.encode(me.room) .. path end

function S.commands.invite(me, whom)
    local wanted = { invite = { whom.id }, preset = "trusted_private_chat" }
    me.room = ask(me, "POST", "/createRoom", { json = wanted, name = "create room" }).json.room_id
end
function S.commands.join(me, where)
    me.room = where
    ask(me, "POST", room(me, "/join"), { json = {}, name = "join" })
end
function S.commands.leave(me) ask(me, "POST", room(me, "/leave"), { json = {}, name = "leave" }) end
function S.commands.typing(me, active)
    local path = room(me, "/typing/" .. url.encode(me.id))
    ask(me, "PUT", path, { json = { typing = active, timeout = 30000 }, name = "typing" })
end
S.commands.say = { sends = "text", function(me, text)
    me.count = (me.count or 0) + 1
    local said = { json = { msgtype = "m.text", body = text }, name = "send" }
    local id = ask(me, "PUT", room(me, "/send/m.room.message/m" .. me.count), said).json.event_id
    me:emit("message_sent", { text = text, id = id })
end }

-- Everything that one part of an answer tells of all rooms.
local function each(sync, kind, part)
    local events = {}
    for _, news in pairs(sync.rooms and sync.rooms[kind] or {}) do
        table.move(news[part] and news[part].events or {}, 1, 1000, #events + 1, events)
    end
    return ipairs(events)
end
function S.on.timer(me)
    while not me.over do
        local query = { since = me.since, timeout = me.since and 30000 or 0 }
        local sync = ask(me, "GET", "/sync", { query = query, name = "sync" }).json
        me.since = sync.next_batch
        for where in pairs(sync.rooms and sync.rooms.invite or {}) do me:emit("invited", { room = where }) end
        for _, part in ipairs { { "join", "timeline" }, { "join", "ephemeral" }, { "leave", "timeline" } } do
            for _, event in each(sync, part[1], part[2]) do
                if S.json[event.type] then me:receive(event) end
            end
        end
        me:wake "synced"
    end
end
function S.on.ending(me) me.over = true end

S.json["m.room.message"] = function(me, event)
    if event.sender == me.id then return end
    me:emit("message", { from = event.sender, text = event.content.body }, event)
end
S.json["m.room.member"] = function(me, event)
    local kind = ({ join = "joined", leave = "left" })[event.content.membership]
    if kind and event.state_key ~= me.id then me:emit(kind, { user = event.state_key }, event) end
end
S.json["m.typing"] = function(me, event) me:emit("typing", { users = event.content.user_ids }, event) end

workload {
    executor = "per_vu_iterations", users = 5, iterations = 1, scenario = "two people talk in a room",
    thresholds = { "rate(failures) == 0", "count(lost) == 0", "count(duplicated) == 0" },
}
local slow = { within = "1m" }

local function newcomer(t, name)
    local user = name .. date.now():gsub("%D", "") .. random.hex(8)
    local person = t:actor(S, { name = name, user = user, password = "open sesame" })
    person:register()
    person:submit(person:expect("form", { stages = { "m.login.dummy" } }, slow).stages[1])
    return person
end

scenario("two people talk in a room", { tags = { "peers" } }, function(t)
    local ada, sam = newcomer(t, "ada"), newcomer(t, "sam")
    ada:invite(sam)
    sam:join(sam:expect("invited", {}, slow).room)
    ada:expect("joined", { user = sam.id }, slow)
    ada:typing(true)
    sam:expect("typing", { users = { ada.id } }, slow)
    for number = 1, 3 do
        ada:say("Question " .. number)
        sam:expect("message", { from = ada.id, text = "Question " .. number }, slow)
        sam:say("Answer " .. number)
        ada:expect("message", { from = sam.id, text = "Answer " .. number }, slow)
    end
    sam:leave()
    ada:expect("left", { user = sam.id }, slow)
end)
scenario("who has no right is refused", { tags = { "peers" } }, function(t)
    local eve = t:actor(S, { user = "eve", password = "guessed" })
    eve:login()
    eve:expect("refused", { code = "M_FORBIDDEN" })
end)
