import CommandLine
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Secrets are put into every place of every system, and nothing that is written or printed may show any of them.
///
/// The same scripts are played once with values that nobody calls secret: what is found then tells that the places lead
/// to the outputs, and that the search finds what there is.
@Suite(
    "Secrets in every place of every system", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
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
                -- What is given as a token is hidden unasked from then on, wherever it stands; so not in the control.
                local c = t:actor(http, { url = "/v1", token = not isControl and s or nil })
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

    /// What passes without a fault, so that it stands in a matrix; values are in what is sent, in what is received, in
    /// the names of the points and in the reasons.
    private static let faults = #"""
        local websocket, http = require "websocket", require "http"
        for name, value in pairs(values) do
            local options = {
                allow = { "frame", "error", "disconnected" }, faults = { duplicate = "not for " .. value },
            }
            scenario("frames of " .. name, options, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket, { path = "/" .. name, query = { q = value } })
                client:connect()
                client:expect "connected"
                client:send_json { type = value, list = { value } }
                client:expect("frame", { json = { type = value } })
            end)
            scenario("requests of " .. name, options, function(t)
                t:server(http, { answers = { { json = { text = value } } } })
                local client = t:actor(http, { url = "/v1" })
                client:post("chat?x=" .. url.encode(value), { text = value })
                client:expect("response", { json = { text = value } })
            end)
        end
        """#

    /// A scenario in which a run can be killed.
    private static let endless = """
        scenario("endless", { timeout = "100000h" }, function() while true do wait "1h" log.info "on" end end)
        """

    /// Users who go on until they are killed.
    private static let endlessLoad = load.replacingOccurrences(
        of: #"executor = "per_user_iterations", users = 3, iterations = 4"#,
        with: #"executor = "constant_vus", users = 3, duration = "10m""#)

    /// A folder with the scripts, and what they read from the environment.
    private func project(
        _ planted: PlantedSecrets, isControl: Bool
    ) throws -> (folder: TemporaryFolder, variables: [String: String]) {
        let folder = try TemporaryFolder()
        for (name, text) in Self.scripts { try folder.write(text, to: name) }
        var variables = planted.variables
        variables["REPARTEE_LEARNT"] = variables.removeValue(forKey: "LEARNT")
        if isControl {
            for (name, value) in planted.variables { variables["REPARTEE_" + name] = value }
            variables["REPARTEE_CONTROL"] = "1"
        }
        variables["GITHUB_STEP_SUMMARY"] = folder.path + "/summary.md"
        return (folder, variables)
    }

    private static let scripts = [
        "repartee.lua": "return { limits = { expectation = \"2s\", scenario = \"1m\" } }",
        "planted.lua": values + places, "unloadable.lua": values + "error(values.LONG .. values.HOSTILE)\n",
        "load.lua": values + load, "faults.lua": values + faults, "killed.lua": values + places + endless,
        "killed_load.lua": values + endlessLoad,
    ]

    /// The bytes of all files but the scripts, by name.
    private func files(in folder: TemporaryFolder) -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var files: [String: Data] = [:]
        for name in names where Self.scripts[name] == nil { files[name] = self.bytes(of: name, in: folder) }
        return files
    }

    /// The bytes of a file; nil if there is none.
    private func bytes(of name: String, in folder: TemporaryFolder) -> Data? {
        FileManager.default.contents(atPath: folder.path + "/" + name)
    }

    /// All that an execution of the scripts has written and printed, by name.
    private func outputs(_ planted: PlantedSecrets, seed: UInt64, isControl: Bool) async throws -> [String: Data] {
        let (folder, variables) = try self.project(planted, isControl: isControl)
        let test = [
            "test", "planted.lua", "--seed", "\(seed)", "--verbose", "--capture", "bytes", "--github", "--ctrf",
            "out/ctrf.json", "--junit", "out/junit.xml", "--tap", "out/tap.txt",
        ]
        let files = "load.csv load.jsonl load.hlog load.prom load.otlp".split(separator: " ").map { "out/\($0)" }
        let runs = [
            test + ["--reports", "Reports"], test + ["--filter", "transcript", "--update", "--reports", "Second"],
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
            [
                "test", "faults.lua", "--faults", "cut,truncate,malformed_json,duplicate", "--seed", "\(seed)",
                "--reports",
                "Faults",
            ],
        ]
        var outputs: [String: Data] = [:]
        for (number, arguments) in runs.enumerated() {
            let run = try await ToolRun(arguments, in: folder.path, variables: variables)
            outputs["output of \(number) \(arguments[0])"] = Data(run.output.utf8)
            outputs["errors of \(number) \(arguments[0])"] = Data(run.error.utf8)
        }
        return outputs.merging(self.files(in: folder)) { _, written in written }
    }

    /// What runs leave that are killed: one of `test` in its last scenario, one of `load` after it has written its page
    /// for the second time, which is when something stands in it.
    private func remains(_ planted: PlantedSecrets, isControl: Bool) throws -> [String: Data] {
        let (folder, variables) = try self.project(planted, isControl: isControl)
        let load = try ToolProcess(
            ["load", "killed_load.lua", "--clock", "real", "--no-calibrate", "--quiet", "--reports", "KilledLoad"],
            in: folder.path, variables: variables)
        let test = try ToolProcess(
            [
                "test", "killed.lua", "--seed", "1", "--verbose", "--capture", "bytes", "--workers", "1", "--ctrf",
                "out/ctrf.json", "--tap", "out/tap.txt", "--reports", "Killed",
            ], in: folder.path, variables: variables)
        // What is printed is read, for whoever prints into a full pipe waits; so much that all before it is on disk.
        #expect(test.line(containing: "▶ endless") != nil)
        for _ in 0..<3000 { _ = test.line(containing: "info: on") }
        test.send(SIGKILL)
        #expect(test.end().code == -SIGKILL)
        let page = self.bytes(of: "KilledLoad/load.html", in: folder)
        #expect(page != nil)
        try self.wait { self.bytes(of: "KilledLoad/load.html", in: folder) != page }
        load.send(SIGKILL)
        #expect(load.end().code == -SIGKILL)
        return self.files(in: folder)
    }

    /// Waits for at most a minute until something is so.
    private func wait(until isSo: () -> Bool) throws {
        for _ in 0..<1200 where !isSo() { usleep(50_000) }
        try #require(isSo())
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
        let shown = control.mapValues { planted.count(in: $0) }
        for name in ["Faults/faults.json", "Faults/faults.html"] { #expect(shown[name, default: 0] > 0) }
        let outputs = try await self.outputs(planted, seed: seed, isControl: false)
        self.search(outputs, planted, places: places, control: shown)
        #expect(outputs.count >= 24)
    }

    @Test("nor does anything that is left of runs that were killed")
    func killed() throws {
        let planted = PlantedSecrets(seed: 3)
        let control = try self.remains(planted, isControl: true)
        let shown = control.mapValues { planted.count(in: $0) }
        for name in [
            "Killed/run.jsonl", "Killed/junit.xml", "Killed/report.html", "KilledLoad/load.json",
            "KilledLoad/load.html",
        ] {
            #expect(try #require(shown[name], "\(name) is missing") > 0, "\(name) shows nothing")
        }
        let places = self.revealing(try #require(control["Killed/run.jsonl"]), planted).count
        self.search(try self.remains(planted, isControl: false), planted, places: places, control: shown)
    }

    /// Searches outputs for the values, and prints what `scripts/check-hard` counts.
    ///
    /// - Parameter control: How many of them the same outputs show where they are no secrets.
    private func search(
        _ outputs: [String: Data], _ planted: PlantedSecrets, places: Int, control: [String: Int]
    ) {
        let silent = control.filter { $0.value == 0 }.keys.sorted()
        var found = 0
        for (name, data) in outputs.sorted(by: { $0.key < $1.key }) {
            let count = planted.count(in: data)
            found += count
            if count > 0 { Issue.record("\(name) shows \(count): \(planted.example(in: data))") }
        }
        let bytes = outputs.values.reduce(0) { $0 + $1.count }
        print(
            "secrets: \(planted.variables.count) values in \(places) places, \(outputs.count) outputs of \(bytes) bytes "
                + "searched, found \(found); without masks \(control.values.reduce(0, +))")
        print("outputs that show nothing even without masks: \(silent.joined(separator: ", "))")
    }
}
