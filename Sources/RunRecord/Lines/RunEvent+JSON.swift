import JSON

extension RunEvent {
    func json(scenario: Int, atNanoseconds: Int64) -> JSONValue {
        // No two have one name, so that none is looked up; there is a line for all that happens.
        var line: [JSONObject.Member] = []
        line.reserveCapacity(8)
        func add(_ name: String, _ value: JSONValue?) {
            if let value { line.append(.init(name: name, value: value)) }
        }
        func begin(_ type: JSONValue) {
            add("type", type)
            add("scenario", .integer(scenario))
            add("at", .integer(atNanoseconds))
        }
        switch self {
        case .actorJoined(let name, let system, let role):
            begin("actor_joined")
            add("actor", .string(name))
            add("system", .string(system))
            add("role", .string(role))
        case .commanded(let actor, let name, let arguments, let position):
            begin("commanded")
            add("actor", .string(actor))
            add("name", .string(name))
            add("arguments", .object(arguments))
            add("line", position.map { .integer($0) })
        case .observed(let actor, let number, let kind, let fields, let raw):
            begin("observed")
            add("actor", .string(actor))
            add("number", .integer(number))
            add("kind", .string(kind))
            add("fields", .object(fields))
            add("raw", raw)
        case .showed(let actor, let screen):
            begin("showed")
            add("actor", .string(actor))
            add("screen", .array(screen.map(\.json)))
        case .wire(let frame):
            begin("wire")
            add("connection", .string(frame.connection))
            add("direction", .string(frame.direction.rawValue))
            add("summary", .string(frame.summary))
            switch frame.payload {
            case .text(let text): add("text", .string(text))
            case .base64(let text): add("base64", .string(text))
            case nil: break
            }
            if frame.isTruncated { add("truncated", true) }
        case .stepBegan(let name, let position):
            begin("step_began")
            add("name", .string(name))
            add("line", position.map { .integer($0) })
        case .stepEnded(let name):
            begin("step_ended")
            add("name", .string(name))
        case .expected(let actor, let position, let description, let result):
            begin("expected")
            add("actor", actor.map { .string($0) })
            add("line", position.map { .integer($0) })
            add("description", .string(description))
            switch result {
            case .failed: add("satisfied", false)
            case .satisfied(let events):
                add("satisfied", true)
                if !events.isEmpty { add("events", .array(events.map { .integer($0) })) }
            }
        case .logged(let level, let text):
            begin("logged")
            add("level", .string(level.rawValue))
            add("text", .string(text))
        case .attached(let name, let path, let mediaType):
            begin("attached")
            add("name", .string(name))
            add("path", .string(path))
            add("media_type", .string(mediaType))
        }
        return .object(JSONObject(uniqueMembers: line))
    }

    /// Reads what the members of a line of that type say.
    ///
    /// - Returns: Nil if the type is unknown.
    init?(type: String, _ members: EntryMembers) throws(RecordFormatError) {
        switch type {
        case "actor_joined":
            self = .actorJoined(
                name: try members.string("actor"), system: try members.string("system"),
                role: try members.string("role"))
        case "commanded":
            self = .commanded(
                actor: try members.string("actor"), name: try members.string("name"),
                arguments: try members.required("arguments", \.object), line: try members.optionalInteger("line"))
        case "observed":
            self = .observed(
                actor: try members.string("actor"), number: try members.integer("number"),
                kind: try members.string("kind"), fields: try members.required("fields", \.object),
                raw: try members.optional("raw") { $0 })
        case "showed":
            self = .showed(
                actor: try members.string("actor"),
                screen: try members.list("screen") { (row) throws(RecordFormatError) in try ScreenRow(row) })
        case "wire": self = .wire(try WireFrame(members))
        case "step_began":
            self = .stepBegan(name: try members.string("name"), line: try members.optionalInteger("line"))
        case "step_ended": self = .stepEnded(name: try members.string("name"))
        case "expected":
            let events = try members.optional("events", \.array) ?? []
            self = .expected(
                actor: try members.optionalString("actor"), line: try members.optionalInteger("line"),
                description: try members.string("description"),
                result: try members.flag("satisfied")
                    ? .satisfied(events: events.compactMap { $0.integer.flatMap { Int(exactly: $0) } }) : .failed)
        case "logged":
            self = .logged(level: try members.word("level", of: LogLevel.self), text: try members.string("text"))
        case "attached":
            self = .attached(
                name: try members.string("name"), path: try members.string("path"),
                mediaType: try members.string("media_type"))
        default: return nil
        }
    }
}

extension WireFrame {
    init(_ members: EntryMembers) throws(RecordFormatError) {
        let text = try members.optionalString("text").map { Payload.text($0) }
        let base64 = try members.optionalString("base64").map { Payload.base64($0) }
        self.init(
            connection: try members.string("connection"),
            direction: try members.word("direction", of: Direction.self), summary: try members.string("summary"),
            payload: text ?? base64, isTruncated: try members.flag("truncated"))
    }
}
