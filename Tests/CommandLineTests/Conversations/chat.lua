-- A support chat over WebSocket that breaks in one of sixteen ways; the row names the way.
local websocket, http = require "websocket", require "http"

-- What the desk does instead of one of its steps; true if it has gone then.
local function says(frame) return function(desk) desk:send(frame) end end
local function leaves_out() end
local breaks = {
    ["wrong text"] = { answer = says '{"type":"message","text":"Your order A-1O01 left this morning."}' },
    ["reordered queue"] = {
        second = says '{"type":"queue","position":1}',
        first = says '{"type":"queue","position":2}',
    },
    ["duplicated message"] = {
        answer = function(desk, frame)
            desk:send(frame)
            desk:send(frame)
        end,
    },
    ["missing acknowledgement"] = { received = leaves_out },
    ["silent desk"] = { received = leaves_out, typing = leaves_out, answer = leaves_out, over = leaves_out, survey = leaves_out },
    ["no survey"] = { survey = leaves_out },
    ["never a hello"] = { hello = leaves_out, second = leaves_out, first = leaves_out },
    ["slow login"] = { login = { after = "1h", json = { token = "t" } } },
    ["slow answer"] = { answer = function() wait "1h" end },
    ["malformed frame"] = { answer = says '{"type":"message","text":"Your order A-1001 left this' },
    ["dropped connection"] = { answer = function(desk) desk:drop() return true end },
    ["closed early"] = { answer = function(desk) desk:close(1011, "the agent's queue is gone") return true end },
    ["login fails"] = { login = { status = 500, text = "the account database is down" } },
    ["login is cut"] = {
        login = { text = '{"token": "ab', headers = { ["Content-Type"] = "application/json" } },
    },
    ["handshake refused"] = { refuse = 400 },
    ["missed ping"] = { answer = function(desk) desk:close(4008, "no pong") return true end },
}

-- What an honest desk does, one step after the other.
local function serve(desk, broken)
    local isGone = false
    local function step(name, frame)
        if isGone then return end
        if not broken[name] then return desk:send(frame) end
        isGone = broken[name](desk, frame) == true
    end
    if not desk:maybe "connected" or not desk:maybe "frame" then return end
    step("hello", '{"type":"hello"}')
    step("second", '{"type":"queue","position":2}')
    wait "100ms"
    step("first", '{"type":"queue","position":1}')
    if not desk:maybe("frame", nil, { within = "5s" }) then return end
    step("received", '{"type":"received","id":1}')
    step("typing", '{"type":"typing"}')
    wait "200ms"
    step("answer", '{"type":"message","text":"Your order A-1001 left this morning."}')
    wait "100ms"
    step("over", '{"type":"agent_ended"}')
    step("survey", '{"type":"survey"}')
end

local rows = {}
for name in pairs(breaks) do rows[#rows + 1] = { name = name } end
table.sort(rows, function(a, b) return a.name < b.name end)

scenario("chat", { rows = rows }, function(t, row)
    local broken = breaks[row.name]
    t:allow("frame", { json = { type = "typing" } })
    t:server(http, { answers = { broken.login or { json = { token = "t-1" } } } })
    local browser = t:actor(http, { name = "browser", timeout = "1s" })
    browser:post("/api/login", { user = "ada" })
    local token = browser:expect("response").json.token

    local server = t:server(websocket, { refuse = broken.refuse })
    local desk = server:peer "desk"
    local ada = t:actor(websocket, { name = "ada", query = { token = token } })
    spawn(function() serve(desk, broken) end)
    ada:connect()
    ada:expect("connected", nil, { within = "1h" })
    ada:send_json { type = "hello" }
    ada:expect("frame", { json = { type = "hello" } }, { within = "3s" })
    ada:expect("frame", { json = { type = "queue", position = 2 } }, { within = "3s" })
    ada:expect("frame", { json = { type = "queue", position = 1 } }, { within = "3s" })
    ada:send_json { type = "say", id = 1, text = "Where is my order?" }
    ada:expect("frame", { json = { type = "received", id = 1 } }, { within = "3s" })
    ada:expect("frame", { json = { type = "message", text = "Your order A-1001 left this morning." } }, { within = "3s" })
    ada:expect("frame", { json = { type = "agent_ended" } }, { within = "3s" })
    ada:expect("frame", { json = { type = "survey" } }, { within = "3s" })
end)
