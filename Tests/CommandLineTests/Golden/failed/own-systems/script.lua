-- What fails in a chat system of one's own is told as for a built-in one.
local S = system {
    name = "echo", events = { message = { text = "string" }, disconnected = {} }, noise = {},
}
function S.commands.connect(me)
    me.link = me:open {}
    me:wait("open", "3s")
end
S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
function S.commands.login(me) me.token = me:request { path = "/login" }.json.token end
function S.commands.never_woken(me) me:wait("godot", "3s") end
function S.on.text(me, text) me:emit("message", { text = text }) end
function S.on.closed(me) me:emit("disconnected") end
function S.server.request(desk, request) return { status = 500, body = "the database is down" } end
function S.server.text(desk, client, text)
    client:send(text)
    if text == "twice" then client:send(text) end
    if text == "bye" then client:close() end
end

scenario("another text", function(t)
    local client = t:actor(S)
    client:connect()
    client:say "hello"
    client:expect("message", { text = "hallo" }, { within = "2s" })
end)

scenario("a message that nobody expected", function(t)
    local client = t:actor(S)
    client:connect()
    client:say "twice"
    client:expect "message"
end)

scenario("nobody wakes a command", function(t) t:actor(S):never_woken() end)
scenario("an answer that is no JSON", function(t) t:actor(S):login() end)
