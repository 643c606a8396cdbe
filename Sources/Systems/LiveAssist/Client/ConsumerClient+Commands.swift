import JSON
import Machines

/// What scripts ask of a consumer.
extension ConsumerClient {
    /// What only an agent does.
    private static let foreignMethods = Set(AgentVocabulary.methods.map(\.name))
        .subtracting(ConsumerVocabulary.methods.map(\.name) + Self.sharedMethods)

    /// What both roles do, declared once.
    private static let sharedMethods = ["close_document", "move_mouse"]

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        guard !Self.foreignMethods.contains(command.name) else {
            return .refused("\(command.name) is not a method of a consumer; give the actor role = \"agent\" for it")
        }
        let arguments = command.arguments
        switch command.name {
        case "parse_url":
            guard let server = ServerObject(arguments["server"]?.string ?? "") else {
                return .refused("parse_url takes a host or a URL without a path, IPv6 in brackets")
            }
            return .done([
                "scheme": .string(server.scheme), "host": .string(server.host), "port": .integer(Int64(server.port)),
            ])
        case "create_short_code": self.createCode(arguments, in: &step)
        case "redeem_short_code": self.redeemCode(arguments["code"]?.string ?? "", in: &step)
        case "set_cookie":
            guard self.setCookie(arguments["name"]?.string ?? "", arguments["value"]?.string ?? "") else {
                return .refused("a cookie has a name and a value of printable ASCII without ';'; at most 50 are kept")
            }
        case "start_support": return self.startSupport(arguments, in: &step)
        case "show_screen":
            guard let value = arguments["screen"], let screen = Screen(value) else {
                return .refused(Self.screenMistake)
            }
            self.show(screen, in: &step)
        case "change": return self.change(arguments, in: &step)
        case "screen": return .done(self.screenJSON)
        case "annotations": return .done(.array(self.annotations.map { .object($0.fields) }))
        default: return self.performInSession(command, in: &step)
        }
        return .done(.null)
    }

    private mutating func performInSession(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let arguments = command.arguments
        switch command.name {
        // Outside a session these two do nothing, as with the vendor.
        case "pause_cobrowse":
            self.setPaused(true, in: &step)
            return .done(.null)
        case "resume_cobrowse":
            self.setPaused(false, in: &step)
            return .done(.null)
        case "share_document": return self.shareDocument(arguments, in: &step)
        default: break
        }
        guard self.state.isActive else {
            return .refused("\(command.name) needs started support; call start_support first")
        }
        switch command.name {
        case "end_support":
            self.finish(.assistSupportEnded, "the application ended support", closing: .supportEnded, in: &step)
        case "allow_cobrowse", "disallow_cobrowse": return self.answerRequest(command, in: &step)
        case "accept_document", "reject_document":
            let key = arguments["document"]?.integer ?? self.documents.last { $0.state == .asking }?.key
            guard let key, self.documents.contains(where: { $0.key == key && $0.state == .asking }) else {
                return .refused("no document waits for an answer; expect \"document_requested\" first")
            }
            if command.name == "accept_document" { self.accept(key, in: &step) } else { self.reject(key, in: &step) }
        case "close_document": return self.closeDocument(arguments["document"]?.integer, in: &step)
        case "take_snapshot": self.takeSnapshot(in: &step)
        case "move_mouse":
            guard let topic = self.directory.screen, self.isActive else {
                return .refused("nobody watches; expect \"cobrowse_active\" first")
            }
            self.say(.mouseMove(x: Self.pixel(arguments["x"]), y: Self.pixel(arguments["y"])), on: topic.id, in: &step)
        case "reconnect":
            let limit = arguments["timeout"]?.double.flatMap(Duration.init(scriptSeconds:))
            guard self.link.reconnect(limit: limit, in: &step) else {
                return .refused("reconnect needs a lost connection; expect \"disconnected\" first")
            }
        case "terminate":
            let reason = arguments["reason"]?.string ?? "the application gave up"
            self.link.close(in: &step)
            self.terminated(.assistSupportEnded, reason, in: &step)
        default:
            return .refused("\(command.name) is not a method of a consumer; give the actor role = \"agent\" for it")
        }
        return .done(.null)
    }

    /// Reads a place in pixels.
    static func pixel(_ value: JSONValue?) -> Int16 { Int16(clamping: value?.integer ?? 0) }

    private mutating func answerRequest(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let named = command.arguments["agent"]
        let id: UInt16?
        if let name = named?.string ?? named?["name"]?.string {
            id = self.agents.values.filter { $0.name == name }.map(\.id).max()
        } else if let number = named?["participant"]?.integer {
            id = UInt16(exactly: number)
        } else {
            id = self.lastAsked ?? (self.agents.count == 1 ? self.agents.keys.first : nil)
        }
        guard let id, self.agents[id] != nil else {
            return .refused("no such agent is in the session; expect \"agent_joined_session\" first")
        }
        if command.name == "allow_cobrowse" {
            if self.configuration.cobrowseCallback == .prompt { self.hasAcceptedPrompt = true }
            self.allow(id, in: &step)
        } else {
            self.disallow(id, in: &step)
        }
        return .done(.null)
    }

    private mutating func change(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        let id = arguments["id"]?.string ?? ""
        let box = self.screen.update(id) { element in
            if let value = arguments["value"]?.string { element.value = value }
            if let marker = arguments["permission"]?.string {
                element.permission = marker.isEmpty ? nil : marker.lowercased()
            }
        }
        guard let box else { return .refused("the screen has no element \"\(id)\"; show a screen that has it") }
        self.changed(box, in: &step)
        if arguments["permission"] != nil { self.updateForm(in: &step) }
        return .done(.null)
    }

    private var screenJSON: JSONValue {
        func json(_ element: ScreenElement) -> JSONValue {
            var fields: JSONObject = [
                "id": .string(element.id), "type": .string(element.kind.rawValue), "label": .string(element.label),
                "value": .string(element.value),
            ]
            if !element.children.isEmpty { fields["elements"] = .array(element.children.map(json)) }
            return .object(fields)
        }
        return [
            "width": .integer(Int64(self.screen.width)), "height": .integer(Int64(self.screen.height)),
            "elements": .array(self.screen.elements.map(json)),
        ]
    }
}
