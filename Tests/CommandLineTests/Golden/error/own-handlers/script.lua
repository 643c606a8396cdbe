-- What goes wrong in the handlers of a system in Lua is told with the way there, whether the scenario waits or not.
local S = system {
    name = "desk", events = { message = { text = "string" } }, noise = { "message" },
    parties = { agent = { events = {} } },
}

local heard = 0

local function read(text)
    heard = heard + 1
    return json.decode(text).text:upper()
end

local function take(me, text)
    local shout = read(text)
    me:emit("message", { text = shout })
end

function S.commands.connect(me) me.link = me:open {} me:wait "open" end
function S.commands.say(me, text) me.link:send(text) end
function S.on.text(me, text)
    take(me, text)
    return true
end
function S.on.timer(me, name) error({ timer = name }) end
function S.commands.later(me) me:after("soon", "1s") end
function S.server.text(desk, client, text)
    if text == "break" then desk.nothing.there = 1 end
    client:send(text)
end

local function connected(t)
    t:server(S)
    local client = t:actor(S)
    client:connect()
    return client
end

scenario("in the client, while the scenario waits for something", function(t)
    local client = connected(t)
    client:say '{"txet":"hi"}'
    client:expect "message"
end)

scenario("in the client, while the scenario does something else", function(t)
    local client = connected(t)
    client:say '{"txet":"hi"}'
    wait "1m"
end)

scenario("in the server", function(t)
    local client = connected(t)
    client:say "break"
    client:expect "message"
end)

scenario("in a timer, with a value that is no text", function(t)
    connected(t):later()
    wait "5s"
end)

scenario("what handlers leave behind is not seen by other scenarios", function(t)
    local client = connected(t)
    client:say '{"text":"hi"}'
    client:expect("message", { text = "HI" })
    expect(heard, 1)
end)
