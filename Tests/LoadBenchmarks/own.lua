-- The work of echo.lua by a chat system in Lua that does what the built-in one does: what its handlers cost.
local S = system {
    name = "echoes", client = "user",
    events = {
        connected = { subprotocol = "string?" }, disconnected = { code = "integer", reason = "string" },
        frame = { type = "string", text = "string", size = "integer", json = "any?" },
    },
    noise = { "connected", "disconnected" },
}

function S.commands.connect(me)
    me.link = me:open()
    me:wait("open", "60s")
end

function S.commands.send_json(me, value) me.link:send_json(value) end
function S.on.open(me, link) me:emit("connected", { subprotocol = link.subprotocol }) end
function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code, reason = closure.reason }) end

function S.on.text(me, text)
    local value = json.decode(text)
    me:emit("frame", { type = "text", text = text, size = #text, json = value }, value)
end

scenario("echo", { timeout = "10m" }, function(t)
    local user = t:actor(S)
    user:connect()
    user:expect "connected"
    if env "IDLE" then wait "9m" end
    local seq = 0
    while true do
        seq = seq + 1
        user:send_json {
            type = "message", user = t.user.number, seq = seq, text = "Where is my order? It was to arrive on Monday.",
        }
        if user:expect("frame", nil, { within = "60s" }).json.seq ~= seq then t:fail "not the echo" end
    end
end)
