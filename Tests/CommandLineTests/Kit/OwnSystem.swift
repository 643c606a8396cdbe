/// A chat system in Lua, small enough to be read with the tests: whoever connects waits until an agent accepts.
enum OwnSystem {
    static let module = """
        local S = system {
            name = "desk", title = "Desk chat", client = "visitor",
            options = { user = "string?" }, server_options = { greeting = "string?", on_text = "function?" },
            events = { connected = {}, message = { from = "string", text = "string" }, disconnected = { code = "integer" } },
            noise = { "connected", "disconnected" },
            parties = { agent = {
                events = { chat_waiting = { user = "string" }, message = { text = "string" } }, noise = { "chat_waiting" },
            } },
        }
        function S.commands.connect(me)
            me.link = me:open { path = "/chat", query = { user = me.options.user or "ada" } }
            me:wait "open"
        end
        S.commands.say = { sends = "text", function(me, text) me.link:send_json { text = text } end }
        function S.commands.garbage(me) me.link:send "{" end
        function S.on.open(me) me:emit "connected" end
        function S.on.text(me, text)
            local frame = json.decode(text)
            me:emit("message", { from = frame.from, text = frame.text })
        end
        function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code }) end

        function S.server.started(desk) desk.chats = {} end
        function S.server.connected(desk, client, request)
            client.user = request.query.user
            desk.chats[client.user] = client
            if desk.options.greeting then client:send_json { from = "desk", text = desk.options.greeting } end
            for _, agent in pairs(desk.parties) do agent:emit("chat_waiting", { user = client.user }) end
        end
        function S.server.text(desk, client, text)
            local frame = json.decode(text)
            if client.agent then client.agent:emit("message", { text = frame.text }) end
        end
        S.server.commands.count = function(desk)
            local count = 0
            for _ in pairs(desk.chats) do count = count + 1 end
            return count
        end
        S.parties.agent.accept = { parameters = { "user: string" }, function(agent, user)
            agent.client = agent.desk.chats[user] or error("nobody called " .. user .. " waits")
            agent.client.agent = agent
        end }
        S.parties.agent.say = { sends = "text", function(agent, text)
            wait "10ms"
            agent.client:send_json { from = agent.name, text = text }
        end }
        function S.parties.agent.twice(agent, text, suffix)
            S.parties.agent.say(agent, text)
            S.parties.agent.say(agent, text .. suffix)
            return { said = 2 }
        end
        function S.parties.agent.hook(agent) return function() end end
        return S
        """

    /// Writes the module and a script beside it.
    static func write(_ script: String, to folder: TemporaryFolder) throws {
        try folder.write(Self.module, to: "Scenarios/desk.lua")
        try folder.write("local desk_chat = require \"desk\"\n" + script, to: "Scenarios/play.lua")
        try folder.write("return { limits = { expectation = \"20s\" } }", to: "repartee.lua")
    }

    /// A conversation that says what it needs on both sides.
    static let conversation = """
        scenario("an agent answers", function(t)
            local desk = t:server(desk_chat, { greeting = "Welcome" })
            local sam = desk:agent "Sam"
            local ada = t:actor(desk_chat, { user = "ada" })
            ada:connect()
            ada:expect("message", { from = "desk", text = "Welcome" })
            sam:expect("chat_waiting", { user = "ada" })
            sam:accept "ada"
            ada:say "Hello?"
            sam:expect("message", { text = "Hello?" })
            sam:say "Hello!"
            ada:expect("message", { from = "Sam", text = "Hello!" })
            expect(sam:twice("so", "!").said, 2)
            ada:expect(seq { event("message", { text = "so" }), event("message", { text = "so!" }) })
            expect(desk:count(), 1)
        end)
        """
}
