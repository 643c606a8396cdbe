-- Mistakes in a chat system of one's own are errors that say what was meant, as those in the use of a built-in one.
local function declaration()
    return {
        name = "support", client = "visitor", options = { user = "string?" },
        events = { message = { text = "string" }, queue = { position = "integer" } }, noise = { "queue" },
        properties = { state = "string?" }, parties = { agent = { events = { message = { text = "string" } } } },
    }
end

local function declared(changes)
    local table = declaration()
    for name, value in pairs(changes) do table[name] = value end
    return system(table)
end

scenario("a misspelt member", function() declared { nosie = { "queue" } } end)
scenario("no name", function() system { events = {} } end)
scenario("a name that a built-in system has", function() declared { name = "boldchat" } end)
scenario("a type that there is not", function() declared { options = { user = "strnig" } } end)
scenario("a type that is no text", function() declared { options = { user = 7 } } end)
scenario("noise that is no event", function() declared { noise = { "quee" } } end)
scenario("an event with a strange name", function() declared { events = { ["A message"] = {} } } end)
scenario("something else than a table", function() system "support" end)

scenario("a handler that there is not", function()
    local S = declared {}
    function S.on.txet(me, text) end
end)

scenario("a handler that is no function", function()
    local S = declared {}
    S.on.text = "text"
end)

scenario("a table that there is not", function()
    local S = declared {}
    function S.comands.connect(me) end
end)

scenario("a party that is not declared", function()
    local S = declared {}
    function S.parties.agnet.say(agent, text) end
end)

scenario("a command that every actor has", function()
    local S = declared {}
    function S.commands.expect(me) end
end)

scenario("a command with a misspelt mark", function()
    local S = declared {}
    S.commands.say = { sned = "text", function(me, text) end }
end)

scenario("a command that sends what it does not get", function()
    local S = declared {}
    S.commands.say = { parameters = { "room: string" }, sends = "text", function(me, room) end }
end)

-- A system that works, for mistakes in its use.
local S = declared {}
S.commands.say = { parameters = { "text: string", "times: integer?" }, function(me, text, times) end }
function S.commands.wrong_kind(me) me:emit("mesage", { text = "x" }) end
function S.commands.wrong_type(me) me:emit("message", { text = 7 }) end
function S.commands.missing_field(me) me:emit("message", {}) end
function S.commands.wrong_field(me) me:emit("message", { text = "x", txet = "y" }) end
function S.commands.breaks(me) error("the protocol of " .. me.options.user .. " is broken") end
function S.commands.connect(me) me.link = me:open { path = "/chat" } me:wait "open" end
function S.commands.elsewhere(me) me:open { url = "wss://chat.example.org/" } end
function S.commands.opens_wrongly(me) me:open { paht = "/" } end
function S.commands.shout(me, text) me.link:send(text) end
function S.on.timer(me, name) end
function S.server.text(desk, client, text)
    if text == "break" then error "the server's handler is broken" end
    client:send(text)
end
function S.parties.agent.say(agent, text) end

scenario("an option of a client", function(t) t:actor(S, { usr = "ada" }) end)
scenario("an option of a server", function(t) t:server(S, { queue = 1 }) end)
scenario("a command of a client", function(t) t:actor(S):sya "hi" end)
scenario("a command of a party", function(t) t:server(S):agent "Sam":sya "hi" end)
scenario("a party of a server", function(t) t:server(S):agnet "Sam" end)
scenario("an argument of a wrong type", function(t) t:actor(S):say(7) end)
scenario("an argument too many", function(t) t:actor(S):say("hi", 1, 2) end)
scenario("an event that is not declared", function(t) t:actor(S):wrong_kind() end)
scenario("a field of a wrong type", function(t) t:actor(S):wrong_type() end)
scenario("a field that is missing", function(t) t:actor(S):missing_field() end)
scenario("a field that is not declared", function(t) t:actor(S):wrong_field() end)
scenario("an event that this system has not", function(t) t:actor(S):expect "mesage" end)
scenario("a field of an event that this system has not", function(t)
    t:actor(S):expect("message", { txet = "hi" })
end)
scenario("an error in a command has both lines", function(t) t:actor(S, { user = "ada" }):breaks() end)
scenario("a host that the target does not name", function(t) t:actor(S):elsewhere() end)
scenario("an option of a link", function(t) t:actor(S):opens_wrongly() end)

scenario("a text that nobody handles", function(t)
    local visitor = t:actor(S)
    visitor:connect()
    visitor:shout "hello"
    wait "1s"
end)

scenario("an error in a handler of the server", function(t)
    local visitor = t:actor(S)
    visitor:connect()
    visitor:shout "break"
    wait "1s"
end)
