import CommandLine
import Foundation
import Testing

@Suite("Answers that name another host")
struct HostTests {
    private func play(_ script: String, answer: String, hosts: String = "") async throws -> (ToolRun, RawServer) {
        let body = Array(answer.utf8)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let server = try RawServer(.answers(Array(head.utf8) + body))
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = { test = { url = "http://127.0.0.1:\(server.port)", settings = { \(hosts) } } },
                limits = { expectation = "3s", scenario = "10s" },
            }
            """, to: "repartee.lua")
        try folder.write(script, to: "a.lua")
        return (try await ToolRun(["test", "a.lua", "--target", "test", "--no-preflight"], in: folder.path), server)
    }

    @Test(
        "A setting of a target that no client has as an option is refused",
        arguments: [
            ("acess_key = \"x\"", "no client has an option \"acess_key\"; did you mean \"access_key\"?"),
            ("hsots = { \"y\" }", "no client has an option \"hsots\"; did you mean \"hosts\"?"),
        ])
    func misspelt(setting: String, message: String) async throws {
        let (run, _) = try await self.play(Self.boldChat, answer: Self.boldChatAnswer, hosts: setting)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.error.contains("targets.test.settings: \(message)"), "\(run.error)")
    }

    private static let boldChat = """
        local boldchat = require "boldchat"
        scenario("opens a chat", function(t)
            local visitor = t:actor(boldchat)
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
        end)
        """

    private static let boldChatAnswer = """
        {"Status":"success","ClientID":"1","VisitorID":"2","ChatKey":"3","ChatID":"4",
        "WebSocketURL":"ws://elsewhere.test/","LongPollURL":"http://elsewhere.test/?id=","ClientTimeout":60,
        "AnswerTimeout":60}
        """

    private static let liveLike = """
        local livelike = require "livelike"
        scenario("joins", function(t)
            local ada = t:actor(livelike, { roomID = "lobby" })
            ada:connect()
            ada:expect "connected"
        end)
        """

    private static let liveLikeAnswer = """
        {"pubnub_subscribe_key":"k","pubnub_publish_key":"k","profile_url":"http://elsewhere.test/profile/",
        "chat_room_detail_url_template":"http://elsewhere.test/rooms/{chat_room_id}/"}
        """

    @Test(
        "do not lead a client out of the target's network, and the report says what to do",
        arguments: [(boldChat, boldChatAnswer), (liveLike, liveLikeAnswer)])
    func refused(script: String, answer: String) async throws {
        let (run, server) = try await self.play(script, answer: answer)
        defer { server.close() }
        #expect(run.status == .failed || run.status == .harness, "\(run.output)")
        #expect(run.output.contains("elsewhere.test is neither the target's host nor this machine"), "\(run.output)")
        #expect(run.output.contains("settings = { hosts = { \"elsewhere.test\" } }"), "\(run.output)")
    }

    @Test("lead there where the target names the host")
    func allowed() async throws {
        let (run, server) = try await self.play(
            Self.liveLike, answer: Self.liveLikeAnswer, hosts: "hosts = { \"*.test\" }")
        defer { server.close() }
        #expect(!run.output.contains("neither the target's host"), "\(run.output)")
        #expect(run.output.contains("elsewhere.test"), "\(run.output)")
    }

    @Test(
        "Names that would allow nothing are refused",
        arguments: ["\"elsewhere.test\"", "{ \"http://a.test\" }", "{ 7 }"])
    func misspelt(hosts: String) async throws {
        let (run, server) = try await self.play(Self.liveLike, answer: "{}", hosts: "hosts = \(hosts)")
        defer { server.close() }
        #expect(run.status == .script, "\(run.output)")
        #expect((run.output + run.error).contains("hosts takes"), "\(run.output) \(run.error)")
    }
}
