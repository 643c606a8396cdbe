import CommandLine
import Foundation
import RunRecord
import Testing

/// One way in which a conversation is broken, and the words by which its headline names that.
struct Breakage: CustomTestStringConvertible, Sendable {
    let name: String
    let cause: String

    /// Whether the other side has gone, so that nothing is worth waiting for.
    let peerIsGone: Bool

    init(_ name: String, _ cause: String, peerIsGone: Bool = false) {
        self.name = name
        self.cause = cause
        self.peerIsGone = peerIsGone
    }

    var testDescription: String { self.name }
}

/// What somebody reads who tests a chat of their own and finds it broken: the first line has to say how.
@Suite("Thirty broken conversations")
struct BrokenConversationTests {
    private static let chats = [
        Breakage("wrong text", #"json.text "Your order A-1O01"#),
        Breakage("reordered queue", "came before an event that was expected earlier"),
        Breakage("duplicated message", "which repeats #"),
        Breakage("missing acknowledgement", #"#6 frame json={"type":"message","text":"Your order"#),
        Breakage("silent desk", "nothing came after send_json"),
        Breakage("no survey", #"nothing came after frame; it did not observe frame { json = { type = "survey" } }"#),
        Breakage(
            "never a hello",
            #"nothing came after send_json; it did not observe frame { json = { type = "hello" } }"#),
        Breakage("slow login", "there was no answer 1s after the request"),
        Breakage("slow answer", #"nothing but #6 frame json={"type":"typing"} came after frame"#),
        Breakage("malformed frame", "is not JSON: the text ends within a string"),
        Breakage("dropped connection", "connection", peerIsGone: true),
        Breakage("closed early", "the server closed the connection: 1011 the agent's queue is gone", peerIsGone: true),
        Breakage("login fails", "is 500 and not JSON: the account database is down", peerIsGone: true),
        Breakage("login is cut", "is not JSON: the text ends within a string at byte 11", peerIsGone: true),
        Breakage("handshake refused", "400 Bad Request", peerIsGone: true),
        Breakage("missed ping", "the server closed the connection: 4008 no pong", peerIsGone: true),
    ]

    private static let bots = [
        Breakage("no end of the stream", "the stream ended without the data [DONE]", peerIsGone: true),
        Breakage("too many requests", "429", peerIsGone: true),
        Breakage("never an answer", "there was no answer 2s after the request"),
        Breakage("slow first word", "there was no answer 2s after the request"),
        Breakage("slow words", "nothing more of the stream came within 2s"),
        Breakage("doubled word", #"text "Your order A-1001 A-1001 left"#),
        Breakage("malformed piece", "piece 3 of the stream is not JSON"),
        Breakage("dropped stream", "the other side dropped the connection", peerIsGone: true),
        Breakage("bad JSON", "the body is none: the text ends where a value is expected", peerIsGone: true),
        Breakage("error within the stream", "The model is overloaded", peerIsGone: true),
        Breakage("wrong word in the stream", #"text "Your order A-1O01"#),
        Breakage("wrong text as a whole", "this evening."),
        Breakage("internal error", "worker 7 has no GPU", peerIsGone: true),
        Breakage("broken gzip", "gzip", peerIsGone: true),
    ]

    /// How each of the conversations of a file ended, by the name of its row.
    private func headlines(_ file: String) async throws -> [String: (problem: Problem?, time: Duration)] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Conversations")
        let run = try await ToolRun(["test", file, "--seed", "1"], in: folder.path)
        var rows: [Int: ScenarioStart] = [:]
        var ends: [String: (problem: Problem?, time: Duration)] = [:]
        for entry in try run.record {
            switch entry {
            case .scenarioStarted(let start): rows[start.index] = start
            case .scenarioEnded(let end):
                guard let start = rows[end.index], let row = start.row else { continue }
                ends[row] = (end.problems.first, .nanoseconds(end.atNanoseconds - start.atNanoseconds))
            default: break
            }
        }
        return ends
    }

    private func expectCauses(_ breakages: [Breakage], in file: String) async throws {
        let ends = try await self.headlines(file)
        #expect(Set(ends.keys) == Set(breakages.map(\.name)))
        for breakage in breakages {
            let end = try #require(ends[breakage.name], "\(breakage.name) was not played")
            let problem = try #require(end.problem, "\(breakage.name) passed")
            print("\(file) | \(breakage.name) | \(end.time) | \(problem.message)")
            #expect(problem.category == .failure, "\(breakage.name): \(problem.message)")
            #expect(problem.message.contains(breakage.cause), "\(breakage.name): \(problem.message)")
            if breakage.peerIsGone { #expect(end.time < .seconds(1), "\(breakage.name) took \(end.time)") }
        }
    }

    @Test("a chat over WebSocket: the headline names what is broken, and nobody who has gone is waited for")
    func chat() async throws { try await self.expectCauses(Self.chats, in: "chat.lua") }

    @Test("a bot over HTTP: the headline names what is broken, and nobody who has gone is waited for")
    func bot() async throws { try await self.expectCauses(Self.bots, in: "bot.lua") }
}
