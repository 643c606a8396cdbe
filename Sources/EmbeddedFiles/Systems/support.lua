-- support: the chat of an imaginary shop. A visitor logs in over HTTP, then speaks JSON over a WebSocket, and must answer
-- each ping within three seconds. The tutorial in Scenarios/own/README.md goes through it.
local S = system {
    name = "support", title = "Support chat", client = "visitor",
    options = { user = "string?", topic = "string?" }, properties = { session = "string?", state = "string?" },
    events = {
        connected = { session = "string" }, queue = { position = "integer" }, agent_joined = { name = "string" },
        typing = { active = "boolean" }, message = { from = "string", text = "string", id = "string" },
        message_sent = { text = "string", id = "string" }, survey = { question = "string" },
        ended = { by = "visitor|agent" }, disconnected = { code = "integer", reason = "string" },
    },
    noise = { "connected", "agent_joined", "message_sent", "disconnected" },
    absences = { accepted = "The support chat says agent_joined instead" },
    parties = { agent = {
        events = { chat_waiting = { user = "string" }, typing = { active = "boolean" }, message = { text = "string" },
            survey_answered = { score = "integer" }, chat_ended = { by = "visitor|agent" } },
        noise = { "chat_waiting", "typing" },
    } },
}

function S.commands.connect(me)
    local login = me:request { path = "/login", json = { user = me.options.user or "ada" } }
    local read, token = pcall(function() return json.decode(login.body).token end)
    if not (login.ok and read and token) then
        return me:emit("error", { code = "login", message = "the login was refused", status = login.status })
    end
    me.link, me.count = me:open { path = "/chat", query = { token = token } }, 0
    me:wait("hello", "5s")
end
S.commands.say = { sends = "text", function(me, text)
    me.count = me.count + 1
    me.link:send_json { type = "message", id = "m" .. me.count, text = text }
end }
function S.commands.typing(me, active) me.link:send_json { type = "typing", active = active } end
function S.commands.answer_survey(me, score) me.link:send_json { type = "survey", score = score } end
function S.commands.leave(me) me.link:send_json { type = "leave" } end

local function observed(kind, names)
    return function(me, frame)
        local fields = {}
        for name in names:gmatch "%a+" do fields[name] = frame[name] end
        me:emit(kind, fields, frame)
    end
end
local arrived = {
    queue = observed("queue", "position"), typing = observed("typing", "active"), survey = observed("survey", "question"),
    message = observed("message", "from text id"), ack = observed("message_sent", "text id"),
    ping = function(me) me.link:send_json { type = "pong" } end,
    hello = function(me, frame)
        me:emit("connected", { session = frame.session }, frame)
        me.session, me.state = frame.session, "waiting"
        me.link:send_json { type = "hello", topic = me.options.topic or "other" } me:wake "hello"
    end,
    joined = function(me, frame) me:emit("agent_joined", { name = frame.name }, frame) me.state = "talking" end,
    ended = function(me, frame) me:emit("ended", { by = frame.by }, frame) me.state = "ended" end,
}

function S.on.text(me, text)
    local understood, problem = pcall(function()
        local frame = json.decode(text)
        return (arrived[frame.type] or error("there is no frame of type " .. tostring(frame.type), 0))(me, frame)
    end)
    if not understood then me:emit("error", { code = "protocol", message = tostring(problem), body = text }) end
end
function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code, reason = closure.reason }) end

-- The simulated server -------------------------------------------------------------------------------------------------

function S.server.started(desk) desk.waiting, desk.tokens = {}, {} end

function S.server.request(desk, request)
    if request.path ~= "/login" or type(request.json) ~= "table" then return 404 end
    if type(request.json.user) ~= "string" then return 403 end
    local token = random.hex(16)
    desk.tokens[token] = request.json.user
    return { json = { token = token } }
end

function S.server.upgrade(desk, request) return desk.tokens[request.query.token] ~= nil or 401 end

function S.server.connected(desk, client, request)
    client.user = desk.tokens[request.query.token]
    client:send_json { type = "hello", session = "s" .. client.number }
    desk:after("ping " .. client.number, "2s")
end

local function show_places(desk)
    for position, client in ipairs(desk.waiting) do client:send_json { type = "queue", position = position } end
end

local function leave_queue(desk, client)
    for position, other in ipairs(desk.waiting) do
        if other == client then
            table.remove(desk.waiting, position)
            return show_places(desk)
        end
    end
end

local function end_chat(desk, client, by)
    leave_queue(desk, client)
    client:send_json { type = "ended", by = by }
    if client.agent then client.agent:emit("chat_ended", { by = by }) end
    client:close(1000, "bye")
end

-- Tells the agent of the conversation, if there is one yet.
local function tell(client, kind, fields, frame)
    if client.agent then client.agent:emit(kind, fields, frame) end
end

local received = {
    hello = function(desk, client)
        table.insert(desk.waiting, client)
        for _, agent in pairs(desk.parties) do agent:emit("chat_waiting", { user = client.user }) end
        show_places(desk)
    end,
    pong = function(_, client) client.owes_pong = false end,
    typing = function(_, client, frame) tell(client, "typing", { active = frame.active }, frame) end,
    message = function(_, client, frame)
        client:send_json { type = "ack", id = frame.id, text = frame.text }
        tell(client, "message", { text = frame.text }, frame)
    end,
    survey = function(_, client, frame) tell(client, "survey_answered", { score = frame.score }, frame) end,
    leave = function(desk, client) end_chat(desk, client, "visitor") end,
}

function S.server.text(desk, client, text)
    local understood = pcall(function()
        local frame = json.decode(text)
        received[frame.type](desk, client, frame)
    end)
    if not understood then client:close(1008, "a frame that is none") end
end

function S.server.closed(desk, client) leave_queue(desk, client) end

function S.server.timer(desk, name)
    local number = tonumber(name:match "%d+")
    for _, client in ipairs(desk.clients) do
        if client.number == number then
            if client.owes_pong then return client:close(4008, "no pong") end
            client.owes_pong = true
            client:send_json { type = "ping" }
            desk:after(name, "3s")
        end
    end
end

-- Its agents -----------------------------------------------------------------------------------------------------------

function S.parties.agent.accept(agent)
    local client = table.remove(agent.desk.waiting, 1) or error "nobody waits"
    agent.client, client.agent = client, agent
    client:send_json { type = "joined", name = agent.name }
    show_places(agent.desk)
end
S.parties.agent.say = { sends = "text", function(agent, text)
    agent.client:send_json { type = "message", from = agent.name, text = text, id = random.uuid() }
end }
function S.parties.agent.typing(agent, active) agent.client:send_json { type = "typing", active = active } end
function S.parties.agent.ask(agent, question) agent.client:send_json { type = "survey", question = question } end
function S.parties.agent.finish(agent) end_chat(agent.desk, agent.client, "agent") end

return S
