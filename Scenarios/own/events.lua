-- A chat over HTTP alone: the client posts what it says, and hears the rest as server-sent events, which it asks for
-- again where they broke off.
local S = system {
    name = "events_chat", client = "visitor", options = { user = "string?" },
    events = {
        connected = {}, reconnected = {}, message = { from = "string", text = "string" },
        message_sent = { text = "string" },
    },
    noise = { "connected", "reconnected", "message_sent" },
    parties = { agent = { events = { message = { text = "string" } } } },
}

-- The client -----------------------------------------------------------------------------------------------------------

function S.commands.connect(me)
    me.last = 0
    me:after("listen", 0) -- a handler that waits for events lets the command go on
    me:wait "listening"
end
S.commands.say = { sends = "text", function(me, text)
    local answer = me:request { path = "/messages", json = { text = text } }
    if not answer.ok then
        return me:emit("error", { code = "refused", message = "the text was refused", status = answer.status })
    end
    me:emit("message_sent", { text = text })
end }

-- Reads what comes until the stream ends; an event is `id: …` and `data: …`, with an empty line behind it.
local function listen(me)
    local answer = me:request { path = "/events", query = { after = me.last }, stream = true }
    if not answer.ok then
        me:emit("error", { code = "refused", message = "the events were refused", status = answer.status })
        return false
    end
    me:emit(me.is_known and "reconnected" or "connected", {})
    me.is_known = true
    me:wake "listening"
    -- An answer that breaks off is asked for again as one that ends; `answer:events()` would tell of an error.
    while true do
        local event = answer:read "event"
        if not event then break end
        me.last = math.tointeger(event.id)
        local frame = event.json
        me:emit("message", { from = frame.from, text = frame.text }, frame)
    end
    return true
end
function S.on.timer(me, name)
    if name == "listen" and listen(me) then me:after("listen", "100ms") end
end

-- The simulated server -------------------------------------------------------------------------------------------------

function S.server.started(desk) desk.log = {} end

local function publish(desk, from, text)
    desk.log[#desk.log + 1] = { from = from, text = text }
    desk:wake "news"
end

function S.server.request(desk, request)
    if request.path == "/messages" then
        for _, agent in pairs(desk.parties) do agent:emit("message", { text = request.json.text }) end
        return 202
    end
    local next = math.tointeger(request.query.after) + 1
    desk.epoch = desk.epoch or 0
    local epoch = desk.epoch
    request:begin { headers = { ["content-type"] = "text/event-stream" } }
    while epoch == desk.epoch do
        for id = next, #desk.log do
            if not request:write("id: " .. id .. "\ndata: " .. json.encode(desk.log[id]) .. "\n\n") then return end
            next = id + 1
        end
        if not desk:wait("news", "30s") and not request:write ": still here\n\n" then return end
    end
end
function S.server.commands.cut(desk)
    desk.epoch = desk.epoch + 1
    desk:wake "news"
end
S.parties.agent.say = { sends = "text", function(agent, text) publish(agent.desk, agent.name, text) end }

-- Scenarios ------------------------------------------------------------------------------------------------------------

scenario("what the agent says comes as server-sent events", function(t)
    local desk = t:server(S)
    local sam, ada = desk:agent "Sam", t:actor(S)
    ada:connect()
    ada:say "Where is my order?"
    sam:expect("message", { text = "Where is my order?" })
    sam:say "On its way."
    sam:say "It comes today."
    ada:expect("message", { from = "Sam", text = "On its way." })
    ada:expect("message", { text = "It comes today." })
end)

scenario("a stream that breaks off goes on where it was, and nothing comes twice", function(t)
    local desk = t:server(S)
    local sam, ada = desk:agent "Sam", t:actor(S)
    ada:connect()
    sam:say "One"
    ada:expect("message", { text = "One" })
    desk:cut()
    ada:expect "reconnected"
    sam:say "Two"
    ada:expect("message", { text = "Two" })
    ada:expect_silence("1s", "message")
end)

scenario("a stream that is refused when it is asked for again is told", function(t)
    local restarted = system { name = "events_chat", events = {} }
    function restarted.server.request(desk, request)
        if desk.is_known then return 401 end
        desk.is_known = true
        request:begin { headers = { ["content-type"] = "text/event-stream" } }
    end
    t:server(restarted)
    local ada = t:actor(S)
    ada:connect()
    ada:expect("error", { code = "refused", status = 401 })
end)
