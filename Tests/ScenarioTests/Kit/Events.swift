import JSON
import Machines

@testable import Scenario

extension ChatEvent {
    /// A message with a text.
    static func message(_ text: String) -> ChatEvent { ChatEvent(.message, ["text": .string(text)]) }
}

extension EventLog {
    /// A log of messages, a second apart.
    ///
    /// - Parameters:
    ///   - taken: The places of those that an expectation took.
    ///   - noise: The places of those that need not be expected.
    static func messages(_ texts: [String], taken: [Int] = [], noise: Set<Int> = []) -> EventLog {
        var log = EventLog()
        for (place, text) in texts.enumerated() {
            _ = log.append(.message(text), at: .start + .seconds(place + 1), isNoise: noise.contains(place))
        }
        log.take(taken)
        return log
    }
}

extension EventMatcher {
    /// Asks for a message with a text.
    static func message(_ text: String, id: Int) -> EventMatcher {
        EventMatcher(
            id: id, kind: .message, fields: [MemberMatcher(name: "text", matcher: .equal(.string(text)))])
    }
}

extension ScenarioDefinition {
    /// A scenario of which only some things matter.
    static func named(
        _ title: String, in file: String = "a.lua", index: Int = 0, _ adjust: (inout ScenarioOptions) -> Void = { _ in }
    ) -> ScenarioDefinition {
        var options = ScenarioOptions()
        adjust(&options)
        return ScenarioDefinition(file: file, line: index + 1, titlePath: [title], options: options, index: index)
    }
}
