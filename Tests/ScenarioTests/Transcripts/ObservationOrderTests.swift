import JSON
import Testing

@testable import Scenario

@Suite("The order of what several clients observe in real time")
struct ObservationOrderTests {
    /// Whether a conversation is as a transcript says, once what nothing orders is in its order; both in short: `a1` is
    /// what the client `a` observes, `A1` what it does.
    private static func isSame(_ lines: String, _ found: String) throws -> Bool {
        let stored = try StoredTranscript(
            lines.split(separator: " ").map { $0 == "…" ? "…" : Self.entry($0).line }.joined(separator: "\n"),
            name: "t")
        let entries = found.split(separator: " ").map { Self.entry($0) }
        let arranged = ObservationOrder.arranged(entries, like: stored)
        // Nothing may get lost, come twice, or change its place among what one client did and observed.
        for actor in Set(entries.map(\.actor)) {
            #expect(arranged.filter { $0.actor == actor } == entries.filter { $0.actor == actor }, "\(lines): \(found)")
        }
        #expect(arranged.count == entries.count)
        let commands = { (all: [TranscriptEntry]) in all.indices.filter { all[$0].direction == .did } }
        #expect(commands(arranged) == commands(entries), "commands stay where they are")
        return TranscriptComparison(stored, arranged).isSame
    }

    private static func entry(_ short: Substring) -> TranscriptEntry {
        let actor = String(short.prefix(1))
        return TranscriptEntry(
            actor: actor.lowercased(), direction: actor == actor.lowercased() ? .observed : .did,
            name: "e" + short.dropFirst(), fields: [:])
    }

    @Test(
        "what different clients observe between two commands may come in any order",
        arguments: [
            ("a1 b1", "b1 a1"), ("a1 a2 b1 b2", "b1 a1 b2 a2"), ("A1 a1 b1 c1 B2 b2 a2", "A1 c1 b1 a1 B2 a2 b2"),
            ("a1 … b1", "b1 a1"), ("… a1 b1", "a1 b0 b1"), ("… a1 b1", "b0 A0 b1 a0 a1"), ("… B1 a1 b1", "a0 B1 b1 a1"),
            ("a1 b1 …", "b1 a1 b2 A2 a3"),
        ])
    func anyOrder(stored: String, found: String) throws {
        #expect(try Self.isSame(stored, found))
    }

    @Test(
        "what one client observes has an order, and so has what is done; nothing may be missing or come besides",
        arguments: [
            ("a1 a2", "a2 a1"), ("a1 b1 a2", "a2 b1 a1"), ("a1 B1", "B1 a1"), ("A1 B1", "B1 A1"),
            ("a1 B1 b1", "B1 b1 a1"),
            ("a1 b1", "b1"), ("a1 b1", "b1 a1 b2"), ("a1 b1", "b2 a1"), ("a1 … a2", "a2 b1 a1"),
            ("… a1 b1", "a1 b1 b2"),
        ])
    func order(stored: String, found: String) throws {
        #expect(try !Self.isSame(stored, found))
    }
}
