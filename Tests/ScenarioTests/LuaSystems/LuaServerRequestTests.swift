import RunRecord
import Testing

@testable import Scenario

@Suite("Requests that the simulated servers of systems in Lua take and send")
struct LuaServerRequestTests {
    @Test("a body of bytes is given in base64, and a common method is written in capitals")
    func bytesAndMethods() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.send(me, options) return me:request(options).body end
            function S.commands.break_off(me)
                return select(2, pcall(me.request, me, { path = "/", body = "\\xFF" })).message
            end
            function S.server.request(desk, request)
                return ("%s %s %d"):format(request.method, request.headers["content-type"], #(request.bytes or ""))
            end
            scenario("sends", function(t)
                t:server(S)
                local client = t:actor(S)
                local put = { method = "put", base64 = base64.encode "\\xFF\\0" }
                expect(client:send(put), "PUT application/octet-stream 2")
                expect(client:send { method = "Patch", body = "x" }, "PATCH text/plain; charset=utf-8 1")
                expect(client:send { method = "purge" }, "purge nil 0")
                expect(client:break_off(), match.contains "bytes are given as base64 = base64.encode")
            end)
            """
        #expect(try ScriptRun(source).messages == [])
    }

    @Test("headers are found by any spelling of their names, and gone through in lower case")
    func headers() throws {
        let source = """
            local S = system { name = "probe", events = { got = { headers = "table" } } }
            function S.commands.send(me)
                local answer = me:request { path = "/", headers = { ["X-Note"] = "n" } }
                expect(answer.headers["X-Answer"], "heard n")
                expect(answer.headers["x-answer"], "heard n")
                expect(answer.headers["X-Other"] == nil)
                for name in pairs(answer.headers) do expect(name, name:lower()) end
                me:emit("got", { headers = answer.headers })
            end
            function S.server.request(desk, request)
                return { headers = { ["X-Answer"] = "heard " .. tostring(request.headers["X-NOTE"]) } }
            end
            scenario("sends", function(t)
                t:server(S)
                local client = t:actor(S)
                client:send()
                local got = client:expect("got", { headers = { ["X-ANSWER"] = "heard n" } })
                expect(got.headers["X-Answer"], "heard n")
                expect(got.headers["x-answer"], "heard n")
                expect(got.headers["X-Other"] == nil)
                expect(got.headers, { ["x-answer"] = "heard n" })
            end)
            """
        #expect(try ScriptRun(source).messages == [])
    }

    @Test("a form with files is the list of its parts, and any other body has none")
    func parts() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.send(me, options) return me:request(options).body end
            function S.server.request(desk, request)
                local texts = {}
                for _, part in ipairs(request.parts or {}) do
                    texts[#texts + 1] = ("%s %s %s %d"):format(part.name, part.filename, part.type, #part.bytes)
                    expect(part.body == nil or part.body == part.bytes)
                    expect(part.json ~= nil, part.name == "data")
                end
                return request.parts and table.concat(texts, ", ") or "no parts"
            end
            scenario("sends", function(t)
                t:server(S)
                local client = t:actor(S)
                expect(client:send { multipart = {
                    { name = "note", text = "hi" }, { name = "data", json = { 1 } },
                    { name = "photo", filename = "a.jpg", type = "image/jpeg", base64 = base64.encode "\\xFF\\0\\xFE" },
                } }, "note nil nil 2, data nil application/json 3, photo a.jpg image/jpeg 3")
                expect(client:send { body = "text" }, "no parts")
                local headers = { ["content-type"] = "multipart/form-data; boundary=b" }
                expect(client:send { body = "--b junk", headers = headers }, "no parts")
            end)
            """
        #expect(try ScriptRun(source).messages == [])
        let misspelt = source.replacing("part.filename", with: "part.fliename")
        #expect(
            try ScriptRun(misspelt).messages.first?.contains("part.fliename is not there; did you mean \"filename\"?")
                == true)
    }

    @Test(
        "what a handler returns wrongly is told at the handler's function, and where the scenario waited",
        arguments: [
            ("request", "function S.server.request() return { jsn = 1 } end", "usage"),
            ("request", "S.server.request = { function() return 1000 end }", "usage"),
            ("request", "function S.server.request(_, request) request:begin() return 'x' end", "usage"),
            ("request", "function S.server.request() return 'x', 'y' end", "usage"),
            ("request", "function S.server.request() return { json = print } end", nil),
            ("upgrade", "function S.server.upgrade() return nil end", "usage"),
        ] as [(String, String, String?)])
    func placed(handler: String, definition: String, kind: String?) throws {
        let source = """
            local S = system { name = "probe", events = { error = {} } }
            function S.commands.ask(me)
                if "\(handler)" == "upgrade" then me:open {} else me:request { path = "/" } end
            end
            function S.on.text() end
            function S.on.failed() end
            function S.server.text() end

            \(definition)
            scenario("asks", function(t)
                t:server(S)
                t:actor(S):ask()
                wait "1s"
            end)
            """
        let problems = try ScriptRun(source).end.problems
        let problem = try #require(problems.first)
        #expect(problem.file == "a.lua" && problem.line == 9, "\(problem)")
        #expect(problem.category == .error)
        if let kind {
            #expect(problem.typeName == kind, "\(problem)")
        } else {
            #expect(problem.message.hasPrefix("probe.server.request: what it returns is not JSON: "), "\(problem)")
        }
        let lines = problem.evidence?.sections.first { $0.heading == "called from" }?.lines ?? []
        #expect(lines.last?.hasPrefix("a.lua:1") == true, "\(lines)")
    }

    @Test(
        "a header that says how the body ends is refused where it would be lost, and sent where a body may break it",
        arguments: [
            ("return { body = 'abc', headers = { ['Content-Length'] = '2' } }", "\"Content-Length\""),
            ("return { json = {}, headers = { ['transfer-encoding'] = 'chunked' } }", "\"transfer-encoding\""),
            ("return { status = 500, headers = { Connection = 'close' } }", "\"Connection\""),
            ("request:begin { headers = { ['Transfer-Encoding'] = 'chunked' } }", "\"Transfer-Encoding\""),
            ("request:begin { headers = { ['Content-Length'] = '4' } } request:write 'abc'", nil),
        ] as [(String, String?)])
    func framing(answer: String, header: String?) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { answered = { code = "string" } } }
            function S.commands.ask(me)
                local answer = me:request { path = "/" }
                me:emit("answered", { code = answer.failure and answer.failure.code or "none" })
            end
            function S.server.request(_, request) \(answer) end
            scenario("asks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:ask()
                client:expect("answered", { code = "connection_lost" })
            end)
            """)
        guard let header else { return #expect(run.messages == []) }
        let told =
            "the header \(header) says how the body ends, which the server does by itself; only request:begin takes"
        #expect(run.messages.first?.contains(told) == true, "\(run.messages)")
    }
}
