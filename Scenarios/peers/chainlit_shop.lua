-- Chainlit: a login, Socket.IO with its cookie, questions and forms that are answered by acknowledgements, answers word
-- by word. `scripts/peers chainlit_shop` starts Tests/Peers/chainlit_shop.py and plays this.
local socketio = require "socketio"
local connect, emit, ack = socketio.commands.connect, socketio.commands.emit, socketio.commands.ack

before_each(function(t) if not env "REPARTEE_PEER" then t:skip "needs the real server that scripts/peers starts" end end)

workload {
    executor = "constant_vus", users = 30, duration = "20s",
    scenario = "the bot asks for a number and streams its answer",
    think_time = { distribution = "exponential", mean = "2s" }, thresholds = { "rate(failures) == 0" },
}

local S = system {
    extends = socketio, name = "chainlit", client = "visitor", options = { user = "string?", password = "string?" },
    events = {
        message = { id = "string" }, step = { name = "string", output = "string" },
        button = { name = "string", label = "string" }, question = { text = "string" },
        form = { form = "form", text = "string" }, stream_started = { id = "string" },
        token = { id = "string", text = "string" }, aside = { name = "string" },
    },
    noise = { "step", "button", "stream_started", "token", "aside" },
}

-- What the server says by name, as what a visitor observes; what he does not see is an `aside`.
local said = {}
function said.new_message(_, step)
    if step.type ~= "assistant_message" then return "step", { name = step.name, output = step.output } end
    return "message", { text = step.output, from = step.name, id = step.id }
end
said.update_message = said.new_message
function said.stream_start(_, step) return "stream_started", { id = step.id } end
function said.stream_token(_, piece) return "token", { id = piece.id, text = piece.token } end
function said.action(_, action) return "button", { name = action.name, label = action.label } end
function said.element(me, element) me.fields = element.props and element.props.fields end
function said.ask(me, ask, number)
    if ask.spec.type ~= "element" then return "question", { text = ask.msg.output } end
    return "form", { text = ask.msg.output, form = { id = number, fields = me.fields } }
end

S.commands.connect = { parameters = {}, function(me)
    local login = { username = me.options.user or "ada", password = me.options.password or "open sesame" }
    local answer = me:request { path = "/login", form = login }
    if not answer.ok then return me:emit("refused", { message = answer.json.detail }, answer.json) end
    me.session = random.uuid()
    connect(me, {
        path = "/ws/socket.io/", auth = { sessionId = me.session, clientType = "webapp", userEnv = "{}" },
        map = function(name, ...)
            local kind, fields
            if said[name] then kind, fields = said[name](me, ...) end
            return kind or "aside", fields or { name = name }
        end,
    })
    emit(me, "connection_successful")
end }

local function step(me, text)
    local who = me.options.user or "ada"
    return { id = random.uuid(), type = "user_message", name = who, output = text, createdAt = date.now() }
end
S.commands.say = { sends = "text", function(me, text)
    emit(me, "client_message", { message = step(me, text), fileReferences = json.array() })
end }
function S.commands.answer(me, question, text) ack(me, question.raw.ack, step(me, text)) end
S.commands.submit = { submits = "form", function(me, values, number)
    values.submitted = true
    ack(me, number, values)
end }
function S.commands.press(me, name)
    local action = { id = random.uuid(), name = name, label = name, tooltip = "", payload = {} }
    local _ = me:request({ path = "/project/action", json = { sessionId = me.session, action = action } }).json.success
end

local slow = { within = "30s" }

scenario("the bot asks for a number and streams its answer", { tags = { "peers" } }, function(t)
    local ada = t:actor(S)
    ada:connect()
    ada:expect("message", { text = "How can I help?" }, slow)
    think()
    ada:say "Where is my order?"
    ada:answer(ada:expect("question", { text = match.contains "number" }, slow), "4711")
    ada:expect("step", { name = "look_up", output = match.contains "shipped" }, slow)
    local answer = ada:expect("stream_started", nil, slow)
    ada:expect("token", { id = answer.id, text = "order " }, slow)
    ada:expect("message", { id = answer.id, text = match.contains "4711 was shipped this morning." }, slow)
end)

scenario("a form is submitted by an acknowledgement", { tags = { "peers" } }, function(t)
    local ada = t:actor(S)
    ada:connect()
    ada:expect "message"
    ada:say "I complain"
    ada:expect("form", { text = "What happened?" }).form:fill { order = 4711, why = "late" }:submit()
    ada:expect("message", { text = "Thanks for submitting" })
    ada:expect("message", { text = "Noted: 4711 is late" })
end)

scenario("a button is a request of the same session", { tags = { "peers" } }, function(t)
    local ada = t:actor(S)
    ada:connect()
    ada:expect "message"
    ada:expect("button", { label = "Talk to a person" })
    ada:press "person"
    ada:expect("message", { text = "Somebody will call you." })
end)

scenario("a wrong password is refused", { tags = { "peers" } }, function(t)
    local eve = t:actor(S, { user = "eve", password = "guessed" })
    eve:connect()
    eve:expect("refused", { message = "credentialssignin" })
end)
