import JSON
import Machines

@testable import LiveAssist

/// What walks through the parts of a consumer are made of: the consumer is participant 1, an agent called Ann is 2.
enum CobrowseFixture {
    static let origin = "http://assist.test"

    /// A text field in the first row and a checkbox in the second.
    static let screen =
        (try? ScreenDescription.read([
            "elements": [
                ["id": "name", "type": "text", "label": "Name"],
                ["id": "news", "type": "checkbox", "label": "Output"],
            ]
        ])) ?? .empty

    static func agent(isAllowed: Bool = true, isCobrowsing: Bool = true) -> AgentRecord {
        var agent = AgentRecord(id: 2, name: "Ann", permissions: .unsaid)
        agent.isAllowed = isAllowed
        agent.isCobrowsing = isCobrowsing
        return agent
    }

    static let participant = Participant(id: 2, metadata: ["role": "agent", "name": "Ann"])

    /// The directory of a session whose topics the consumer owns, numbered from 10; the agent is in all of them.
    static func directory(_ topics: [String]) -> TopicDirectory {
        var directory = TopicDirectory()
        let entries: JSONValue = [
            ["id": 1, "metadata": ["role": "consumer"]],
            ["id": 2, "metadata": Self.participant.metadata],
        ]
        _ = directory.take(TopicFrame(.participantList, topic: 0, participant: 1, json: entries))
        for (index, type) in topics.enumerated() {
            let id = UInt16(10 + index)
            let entry: JSONValue = ["id": .integer(Int64(id)), "metadata": ["type": .string(type)]]
            _ = directory.take(TopicFrame(.openPrivateTopic, topic: 0, participant: 1, json: entry))
            _ = directory.take(TopicFrame(.joinTopic, topic: id, participant: 2))
        }
        return directory
    }

    static func context(
        _ options: JSONObject = [:], topics: [String] = ["shared-window", "input", "snapshot"],
        agents: [AgentRecord] = [Self.agent()], isActive: Bool = true, isPaused: Bool = false
    ) throws -> CobrowseContext {
        let configuration = try SupportConfiguration(options)
        let client = ClientConfiguration(origin: Self.origin, target: [:], options: options)
        return CobrowseContext(
            configuration: configuration, origin: try Origin(client, server: ""), state: .inSession,
            hasCall: false,
            directory: Self.directory(topics),
            agents: Dictionary(uniqueKeysWithValues: agents.map { ($0.id, $0) }),
            screen: Self.screen, isActive: isActive, isPaused: isPaused, isZooming: false)
    }
}
