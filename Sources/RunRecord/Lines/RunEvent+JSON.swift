import JSON

/// The `type` of a line that tells what happened within a scenario.
private enum RunEventType: String {
    case actorJoined = "actor_joined"
    case commanded
    case observed
    case showed
    case wire
    case stepBegan = "step_began"
    case stepEnded = "step_ended"
    case expected
    case logged
    case attached
}

extension RunEvent {
    /// Appends the object of its line. There is one for all that happens, and so none is made a value first.
    func append(scenario: Int, atNanoseconds: Int64, to writer: inout JSONWriter) {
        writer.appendMembers { line in
            line.add("type", self.lineType.rawValue)
            line.add("scenario", scenario)
            line.add("at", atNanoseconds)
            self.addMembers(to: &line)
        }
    }

    private var lineType: RunEventType {
        switch self {
        case .actorJoined: .actorJoined
        case .commanded: .commanded
        case .observed: .observed
        case .showed: .showed
        case .wire: .wire
        case .stepBegan: .stepBegan
        case .stepEnded: .stepEnded
        case .expected: .expected
        case .logged: .logged
        case .attached: .attached
        }
    }

    private func addMembers(to line: inout JSONMemberWriter) {
        switch self {
        case .actorJoined(let name, let system, let role):
            line.add("actor", name)
            line.add("system", system)
            line.add("role", role)
        case .commanded(let actor, let name, let arguments, let position):
            line.add("actor", actor)
            line.add("name", name)
            line.add("arguments", arguments)
            line.add("line", position)
        case .observed(let actor, let number, let kind, let fields, let raw):
            line.add("actor", actor)
            line.add("number", number)
            line.add("kind", kind)
            line.add("fields", fields)
            line.add("raw", value: raw)
        case .showed(let actor, let screen):
            line.add("actor", actor)
            line.add("screen") { ScreenRow.append(screen, to: &$0) }
        case .wire(let frame): frame.addMembers(to: &line)
        case .stepBegan(let name, let position):
            line.add("name", name)
            line.add("line", position)
        case .stepEnded(let name): line.add("name", name)
        case .expected(let actor, let position, let description, let result):
            line.add("actor", actor)
            line.add("line", position)
            line.add("description", description)
            result.addMembers(to: &line)
        case .logged(let level, let text):
            line.add("level", level.rawValue)
            line.add("text", text)
        case .attached(let name, let path, let mediaType):
            line.add("name", name)
            line.add("path", path)
            line.add("media_type", mediaType)
        }
    }

    /// Reads what the members of a line of that type say.
    ///
    /// - Returns: Nil if the type is unknown.
    init?(type: String, _ members: EntryMembers) throws(RecordFormatError) {
        switch RunEventType(rawValue: type) {
        case .actorJoined:
            self = .actorJoined(
                name: try members.string("actor"), system: try members.string("system"),
                role: try members.string("role"))
        case .commanded:
            self = .commanded(
                actor: try members.string("actor"), name: try members.string("name"),
                arguments: try members.required("arguments", \.object), line: try members.optionalInteger("line"))
        case .observed:
            self = .observed(
                actor: try members.string("actor"), number: try members.integer("number"),
                kind: try members.string("kind"), fields: try members.required("fields", \.object),
                raw: try members.optional("raw") { $0 })
        case .showed:
            self = .showed(
                actor: try members.string("actor"),
                screen: try members.list("screen") { (row) throws(RecordFormatError) in try ScreenRow(row) })
        case .wire: self = .wire(try WireFrame(members))
        case .stepBegan:
            self = .stepBegan(name: try members.string("name"), line: try members.optionalInteger("line"))
        case .stepEnded: self = .stepEnded(name: try members.string("name"))
        case .expected:
            let events = try members.optional("events", \.array) ?? []
            self = .expected(
                actor: try members.optionalString("actor"), line: try members.optionalInteger("line"),
                description: try members.string("description"),
                result: try members.flag("satisfied")
                    ? .satisfied(events: events.compactMap { $0.integer.flatMap { Int(exactly: $0) } }) : .failed)
        case .logged:
            self = .logged(level: try members.word("level", of: LogLevel.self), text: try members.string("text"))
        case .attached:
            self = .attached(
                name: try members.string("name"), path: try members.string("path"),
                mediaType: try members.string("media_type"))
        case nil: return nil
        }
    }
}
