import JSON

extension RunEvent {
    /// About how many bytes of memory it takes, in whatever form it is held.
    public var weight: Int {
        switch self {
        case .actorJoined(let name, let system, let role):
            64 + name.utf8.count + system.utf8.count + role.utf8.count
        case .commanded(let actor, let name, let arguments, _):
            64 + actor.utf8.count + name.utf8.count + JSONValue.object(arguments).weight
        case .observed(let actor, _, let kind, let fields, let raw):
            64 + actor.utf8.count + kind.utf8.count + JSONValue.object(fields).weight + (raw?.weight ?? 0)
        case .showed(let actor, let screen):
            screen.reduce(64 + actor.utf8.count) { $0 + 48 + $1.text.utf8.count + ($1.label?.utf8.count ?? 0) }
        case .wire(let frame): 64 + frame.weight
        case .stepBegan(let name, _), .stepEnded(let name): 64 + name.utf8.count
        case .expected(let actor, _, let description, _): 96 + (actor?.utf8.count ?? 0) + description.utf8.count
        case .logged(_, let text): 64 + text.utf8.count
        case .attached(let name, let path, let mediaType):
            64 + name.utf8.count + path.utf8.count + mediaType.utf8.count
        }
    }
}

extension WireFrame {
    fileprivate var weight: Int {
        let own = self.connection.utf8.count + self.summary.utf8.count
        return switch self.payload {
        case .text(let text), .base64(let text): own + text.utf8.count
        case nil: own
        }
    }
}
