import CommandLine
import Foundation
import JSON
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "The page of repartee serve --ui", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct ChatPageTests {
    /// A running `repartee serve --ui`.
    private final class Session {
        let url: String
        let process: ToolProcess

        init(_ arguments: [String] = [], in folder: TemporaryFolder) throws {
            self.process = try ToolProcess(["serve", "--ui", "--port", "0"] + arguments, in: folder.path)
            let line = try #require(self.process.line(containing: "page http"))
            self.url = String(line.dropFirst("page ".count))
        }

        deinit { self.process.send(SIGKILL) }

        var root: String { self.url.split(separator: "/").prefix(2).joined(separator: "//") }

        func ask(
            _ path: String, _ body: String? = nil, at base: String? = nil, headers: [String: String] = [:]
        ) async throws -> (status: Int, body: JSONValue, text: String) {
            var request = try URLRequest(to: (base ?? self.url) + path)
            request.httpMethod = body == nil ? "GET" : "POST"
            request.httpBody = body.map { Data($0.utf8) }
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = try #require(response as? HTTPURLResponse).statusCode
            return (status, (try? JSONReader.read(Array(data))) ?? .null, String(decoding: data, as: UTF8.self))
        }

        /// Waits until somebody has observed something.
        func observes(_ actor: String, _ kind: String) async throws {
            var version: Int64 = 0
            while true {
                let news = try await self.ask("changes?after=\(version)").body
                version = try #require(news["version"]?.integer)
                let steps = news["steps"]?.array ?? []
                if steps.contains(where: {
                    $0["what"] == "observed" && $0["actor"]?.string == actor && $0["name"]?.string == kind
                }) {
                    return
                }
            }
        }
    }

    @Test("serves nothing without its token, by another name, or to another page", .timeLimit(.minutes(10)))
    func refuses() async throws {
        let session = try Session(in: try TemporaryFolder())
        let page = try await session.ask("")
        #expect(
            page.status == 200 && page.text.hasPrefix("<!DOCTYPE html>") && page.text.contains("connect-src 'self'"))
        #expect(try await session.ask("/", at: session.root).status == 403)
        #expect(try await session.ask("/systems", at: session.root).status == 403)
        for path in ["begin", "join", "perform"] {
            let stranger = try await session.ask(path, "{}", headers: ["Origin": "http://evil.example"])
            #expect(stranger.status == 403)
        }
        let token = session.url.split(separator: "/").last ?? ""
        let answer = try RawRequest.send(
            "GET /\(token)/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", to: session.root)
        #expect(answer.hasPrefix("HTTP/1.1 421 "))
        #expect(try await session.ask("nothing").status == 404)
        #expect(try await session.ask("nothing", "{}").status == 404)
        #expect(try await session.ask("forms").status == 404)
        #expect(try await session.ask("join", #"{"name":"Sam"}"#).status == 409)
        #expect(try await session.ask("begin", "[]").status == 400)
    }

    @Test("plays a visitor and an agent by hand, and saves a scenario that passes", .timeLimit(.minutes(10)))
    func plays() async throws {
        let folder = try TemporaryFolder()
        let session = try Session(["--system", "boldchat"], in: folder)
        let systems = try await session.ask("systems").body
        #expect(systems["first"] == "boldchat")
        #expect(systems["systems"]?.array?.contains("support") == true)
        let misspelt = try await session.ask("begin", #"{"system":"bodlchat"}"#)
        #expect(misspelt.status == 400 && misspelt.text.contains("did you mean \"boldchat\""))
        #expect(try await session.ask("begin", #"{"system":"boldchat","optoins":{}}"#).text.contains("options"))
        #expect(try await session.ask("begin", #"{"system":"boldchat"}"#).status == 200)
        let mistyped = [
            ("begin", #"{"system":7}"#, "system is a string, not 7"),
            ("begin", #"{"system":"boldchat","options":"queue"}"#, "options is a table, not \"queue\""),
            ("join", #"{"name":"Ada","kind":1}"#, "kind is a string, not 1"),
            ("perform", #"{"actor":"server","command":"chats","arguments":[1]}"#, "arguments is a table, not [1]"),
        ]
        for (path, body, reason) in mistyped {
            let answer = try await session.ask(path, body)
            #expect(answer.status == 400 && answer.text.contains(reason), "\(path): \(answer.text)")
        }
        let forms = try await session.ask("forms").body
        #expect(forms["clientName"] == "visitor" && forms["parties"]?["agent"]?["commands"]?.array?.isEmpty == false)
        #expect(try await session.ask("join", #"{"name":"Ada"}"#).status == 200)
        #expect(try await session.ask("join", #"{"name":"Sam","kind":"agent"}"#).status == 200)
        let orders: [(String, (String, String)?)] = [
            (
                #"{"actor":"Ada","command":"create_chat","arguments":{"options":{"skip_pre_chat":true}}}"#,
                ("Ada", "connected")
            ),
            (#"{"actor":"Sam","command":"accept","arguments":{"visitor":"Ada"}}"#, ("Ada", "accepted")),
            (#"{"actor":"Sam","command":"say","arguments":{"text":"Good morning!"}}"#, ("Ada", "message")),
            (#"{"actor":"Ada","command":"say","arguments":{"text":"Hello."}}"#, ("Sam", "message")),
        ]
        for (order, news) in orders {
            let answer = try await session.ask("perform", order)
            #expect(answer.status == 200, "\(answer.text)")
            if let (actor, kind) = news { try await session.observes(actor, kind) }
        }
        let mistake = try await session.ask("perform", #"{"actor":"Ada","command":"sya"}"#)
        #expect(mistake.status == 400 && mistake.text.contains("did you mean \"say\""))
        let saved = try await session.ask("scenario").text
        #expect(saved.contains("sam:accept(ada)"))
        try folder.write(saved, to: "Scenarios/by-hand.lua")
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\n\(saved)")
        // Another conversation forgets this one.
        #expect(try await session.ask("begin", #"{"system":"support"}"#).status == 200)
        let news = try await session.ask("changes?after=3").body
        #expect(news["all"] == true && news["actors"]?.array?.count == 1)
    }

    @Test("plays a system of the project by its file", .timeLimit(.minutes(10)))
    func own() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "echo", events = { message = { text = "string" } },
                parties = { agent = { events = { message = { text = "string" } } } } }
            S.commands.say = { sends = "text", function(me, text)
                local answer = me:request { path = "/", json = { text = text } }
                me:emit("message", { text = answer.json and answer.json.text or json.decode(answer.body).text })
            end }
            function S.server.request(desk, request) return { json = { text = request.json.text:upper() } } end
            return S
            """, to: "Scenarios/chat/echo.lua")
        let session = try Session(["--system", "Scenarios/chat/echo.lua"], in: folder)
        let begun = try await session.ask("begin", #"{"system":"Scenarios/chat/echo.lua"}"#)
        #expect(begun.status == 200, "\(begun.text)")
        #expect(try await session.ask("join", #"{"name":"Ada"}"#).status == 200)
        let said = try await session.ask("perform", #"{"actor":"Ada","command":"say","arguments":{"text":"hi"}}"#)
        #expect(said.status == 200, "\(said.text)")
        try await session.observes("Ada", "message")
        try folder.write(try await session.ask("scenario").text, to: "Scenarios/chat/by-hand.lua")
        let run = try await ToolRun(["test", "Scenarios/chat/by-hand.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
    }
}
