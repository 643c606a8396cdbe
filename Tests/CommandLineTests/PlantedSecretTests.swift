import CommandLine
import Foundation
import Testing

/// Secrets are put into every place of every system, and nothing that is written or printed may show any of them.
///
/// The same scripts are played once with values that nobody calls secret: what is found then tells that the places lead
/// to the outputs, and that the search finds what there is.
@Suite("Secrets in every place of every system")
struct PlantedSecretTests {
    /// Reads the values: as secrets, or in the control as what they are.
    private static let values = """
        local isControl = env "REPARTEE_CONTROL" ~= nil
        local values = {}
        for _, name in ipairs { "SHORT", "HOSTILE", "LONG", "LONG_HOSTILE", "NUMBER" } do
            values[name] = isControl and env("REPARTEE_" .. name) or secret(name)
        end
        local learnt = env "REPARTEE_LEARNT"
        local function try(...) pcall(...) end

        """

    private static let places = #"""
        local boldchat, oracle, livelike = require "boldchat", require "oracle", require "livelike"
        local liveassist, websocket, http = require "liveassist", require "websocket", require "http"

        -- A system in Lua, whose server says everything back.
        local own = system {
            name = "own", options = { greeting = "string?" },
            events = { connected = {}, message = { text = "string" }, left = { reason = "string" } },
        }
        function own.commands.connect(me, text)
            me.link = me:open { path = "/", query = { as = text } }
            me:wait "open"
        end
        own.commands.say = { parameters = { "text: string" }, function(me, text) return me.link:send(text) end }
        function own.on.open(me) me:emit("connected", {}) end
        function own.on.text(me, text) me:emit("message", { text = text }, text) end
        function own.on.closed(me, closure) me:emit("left", { reason = closure.reason }) end
        function own.server.upgrade() return true end
        function own.server.text(desk, client, text) client:send(text) end

        -- A body for each place; a scenario is declared for each place and each value.
        local places = {
            print = function(t, s) print(s) end,
            late = function(t, s) print(("x"):rep(75) .. s) log.warn(("é"):rep(230) .. s) end,
            error = function(t, s) error("broken by " .. s) end,
            thrown = function(t, s) error { token = s, [s] = 1 } end,
            nested = function(t, s) print(json.encode { a = json.encode { b = json.encode { [s] = s } } }) end,
            quoted = function(t, s) print(("%q"):format(s)) end,
            hexadecimal = function(t, s)
                print((s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
                print((s:gsub(".", function(c) return ("%%%02X"):format(c:byte()) end)))
                print((s:gsub(".", function(c) return ("&#x%x;"):format(c:byte()) end)))
            end,
            capital = function(t, s) print(s:upper()) end,
            wide = function(t, s) print((s:gsub("[%z\1-\127]", "%0\0"))) end,
            expected = function(t, s) expect("x", s) end,
            found = function(t, s) expect(s, "x") end,
            deep = function(t, s) expect({ a = { list = { s } } }, { a = { list = { "y" } } }) end,
            regex = function(t, s) expect(s, match.regex "^$") end,
            checked = function(t, s) check(s == nil, s) check({ [s] = 1 }, { b = 2 }) end,
            asserted = function(t, s) assert(false, s) end,
            failed = function(t, s) t:fail(s) end,
            skipped = function(t, s) t:skip(s) end,
            step = function(t, s) step(s, function() wait "1s" end) t:fail "now" end,
            spawned = function(t, s) local h = spawn(function() error(s) end) join(h) end,
            waited = function(t, s) wait(s) end,
            required = function(t, s) require(s) end,
            option = function(t, s) t:actor(websocket, { [s] = 1 }) end,
            name = function(t, s) local c = t:actor(websocket, { name = s }) c:connect() c:expect "connected" end,
            number = function(t, s)
                t:server(websocket, { echo = true })
                local c = t:actor(websocket)
                c:connect()
                c:expect "connected"
                c:send_json { id = tonumber(s) or 1, text = s }
                c:expect("frame", { json = { id = 2 } }, { within = "1s" })
            end,
            websocket = function(t, s)
                local peer = t:server(websocket, { echo = true }):peer "peer"
                local c = t:actor(websocket, { path = "/chat" })
                c:connect()
                c:expect "connected"
                c:send(s)
                c:expect("frame", { text = "nope" }, { within = "1s" })
            end,
            frames = function(t, s)
                local peer = t:server(websocket):peer "peer"
                local c = t:actor(websocket, { path = "/chat" })
                c:connect()
                c:expect "connected"
                c:send(json.encode { a = json.encode { s } })
                c:send(("ä"):rep(8180) .. s)
                peer:expect("frame", { text = match.contains "a" })
                peer:send(s)
                wait "1s"
                c:close(4000, s:sub(1, 100))
                t:fail "now"
            end,
            handshake = function(t, s)
                t:server(websocket)
                local c = t:actor(websocket, {
                    path = "/" .. s, query = { q = s }, headers = { ["X-Mine"] = s, Authorization = "Bearer " .. s },
                })
                c:connect()
                c:expect("frame", { text = s }, { within = "1s" })
            end,
            http = function(t, s)
                local server = t:server(http, { answers = { { json = { text = s, list = { s } } } } })
                local peer = server:peer "peer"
                local c = t:actor(http, { url = "/v1" })
                c:post("chat", { text = s })
                c:post("form", nil, { form = { a = s, b = "c" } })
                peer:expect("request", { json = { text = "no" } }, { within = "1s" })
            end,
            request = function(t, s)
                t:server(http, { answers = { { text = s } } })
                local c = t:actor(http, { url = "/v1", token = s })
                c:get("a?x=" .. s)
                c:post("b", s, { headers = { ["X-Mine"] = s }, query = { d = s } })
                c:expect("response", { status = 204 }, { within = "1s" })
            end,
            stream = function(t, s)
                local pieces = {}
                for place = 1, #s, 11 do pieces[#pieces + 1] = { delta = s:sub(place, place + 10) } end
                t:server(http, { answers = { { events = { { text = s }, "[DONE]" } } } })
                local c = t:actor(http, { url = "/v1" })
                c:send { stream = true }
                c:expect("stream_ended", { text = "no" }, { within = "2s" })
            end,
            login = function(t, s)
                t:server(http, { answers = { { json = { session = learnt, note = "for you" } } } })
                local c = t:actor(http, { url = "/login" })
                c:post("", { user = "ada" })
                local answer = c:expect "response"
                local token = isControl and answer.json.session or keep_secret(answer.json.session)
                expect(token, "another")
            end,
            boldchat = function(t, s)
                local desk = t:server(boldchat)
                local sam, visitor = desk:agent "Sam", t:actor(boldchat)
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "connected"
                sam:accept(visitor)
                visitor:say(s)
                sam:say(s)
                visitor:expect("message", { text = "no" }, { within = "1s" })
            end,
            form = function(t, s)
                t:server(boldchat, { secret = s })
                local visitor = t:actor(boldchat, { name = "Ada " .. s:sub(1, 40) })
                visitor:create_chat()
                visitor:expect("pre_chat").form:fill { first_name = s }:submit()
                visitor:expect("queue", { position = 7 }, { within = "1s" })
            end,
            oracle = function(t, s)
                t:server(oracle, { echo = true })
                local user = t:actor(oracle, { user_id = "ada", init_user_profile = { profile = { givenName = s } } })
                user:connect()
                user:expect "connected"
                user:say(s)
                user:expect("message", { text = "no" }, { within = "1s" })
            end,
            token = function(t, s)
                t:server(oracle, { authentication = true })
                local user = t:actor(oracle, { token_fixture = { secret = s, user_id = "ada", claims = { mine = s } } })
                user:connect()
                user:expect("message", { text = "no" }, { within = "1s" })
            end,
            livelike = function(t, s)
                t:server(livelike)
                local ada = t:actor(livelike, { name = "Ada", nickname = s:sub(1, 20), roomID = "lobby" })
                ada:connect()
                ada:expect("connected", { room = "lobby" })
                ada:say(s)
                ada:expect("message", { text = "no" }, { within = "1s" })
            end,
            liveassist = function(t, s)
                t:server(liveassist)
                local consumer = t:actor(liveassist)
                local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
                agent:join(s)
                consumer:redeem_short_code(s)
                consumer:expect("short_code", { code = "no" }, { within = "1s" })
            end,
            own = function(t, s)
                local user = t:actor(own, { greeting = s })
                user:connect(s)
                user:expect "connected"
                user:say(s)
                user:expect("message", { text = "no" }, { within = "1s" })
            end,
            transcript = function(t, s)
                t:server(websocket, { echo = true })
                local c = t:actor(websocket)
                c:connect()
                c:expect "connected"
                c:send(s)
                c:expect "frame"
                expect_transcript("planted " .. (values.NUMBER == s and "number" or #s))
            end,
        }

        for place, body in pairs(places) do
            for name, value in pairs(values) do
                scenario(place .. " of " .. name, { allow = { "message", "frame", "error" } }, function(t) body(t, value) end)
            end
        end
        scenario("titled " .. values.SHORT, { tags = { "t" } }, function(t) t:fail "now" end)
        scenario("rows", { rows = { { name = values.SHORT }, { text = values.LONG } } }, function(t, row)
            expect(row.name or row.text, "x")
        end)
        """#

    private static let load = #"""
        local websocket = require "websocket"
        workload {
            executor = "per_user_iterations", users = 3, iterations = 4,
            thresholds = { "count(planted) > 0" },
        }
        scenario("load " .. values.SHORT, function(t)
            for name, value in pairs(values) do
                metric.count("planted", 1, { tag = value })
                metric.value("planted_value", 1, { [name:lower()] = "x" .. value })
                metric.mark(("x"):rep(90) .. value)
                metric.mark(value)
            end
            local which = ({ "SHORT", "HOSTILE", "LONG", "LONG_HOSTILE" })[t.user.iteration % 4 + 1]
            if t.user.number == 0 then error("token " .. values[which]) end
            if t.user.number == 1 then expect(values[which], "x") end
            t:server(websocket, { echo = true })
            local c = t:actor(websocket)
            c:connect()
            c:expect "connected"
            c:send(values[which])
            c:expect("frame", { text = "no" }, { within = "1s" })
        end)
        """#

    /// All that a play of the scripts has written and printed, by name.
    private func outputs(_ planted: PlantedSecrets, seed: UInt64, isControl: Bool) async throws -> [String: Data] {
        let folder = try TemporaryFolder()
        try folder.write("return { limits = { expectation = \"2s\", scenario = \"1m\" } }", to: "repartee.lua")
        try folder.write(Self.values + Self.places, to: "planted.lua")
        try folder.write(Self.values + "error(values.LONG .. values.HOSTILE)\n", to: "unloadable.lua")
        try folder.write(Self.values + Self.load, to: "load.lua")
        let scripts: Set = ["repartee.lua", "planted.lua", "unloadable.lua", "load.lua"]
        var variables = planted.variables
        variables["REPARTEE_LEARNT"] = variables.removeValue(forKey: "LEARNT")
        if isControl {
            for (name, value) in planted.variables { variables["REPARTEE_" + name] = value }
            variables["REPARTEE_CONTROL"] = "1"
        }
        variables["GITHUB_STEP_SUMMARY"] = folder.path + "/summary.md"
        let test = [
            "test", "planted.lua", "--seed", "\(seed)", "--verbose", "--capture", "bytes", "--github", "--ctrf",
            "out/ctrf.json", "--junit", "out/junit.xml", "--tap", "out/tap.txt", "--reports", "Reports",
        ]
        let files = "load.csv load.jsonl load.hlog load.prom load.otlp".split(separator: " ").map { "out/\($0)" }
        let runs = [
            test, test + ["--filter", "transcript", "--update", "--reports", "Second"],
            ["test", "unloadable.lua", "--reports", "Third"],
            ["test", "planted.lua", "--list"],
            [
                "report", "Reports/run.jsonl", "--html", "out/later.html", "--junit", "out/later.xml", "--record",
                "out/r.jsonl",
            ],
            ["report", "Reports/run.jsonl", "--tap", "-"],
            [
                "load", "load.lua", "--clock", "virtual", "--seed", "3", "--reports", "Load", "--csv", files[0],
                "--jsonl",
            ]
                + [files[1], "--histogram-log", files[2], "--prometheus", files[3], "--otlp", files[4]],
            ["report", "Load/load.json", "--html", "out/load.html"],
        ]
        var outputs: [String: Data] = [:]
        for (number, arguments) in runs.enumerated() {
            let run = try await ToolRun(arguments, in: folder.path, variables: variables)
            outputs["output of \(number) \(arguments[0])"] = Data(run.output.utf8)
            outputs["errors of \(number) \(arguments[0])"] = Data(run.error.utf8)
        }
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names where !scripts.contains(name) {
            if let data = FileManager.default.contents(atPath: folder.path + "/" + name) { outputs[name] = data }
        }
        return outputs
    }

    /// The scenarios whose entries show a value.
    private func revealing(_ record: Data, _ planted: PlantedSecrets) -> Set<Int> {
        Set(
            record.split(separator: 0x0A).compactMap { line in
                guard planted.count(in: Data(line)) > 0,
                    let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
                else { return nil }
                return object["scenario"] as? Int
            })
    }

    @Test("nothing that is written or printed shows eight bytes of one", arguments: [1, 2] as [UInt64])
    func everywhere(seed: UInt64) async throws {
        let planted = PlantedSecrets(seed: seed)
        let control = try await self.outputs(planted, seed: seed, isControl: true)
        let record = try #require(control["Reports/run.jsonl"])
        let places = self.revealing(record, planted).count
        #expect(places >= 170, "a value was put into \(places) places only")
        let silent = control.filter { planted.count(in: $0.value) == 0 }.keys.sorted()

        let outputs = try await self.outputs(planted, seed: seed, isControl: false)
        var found = 0
        for (name, data) in outputs.sorted(by: { $0.key < $1.key }) {
            let count = planted.count(in: data)
            found += count
            if count > 0 { Issue.record("\(name) shows \(count): \(planted.example(in: data))") }
        }
        let bytes = outputs.values.reduce(0) { $0 + $1.count }
        print(
            "secrets: \(planted.variables.count) values in \(places) places, \(outputs.count) outputs of \(bytes) bytes "
                + "searched, found \(found); without masks \(control.values.reduce(0) { $0 + planted.count(in: $1) })")
        print("outputs that show nothing even without masks: \(silent.joined(separator: ", "))")
        #expect(outputs.count >= 24)
    }
}
