-- support: the chat of an imaginary shop. A visitor logs in over HTTP, then speaks JSON over a WebSocket, and must
-- answer each ping within three seconds. The tutorial in Scenarios/own/README.md goes through it.
local S = system {
    name = "support", title = "Support chat", client = "visitor",
    options = { user = "string?", topic = "string?" }, properties = { session = "string?", state = "string?" },
    events = {
        connected = { session = "string" }, queue = { position = "integer" }, agent_joined = { name = "string" },
        typing = { active = "boolean" }, message = { from = "string", text = "string", id = "string" },
        message_sent = { text = "string", id = "string" }, survey = { question = "string" },
        ended = { by = "visitor|agent" }, disconnected = { code = "integer", reason = "string" } },
    noise = { "connected", "agent_joined", "message_sent", "disconnected" },
    absences = { accepted = "The support chat says agent_joined instead" },
    parties = { agent = {
        events = { chat_waiting = { user = "string" }, typing = { active = "boolean" }, message = { text = "string" },
            survey_answered = { score = "integer" }, chat_ended = { by = "visitor|agent" } },
        noise = { "chat_waiting", "typing" } } },
    json = {
        from_server = { hello = { session = "string" }, ping = {}, joined = { name = "string" }, queue = {},
            typing = {}, message = {}, ack = { text = "string", id = "string" }, survey = {},
            ended = { by = "visitor|agent" } },
        from_client = { hello = { topic = "string" }, pong = {}, typing = { active = "boolean" },
            message = { text = "string", id = "string" }, survey = { score = "integer" }, leave = {} } } }

function S.commands.connect(me)
    local login = me:request { path = "/login", json = { user = me.options.user or "ada" } }
    local read, token = pcall(function() return json.decode(login.body).token end)
    if not (login.ok and read and type(token) == "string") then
        local problem = login.ok and "no token in the answer" or "the login was refused"
        return me:emit("error", { code = "login", message = problem, status = login.status, body = login.body })
    end
    if me.opened then me.opened:abandon() end -- what the link of an earlier conversation says is not this one's
    me.opened = me:open { path = "/chat", query = { token = token } } me:wait("hello", "5s")
end

-- The link of the conversation; who speaks before or after it is told so.
local function link(me)
    return me.link or error(me.state and "the conversation has ended" or "the client is not connected: connect first", 0)
end
S.commands.say = { sends = "text", function(me, text)
    link(me):send_json { type = "message", id = "m" .. me.count + 1, text = text } me.count = me.count + 1
end }
function S.commands.typing(me, active) link(me):send_json { type = "typing", active = active } end
function S.commands.answer_survey(me, score) link(me):send_json { type = "survey", score = score } end
function S.commands.leave(me) link(me):send_json { type = "leave" } end

-- What has no function here is an event of its name.
function S.json.hello(me, hello, link)
    me:emit("connected", { session = hello.session }, hello)
    me.link, me.session, me.state, me.count = link, hello.session, "waiting", 0
    link:send_json { type = "hello", topic = me.options.topic or "other" } me:wake "hello"
end
function S.json.ping(_, _, link) link:send_json { type = "pong" } end
function S.json.joined(me, joined) me:emit("agent_joined", { name = joined.name }, joined) me.state = "talking" end
function S.json.ack(me, ack) me:emit("message_sent", { text = ack.text, id = ack.id }, ack) end
function S.json.ended(me, ended) me:emit("ended", { by = ended.by }, ended) me.link, me.state = nil, "ended" end

-- An end that is not in order is an error, too: `disconnected` alone need not be expected.
function S.on.closed(me, closure) me.link = nil
    me:emit("disconnected", { code = closure.code, reason = closure.reason }, closure)
    local problem = "the connection was closed: " .. closure.code .. " " .. closure.reason
    if closure.code > 1001 and closure.code ~= 1005 then me:emit("error", { code = "closed", message = problem }) end
end

-- The simulated server ------------------------------------------------------------------------------------------------

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
    client.is_over = true
    if client.agent then client.agent:emit("chat_ended", { by = by }) end
    client:close(1000, "bye")
end

-- Tells the agent of the conversation, if there is one yet.
local function tell(client, kind, fields, frame)
    if client.agent then client.agent:emit(kind, fields, frame) end
end

function S.server.json.hello(desk, client)
    table.insert(desk.waiting, client)
    desk.lost = nil
    for _, agent in pairs(desk.parties) do agent:emit("chat_waiting", { user = client.user }) end
    show_places(desk)
end
function S.server.json.pong(_, client) client.owes_pong = false end
function S.server.json.typing(_, client, typing) tell(client, "typing", { active = typing.active }, typing) end
function S.server.json.message(_, client, message)
    client:send_json { type = "ack", id = message.id, text = message.text }
    tell(client, "message", { text = message.text }, message)
end
function S.server.json.survey(_, client, survey) tell(client, "survey_answered", { score = survey.score }, survey) end
function S.server.json.leave(desk, client) end_chat(desk, client, "visitor") end

function S.server.closed(desk, client, closure)
    if not client.is_over then client.lost = closure.reason ~= "" and closure.reason or "code " .. closure.code end
    if not client.agent then desk.lost = client.lost end
    client.is_over = true
    leave_queue(desk, client)
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

-- Its agents ----------------------------------------------------------------------------------------------------------

-- The visitor of an agent, as long as they talk.
local function visitor(agent)
    local client = agent.client or error("the agent has no visitor: accept one first", 0)
    if client.lost then agent:fail("the visitor has gone: " .. client.lost) end
    return not client.is_over and client or error("the conversation has ended", 0)
end

-- Accepts a visitor who waits: the first one, or the one who is named.
function S.parties.agent.accept(agent, who)
    local waiting, lost, place = agent.desk.waiting, agent.desk.lost, 1
    if who then
        while waiting[place] and "s" .. waiting[place].number ~= who.session do place = place + 1 end
    end
    local client = table.remove(waiting, place)
    if not client and who and #waiting > 0 then error("that visitor does not wait", 0) end
    if not client and lost then agent:fail("nobody waits: the visitor has gone: " .. lost) end
    if not client then error("nobody waits: a visitor connects first", 0) end
    agent.client, client.agent = client, agent
    client:send_json { type = "joined", name = agent.name }
    show_places(agent.desk)
end
S.parties.agent.say = { sends = "text", function(agent, text)
    visitor(agent):send_json { type = "message", from = agent.name, text = text, id = random.uuid() }
end }
function S.parties.agent.typing(agent, active) visitor(agent):send_json { type = "typing", active = active } end
function S.parties.agent.ask(agent, question) visitor(agent):send_json { type = "survey", question = question } end
function S.parties.agent.finish(agent) end_chat(agent.desk, visitor(agent), "agent") end

return S
