import Machines

/// What an agent draws on the consumer's screen and where it points, in topics of its own.
///
/// The server passes a message on to those who are in its topic, so what is said before the consumer has come waits for
/// it; the vendor's console loses that. A topic that outlived the agent's stay is entered again instead of opened anew.
///
/// | a surface | input | → the surface | actions |
/// |---|---|---|---|
/// | closed | `admitted`, no topic of its own | opening | opens a topic |
/// | closed | `admitted`, a topic of its own is there | open | joins it; says what waits if the consumer is in it |
/// | closed, opening | `opened` | open | |
/// | closed, opening; open without the consumer | `said` | unchanged | keeps it |
/// | open | `joined` by the consumer | open | says what waits |
/// | open with the consumer | `said` | open | says it |
/// | any | `withdrawn` | closed | forgets what waits |
struct DrawingPart: Sendable {
    /// What is drawn on, each with a topic of its own; the words are those of the wire.
    enum Surface: String, CaseIterable, Sendable {
        case annotation, spotlight
    }

    /// What happens to the surfaces.
    enum Input: Sendable {
        /// The agent may watch, or the lists of the screen have come.
        case admitted
        /// A topic of the agent's own is there.
        case opened(Topic)
        /// Somebody has come into a topic.
        case joined
        case said(WindowMessage, on: Surface)
        /// The agent no longer watches.
        case withdrawn
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// Open a topic on the screen.
        case open(Surface)
        case join(UInt16)
        case say(WindowMessage, on: UInt16)
    }

    /// At most so many messages wait for the consumer; defined here.
    private static let limit = 1_000

    private var opening: Set<Surface> = []
    /// The topics that the agent is in.
    private var inside: Set<UInt16> = []
    private var waiting: [(surface: Surface, message: WindowMessage)] = []

    /// Whether nothing more may wait.
    var isFull: Bool { self.waiting.count >= Self.limit }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ directory: TopicDirectory) -> [Action] {
        switch input {
        case .admitted: return self.enter(directory) + self.flush(directory)
        case .opened(let topic):
            guard let surface = Surface(rawValue: topic.type) else { return [] }
            self.opening.remove(surface)
            self.inside.insert(topic.id)
            return []
        case .joined: return self.flush(directory)
        case .said(let message, let surface):
            self.waiting.append((surface, message))
            return self.flush(directory)
        case .withdrawn:
            self = DrawingPart()
            return []
        }
    }

    private static func topic(of surface: Surface, _ directory: TopicDirectory) -> Topic? {
        directory.first { $0.type == surface.rawValue && $0.owner == directory.ownID }
    }

    private mutating func enter(_ directory: TopicDirectory) -> [Action] {
        var actions: [Action] = []
        for surface in Surface.allCases {
            if let topic = Self.topic(of: surface, directory) {
                if self.inside.insert(topic.id).inserted { actions.append(.join(topic.id)) }
            } else if self.opening.insert(surface).inserted {
                actions.append(.open(surface))
            }
        }
        return actions
    }

    /// Says what waits on the surfaces to which the consumer has come, in the order in which it was said.
    private mutating func flush(_ directory: TopicDirectory) -> [Action] {
        guard !self.waiting.isEmpty else { return [] }
        var shared: [Surface: UInt16] = [:]
        for surface in Surface.allCases {
            guard let topic = Self.topic(of: surface, directory), self.inside.contains(topic.id),
                topic.members.contains(where: { directory.participants[$0]?.role == "consumer" })
            else { continue }
            shared[surface] = topic.id
        }
        let actions = self.waiting.compactMap { entry in
            shared[entry.surface].map { Action.say(entry.message, on: $0) }
        }
        self.waiting.removeAll { shared[$0.surface] != nil }
        return actions
    }
}
