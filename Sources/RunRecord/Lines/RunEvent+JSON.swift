import JSON

extension RunEvent {
    func json(scenario: Int, atNanoseconds: Int64) -> JSONValue {
        func object(_ type: JSONValue, _ members: KeyValuePairs<String, JSONValue>) -> JSONObject {
            var object: JSONObject = ["type": type, "scenario": .integer(scenario), "at": .integer(atNanoseconds)]
            for (name, value) in members { object[name] = value }
            return object
        }
        var line: JSONObject
        switch self {
        case .actorJoined(let name, let system, let role):
            line = object(
                "actor_joined", ["actor": .string(name), "system": .string(system), "role": .string(role)])
        case .commanded(let actor, let name, let arguments, let position):
            line = object(
                "commanded", ["actor": .string(actor), "name": .string(name), "arguments": .object(arguments)])
            line.set("line", position) { .integer($0) }
        case .observed(let actor, let number, let kind, let fields, let raw):
            line = object(
                "observed",
                [
                    "actor": .string(actor), "number": .integer(number), "kind": .string(kind),
                    "fields": .object(fields),
                ])
            line.set("raw", raw) { $0 }
        case .showed(let actor, let screen):
            line = object("showed", ["actor": .string(actor), "screen": .array(screen.map(\.json))])
        case .wire(let frame):
            line = object("wire", [:])
            frame.write(to: &line)
        case .stepBegan(let name, let position):
            line = object("step_began", ["name": .string(name)])
            line.set("line", position) { .integer($0) }
        case .stepEnded(let name): line = object("step_ended", ["name": .string(name)])
        case .expected(let actor, let position, let description, let result):
            line = object("expected", [:])
            line.set("actor", actor) { .string($0) }
            line.set("line", position) { .integer($0) }
            line["description"] = .string(description)
            switch result {
            case .failed: line["satisfied"] = false
            case .satisfied(let events):
                line["satisfied"] = true
                if !events.isEmpty { line["events"] = .array(events.map { .integer($0) }) }
            }
        case .logged(let level, let text):
            line = object("logged", ["level": .string(level.rawValue), "text": .string(text)])
        case .attached(let name, let path, let mediaType):
            line = object(
                "attached", ["name": .string(name), "path": .string(path), "media_type": .string(mediaType)])
        }
        return .object(line)
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
    /// Adds what the frame was to the members of a line.
    func write(to line: inout JSONObject) {
        line["connection"] = .string(self.connection)
        line["direction"] = .string(self.direction.rawValue)
        line["summary"] = .string(self.summary)
        switch self.payload {
        case .text(let text): line["text"] = .string(text)
        case .base64(let text): line["base64"] = .string(text)
        case nil: break
        }
        line.set(flag: "truncated", self.isTruncated)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let text = try members.optionalString("text").map { Payload.text($0) }
        let base64 = try members.optionalString("base64").map { Payload.base64($0) }
        self.init(
            connection: try members.string("connection"),
            direction: try members.word("direction", of: Direction.self), summary: try members.string("summary"),
            payload: text ?? base64, isTruncated: try members.flag("truncated"))
    }
}
