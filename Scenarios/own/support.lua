-- The support chat of an imaginary shop, as its own developers would teach it: HTTP login, then JSON over a WebSocket,
-- with a ping that must be answered within three seconds.
local S = system {
    name = "support", title = "Support chat", client = "visitor",
    options = { user = "string?", topic = "string?" },
    events = {
        connected = { session = "string" },
        queue = { position = "integer" },
        agent_joined = { name = "string" },
        typing = { active = "boolean" },
        message = { from = "string", text = "string", id = "string?" },
        message_sent = { text = "string", id = "string" },
        survey = { question = "string" },
        ended = { by = "string" },
        disconnected = { code = "integer", reason = "string" },
    },
    noise = { "connected", "message_sent", "agent_joined", "disconnected" },
    properties = { session = "string?", state = "string?" },
    parties = {
        agent = {
            events = {
                chat_waiting = { user = "string" }, message = { text = "string" }, typing = { active = "boolean" },
                survey_answered = { score = "integer" }, chat_ended = { by = "string" },
            },
            noise = { "chat_waiting", "typing" },
        },
    },
}

-- The client ---------------------------------------------------------------------------------------------------------

function S.commands.connect(me)
    local login = me:request { path = "/login", json = { user = me.options.user or "ada" } }
    if not login.ok then error("the login was refused: " .. login.status) end
    me.link = me:open { path = "/chat", query = { token = login.json.token } }
    me:wait("hello", "5s")
end

S.commands.say = { parameters = { "text: string" }, sends = "text", function(me, text)
    me.count = (me.count or 0) + 1
    me.link:send_json { type = "message", id = "m" .. me.count, text = text }
end }

function S.commands.typing(me, active) me.link:send_json { type = "typing", active = active } end
function S.commands.answer_survey(me, score) me.link:send_json { type = "survey", score = score } end
function S.commands.leave(me) me.link:send_json { type = "leave" } end

local arrived = {
    hello = function(me, frame)
        me.session, me.state = frame.session, "waiting"
        me.link:send_json { type = "hello", topic = me.options.topic or "other" }
        me:emit("connected", { session = frame.session }, frame)
        me:wake "hello"
    end,
    ping = function(me) me.link:send_json { type = "pong" } end,
    queue = function(me, frame) me:emit("queue", { position = frame.position }, frame) end,
    joined = function(me, frame)
        me.state = "talking"
        me:emit("agent_joined", { name = frame.name }, frame)
    end,
    typing = function(me, frame) me:emit("typing", { active = frame.active }, frame) end,
    message = function(me, frame) me:emit("message", { from = frame.from, text = frame.text, id = frame.id }, frame) end,
    ack = function(me, frame) me:emit("message_sent", { text = frame.text, id = frame.id }, frame) end,
    survey = function(me, frame) me:emit("survey", { question = frame.question }, frame) end,
    ended = function(me, frame)
        me.state = "ended"
        me:emit("ended", { by = frame.by }, frame)
    end,
}

function S.on.text(me, text)
    local frame = json.decode(text)
    local handler = arrived[frame.type]
    if handler then handler(me, frame) else me:emit("error", { code = "unknown_frame", message = text }) end
end

function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code, reason = closure.reason }) end

-- The simulated server -------------------------------------------------------------------------------------------------

function S.server.started(desk) desk.waiting, desk.tokens = {}, {} end

function S.server.request(desk, request)
    if request.path ~= "/login" then return 404 end
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

local function each_waiting(desk)
    for position, client in ipairs(desk.waiting) do client:send_json { type = "queue", position = position } end
end

local function end_chat(desk, client, by)
    client:send_json { type = "ended", by = by }
    if client.agent then client.agent:emit("chat_ended", { by = by }) end
    client:close(1000, "bye")
end

local received = {
    hello = function(desk, client)
        table.insert(desk.waiting, client)
        for _, agent in pairs(desk.parties) do agent:emit("chat_waiting", { user = client.user }) end
        each_waiting(desk)
    end,
    pong = function(_, client) client.owes_pong = false end,
    typing = function(_, client, frame)
        if client.agent then client.agent:emit("typing", { active = frame.active }, frame) end
    end,
    message = function(_, client, frame)
        client:send_json { type = "ack", id = frame.id, text = frame.text }
        if client.agent then client.agent:emit("message", { text = frame.text }, frame) end
    end,
    survey = function(_, client, frame)
        if client.agent then client.agent:emit("survey_answered", { score = frame.score }, frame) end
    end,
    leave = function(desk, client) end_chat(desk, client, "visitor") end,
}

function S.server.text(desk, client, text)
    local frame = json.decode(text)
    received[frame.type](desk, client, frame)
end

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
    agent.client = table.remove(agent.desk.waiting, 1)
    if not agent.client then error "nobody waits" end
    agent.client.agent = agent
    agent.client:send_json { type = "joined", name = agent.name }
    each_waiting(agent.desk)
end

S.parties.agent.say = { parameters = { "text: string" }, sends = "text", function(agent, text)
    agent.client:send_json { type = "message", from = agent.name, text = text, id = random.uuid() }
end }

function S.parties.agent.typing(agent, active) agent.client:send_json { type = "typing", active = active } end
function S.parties.agent.ask(agent, question) agent.client:send_json { type = "survey", question = question } end
function S.parties.agent.finish(agent) end_chat(agent.desk, agent.client, "agent") end

return S
