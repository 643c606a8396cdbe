import RunRecord
import Testing

@testable import Scenario

@Suite("The names that a script gives in two spellings")
struct NameSpellingTests {
    @Test(
        "of a party, a mailbox and a barrier are refused, for they look the same and Lua tells them apart",
        arguments: [
            (#"desk:agent(one) desk:agent(other)"#, "server:agent"),
            (#"mailbox.send(one, 1) mailbox.receive(other)"#, "mailbox.receive"),
            (#"mailbox.send(one, 1) mailbox.send(other, 1)"#, "mailbox.send"),
            (#"barrier(one, 1) barrier(other, 1)"#, "barrier"),
        ])
    func refused(body: String, call: String) throws {
        func mistake(_ one: String, _ other: String) throws -> String? {
            let end = try ScriptRun(
                """
                local S = system { name = "probe", events = {}, parties = { agent = { events = {} } } }
                function S.server.text() end
                scenario("names", function(t)
                    local desk, one, other = t:server(S), "\(one)", "\(other)"
                    \(body)
                    expect(1, 1)
                end)
                """
            ).end
            return end.outcome == .error ? end.problems.first?.message : nil
        }
        let (composed, decomposed) = (#"caf\u{e9}"#, #"cafe\u{301}"#)
        for names in [(composed, decomposed), (decomposed, composed)] {
            let message = try #require(try mistake(names.0, names.1))
            #expect(message.hasPrefix("\(call): ") && message.contains("is a name of before"), "\(message)")
        }
        for name in [composed, decomposed] { #expect(try mistake(name, name) == nil) }
    }
}
