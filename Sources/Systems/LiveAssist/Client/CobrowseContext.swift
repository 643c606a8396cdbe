/// What the parts of a consumer know of each other at a moment.
struct CobrowseContext: Sendable {
    let configuration: SupportConfiguration
    let origin: Origin
    let state: SupportState
    let hasCall: Bool
    let directory: TopicDirectory
    /// The agents in the session.
    let agents: [UInt16: AgentRecord]
    let screen: Screen
    /// Whether anybody watches.
    let isActive: Bool
    let isPaused: Bool
    let isZooming: Bool

    /// What stands in the way of showing a document; nil if nothing does.
    var obstacle: String? { self.isPaused ? "co-browsing is paused" : self.isZooming ? "the magnifier is open" : nil }

    /// The screen as all admitted agents together may see it; nil if nobody is admitted.
    var view: RedactedScreen? { self.screen.view(for: self.agents.values, self.configuration) }

    /// The topic of that type that the consumer has opened.
    func ownTopic(_ type: String) -> Topic? {
        self.directory.first { $0.type == type && $0.owner == self.directory.ownID }
    }

    /// Whether everybody who watches has come into a topic.
    func watchersAreIn(_ topic: Topic) -> Bool {
        self.agents.values.allSatisfy { !$0.isCobrowsing || topic.members.contains($0.id) }
    }

    /// Whether anybody who watches has come into a topic.
    func hasWatcher(in topic: Topic) -> Bool {
        self.agents.values.contains { $0.isCobrowsing && topic.members.contains($0.id) }
    }
}
