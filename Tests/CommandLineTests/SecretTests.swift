import CommandLine
import Foundation
import Testing

@Suite("Secrets never reach a log or a report")
struct SecretTests {
    private static let value = "tk-8&<\"ö 1815/+?%"

    /// The forms in which a secret could stand in a text.
    private static let forms: [String] = {
        let bytes = Data(Self.value.utf8)
        let base64 = bytes.base64EncodedString()
        let json = String(decoding: (try? JSONEncoder().encode(Self.value)) ?? Data(), as: UTF8.self)
        return [
            Self.value, base64, bytes.map { String(format: "%02x", $0) }.joined(),
            bytes.map { String(format: "%02X", $0) }.joined(), String(json.dropFirst().dropLast()),
            Self.value.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;"),
            Self.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
            base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_"),
            // The values that follow a prefix of one or two bytes in base64, as in Basic authorization.
            String(Data(("u:" + Self.value).utf8).base64EncodedString().dropFirst(4).dropLast(4)),
            String(Data(("ab:" + Self.value).utf8).base64EncodedString().dropFirst(4).dropLast(4)),

        ]
    }()

    private static let echo = """
        local websocket = require "websocket"
        local function connection(t)
            t:server(websocket, { echo = true })
            local client = t:actor(websocket, { query = { token = secret "TOKEN" }, headers = { ["X-Key"] = secret "TOKEN" } })
            client:connect()
            client:expect "connected"
            return client
        end

        """

    @Test(
        "whatever a script does with one",
        arguments: [
            "print(secret \"TOKEN\")", "error(secret \"TOKEN\")", "expect(\"x\", secret \"TOKEN\")",
            "check(false, secret \"TOKEN\")", "assert(false, secret \"TOKEN\")", "t:fail(secret \"TOKEN\")",
            "t:skip(secret \"TOKEN\")", "step(secret \"TOKEN\", function() end)", "error { token = secret \"TOKEN\" }",
            "log.info(json.encode { token = secret \"TOKEN\" })",
            "local c = connection(t) c:send(secret \"TOKEN\") c:expect(\"frame\", { text = secret \"TOKEN\" }) c:expect(\"frame\", { text = secret \"TOKEN\" }, { within = \"1s\" })",
            "local c = connection(t) c:send_json { token = secret \"TOKEN\" } c:expect(\"frame\", { text = \"x\" }, { within = \"1s\" })",
            "local c = connection(t) c:close(4000, secret \"TOKEN\") wait \"1s\"",
            "local s = secret \"TOKEN\" print((s:gsub(\".\", function(c) return (\"%02x\"):format(c:byte()) end)))",
            "local token <const> = secret \"TOKEN\" local _ = nil + token", "require(secret \"TOKEN\")",
            "wait(secret \"TOKEN\")", "t:actor(websocket, { [secret \"TOKEN\"] = 1 })",
        ])
    func leaks(body: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.echo + "scenario(\"uses a secret\", function(t)\n\(body)\nend)\n", to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--verbose"], in: folder.path, variables: ["TOKEN": Self.value])
        let texts = [
            "output": run.output, "error": run.error, "run.jsonl": try run.reports.text("run.jsonl"),
            "junit.xml": try run.reports.text("junit.xml"),
        ]
        for (name, text) in texts {
            for form in Self.forms where !form.isEmpty && text.contains(form) {
                Issue.record("\(name) shows \(form)")
            }
        }
        _ = try XMLFile(try run.reports.data("junit.xml"))
    }

    @Test(
        "one that somebody typed into a script, in the report that shows it, now and later",
        arguments: ["secret \"TOKEN\"", "secret(\"TO\" .. \"KEN\")"])
    func typedIntoScript(call: String) async throws {
        let folder = try TemporaryFolder()
        let typed = "tk-8 1815 typed"
        let script = "-- \(typed)\nscenario(\"s\", function(t) expect(\(call), \"\(typed)\") end)\n"
        try folder.write(script, to: "Scenarios/a.lua")
        let variables = ["TOKEN": typed]
        let run = try await ToolRun(["test"], in: folder.path, variables: variables)
        #expect(run.status == .success)
        let page = try run.reports.text("report.html")
        #expect(!page.contains(typed))
        #expect(page.contains("-- ***\\nscenario("))
        guard call.contains("TOKEN") else { return }
        let record = run.reports.path + "/run.jsonl"
        _ = try await ToolRun(["report", record, "--html", "later.html"], in: folder.path, variables: variables)
        #expect(try !folder.text("later.html").contains(typed))
    }

    @Test("a later report hides what the scripts of its record and their modules name, and reads no others")
    func later() async throws {
        let folder = try TemporaryFolder()
        let (typed, other) = ("tk-8 1815 typed", "tk-9 1815 other")
        try folder.write(
            "-- \(typed) \(other)\nrequire \"helpers.keys\"\nscenario(\"s\", function() expect(1, 1) end)\n",
            to: "Scenarios/a.lua")
        try folder.write("require \"helpers.more\"\n", to: "helpers/keys.lua")
        try folder.write("return function() return secret \"TOKEN\" end\n", to: "helpers/more.lua")
        let run = try await ToolRun(["test", "Scenarios"], in: folder.path)
        #expect(run.status == .success)
        try folder.write("return secret \"OTHER\"\n", to: "elsewhere/b.lua")
        _ = try await ToolRun(
            ["report", run.reports.path + "/run.jsonl", "--html", "later.html"], in: folder.path,
            variables: ["TOKEN": typed, "OTHER": other])
        let page = try folder.text("later.html")
        #expect(!page.contains(typed))
        #expect(page.contains(other))
    }

    @Test("one that is read while the file is loaded")
    func atLoad() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "local token = secret \"TOKEN\"\nscenario(\"uses it\", function() print(token) end)\n", to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--verbose"], in: folder.path, variables: ["TOKEN": Self.value])
        #expect(run.status == .success)
        #expect(run.output.contains("***"))
        #expect(!run.output.contains(Self.value))
        #expect(try !run.reports.text("run.jsonl").contains("tk-8"))
    }

    @Test("one in an error while the file is loaded, and in a title")
    func inLoadError() async throws {
        let folder = try TemporaryFolder()
        try folder.write("error(secret \"TOKEN\")\n", to: "a.lua")
        try folder.write("scenario(\"with \" .. secret \"TOKEN\", function() end)\n", to: "b.lua")
        for file in ["a.lua", "b.lua"] {
            for extra in [[], ["--list"]] {
                let run = try await ToolRun(
                    ["test", file] + extra, in: folder.path, variables: ["TOKEN": Self.value])
                #expect(!run.error.contains("tk-8"))
                #expect(!run.output.contains("tk-8"))
                #expect((run.output + run.error).contains("***"), "\(file) \(extra)")
            }
        }
    }

    @Test("env reads variables, with a default, and hides nothing")
    func environment() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { env = { \"GREETING\", \"NO*\" } }\n", to: "repartee.lua")
        try folder.write(
            "scenario(\"reads\", function() print(env \"GREETING\", env(\"NONE\", \"default\"), env \"NONE\") end)\n",
            to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--verbose"], in: folder.path, variables: ["GREETING": "hello"])
        #expect(run.output.contains("hello"))
        #expect(run.output.contains("default"))
        #expect(run.output.contains("nil"))
    }

    @Test("env reads what the project allows and says how to allow more")
    func allowList() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { env = { \"SHOP_*\" } }\n", to: "repartee.lua")
        let variables = ["SHOP_URL": "shop", "REPARTEE_X": "own", "CI": "ci", "AWS_KEY": "AKIA", "SHO": "short"]
        for (name, isAllowed) in [
            ("SHOP_URL", true), ("REPARTEE_X", true), ("CI", true), ("AWS_KEY", false), ("SHO", false), ("NONE", false),
        ] {
            try folder.write("scenario(\"s\", function() print(env(\"\(name)\", \"else\")) end)\n", to: "a.lua")
            let run = try await ToolRun(["test", "a.lua", "--verbose"], in: folder.path, variables: variables)
            #expect(run.status == (isAllowed ? .success : .script), "\(run.output)")
            #expect(run.output.contains("write env = { \"\(name)\" } in repartee.lua") == !isAllowed, "\(run.output)")
            #expect(!run.output.contains("AKIA") && run.output.contains(variables[name] ?? "") == isAllowed)
        }
    }

    @Test("what is learnt while the scenario plays is hidden from then on, and where it was just observed")
    func learnt() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local http = require "http"
            scenario("logs in", function(t)
                t:server(http, { answers = { { json = { session = "s-4711-0815", id = 99887766 } } } })
                local visitor = t:actor(http, { url = "/login" })
                visitor:post("", { user = "ada" })
                local answer = visitor:expect("response").json
                expect(keep_secret(answer.session), "s-4711-0815")
                expect(keep_secret(answer.id), 99887766)
                print("it is " .. answer.session .. " and " .. answer.id)
                error(answer.session:reverse():reverse())
            end)
            scenario("refuses", function() keep_secret "abc" end)
            scenario("refuses, too", function() keep_secret {} end)

            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--verbose", "--capture", "bytes"], in: folder.path)
        #expect(run.output.contains("it is *** and ***"), "\(run.output)")
        #expect(run.output.contains("keep_secret cannot hide a text of fewer than 4 bytes"), "\(run.output)")
        #expect(run.output.contains("keep_secret takes a text, such as the token that a login answered"))
        for name in ["run.jsonl", "junit.xml"] {
            let text = try run.reports.text(name)
            #expect(!text.contains("4711-") && !text.contains("99887766"), "\(name): \(text)")
        }
        // Only the script itself has them, which its author wrote.
        let page = try run.reports.text("report.html")
        #expect(!page.contains("4711-"))
    }

    @Test("the values of cookies are hidden where a script reads them, as their headers are")
    func cookies() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local http = require "http"
            local value = ("8151"):rep(2, "-")
            local own = system { name = "own", events = { seen = { text = "string" } } }
            function own.commands.look(me)
                me:request { path = "/" }
                me:emit("seen", { text = "own " .. me:cookies()[1].value })
            end
            function own.server.request() return { headers = { ["set-cookie"] = "sid=own-" .. value } } end

            scenario("built in", { allow = { "response" } }, function(t)
                t:server(http, { answers = { { headers = { ["set-cookie"] = "sid=" .. value } } } })
                local visitor = t:actor(http)
                expect(visitor.cookies, {})
                visitor:get "/"
                visitor:expect "response"
                print("it is " .. visitor.cookies[1].value)
                expect(visitor.cookies, { { value = "another" } })
            end)
            scenario("own", function(t)
                local visitor = t:actor(own)
                visitor:look()
                visitor:expect("seen", { text = "another" })
            end)

            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--verbose", "--capture", "bytes"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("it is ***"), "\(run.output)")
        #expect(!run.output.contains("8151-"), "\(run.output)")
        for name in ["run.jsonl", "junit.xml", "report.html"] {
            let text = try run.reports.text(name)
            #expect(!text.contains("8151-"), "\(name): \(text)")
        }
    }

    @Test("a short secret is hidden or refused, but not shown")
    func short() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"s\", function() print(\"pin \" .. secret \"PIN\") end)\n", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--verbose"], in: folder.path, variables: ["PIN": "zq7"])
        #expect(!run.output.contains("pin zq7"))
        #expect(run.output.contains("the secret PIN is too short to be hidden"), "\(run.output)")
    }
}
