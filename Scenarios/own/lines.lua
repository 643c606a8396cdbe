-- A chat over TCP, a line a message, and one with a length before each message: no HTTP, no WebSocket.

local Lines = system {
    name = "lines", title = "Line chat", client = "guest", frames = { lines = "\r\n" },
    options = { nick = "string" },
    events = {
        welcome = { text = "string" }, message = { from = "string", text = "string" },
        ended = { code = "integer", reason = "string" },
    },
}

function Lines.commands.connect(me)
    me.link = me:open { frames = { lines = "\r\n" } }
    me:wait "open"
    me.link:send("NICK " .. me.options.nick)
end

Lines.commands.say = { sends = "text", function(me, text) me.link:send("SAY " .. text) end }
function Lines.commands.leave(me) me.link:close() end

function Lines.on.text(me, line)
    local from, text = line:match "^<([^>]+)> (.*)$"
    if from then me:emit("message", { from = from, text = text }, line) else me:emit("welcome", { text = line }, line) end
end

function Lines.on.closed(me, closed) me:emit("ended", { code = closed.code, reason = closed.reason }) end

-- The server speaks first: whoever speaks no HTTP is greeted as soon as the connection is open.
function Lines.server.connected(desk, client)
    expect(client.request, nil)
    client:send "hello"
end

function Lines.server.text(desk, client, line)
    local verb, rest = line:match "^(%u+) (.*)$"
    if verb == "NICK" then client.nick = rest
    elseif verb == "SAY" then
        for _, other in ipairs(desk.clients) do
            if other ~= client then other:send(("<%s> %s"):format(client.nick, rest)) end
        end
    elseif line == "QUIT" then client:close() end
end

scenario("two guests talk line by line", function(t)
    local ada = t:actor(Lines, { nick = "ada", name = "Ada" })
    local bob = t:actor(Lines, { nick = "bob", name = "Bob" })
    ada:connect()
    ada:expect("welcome", { text = "hello" })
    bob:connect()
    bob:expect "welcome"
    ada:say "Schöne Grüße"
    bob:expect("message", { from = "ada", text = "Schöne Grüße" })
    bob:leave()
    bob:expect("ended", { code = 1000 })
    ada:expect_silence("1s", "message")
end)

scenario("a line that would be two is refused before it is sent", function(t)
    local ada = t:actor(Lines, { nick = "ada" })
    ada:connect()
    ada:expect "welcome"
    local ok, problem = pcall(ada.say, ada, "one\r\ntwo")
    expect(ok, false)
    expect(tostring(problem), match.contains "a line has no line end in it")
end)

scenario("the URL of a server that hears links alone is none of HTTP", function(t)
    expect(t:server(Lines).url, match.glob "tcp://*:*")
end)

-- The first bytes of a connection tell whether it is of HTTP, because this server has a handler for requests.
local Packets = system {
    name = "packets", title = "Packet chat", frames = { length = 2 },
    events = { message = { text = "string" }, status = { code = "integer" }, gone = { reason = "string" } },
}

function Packets.commands.connect(me)
    me.link = me:open { frames = { length = 2 } }
    return me:wait "open"
end

function Packets.commands.say(me, text) me.link:send_bytes(text) end
function Packets.commands.probe(me)
    local answer = me:request { path = "/health" }
    if answer.ok then return me:emit("status", { code = answer.status }) end
    me:emit("error", { code = "health", message = "the server does not say how it is", status = answer.status })
end
function Packets.on.closed(me, closure) me:emit("gone", { reason = closure.reason }) end
function Packets.on.bytes(me, bytes) me:emit("message", { text = bytes }) end
function Packets.server.request(desk, request) return request.path == "/health" and 204 or 404 end
function Packets.server.bytes(desk, client, bytes) client:send_bytes(bytes:reverse()) end

scenario("a server takes packets and requests at one port", function(t)
    local client = t:actor(Packets)
    client:connect()
    client:say "abc"
    client:expect("message", { text = "cba" })
    client:probe()
    client:expect("status", { code = 204 })
    client:say(("x"):rep(65535))
    client:expect("message", { text = match.contains(("x"):rep(10)) })
    local ok, problem = pcall(client.say, client, ("x"):rep(65536))
    expect(ok, false)
    expect(tostring(problem), match.contains "longer than 65535")
end)

scenario("what belongs to HTTP is refused of a link, and a misspelt framing is told", function(t)
    local Wrong = system { name = "wrong", events = {} }
    function Wrong.commands.path(me) me:open { frames = "lines", path = "/chat" } end
    function Wrong.commands.spelling(me) me:open { frames = "linse" } end
    function Wrong.commands.nothing(me) me:open { url = "tcp://127.0.0.1:1" } end
    function Wrong.commands.elsewhere(me) me:open { url = "tcp://elsewhere.example:1", frames = "bytes" } end
    function Wrong.server.text() end
    local client = t:actor(Wrong)
    local function problem(command)
        local ok, problem = pcall(client[command], client)
        expect(ok, false)
        return tostring(problem)
    end
    expect(problem "path", match.contains "a link over TCP has no path")
    expect(problem "spelling", match.contains [[did you mean "lines"?]])
    expect(problem "nothing", match.contains [[such as frames = "lines"]])
    expect(problem "elsewhere", match.contains "elsewhere.example is neither the target's host nor this machine")
end)
