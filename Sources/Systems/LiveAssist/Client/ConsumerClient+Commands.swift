import JSON
import Machines

/// What scripts ask of a consumer.
extension ConsumerClient {
    static var commands: CommandSet<ConsumerCommand> { ConsumerVocabulary.commands }

    mutating func perform(_ command: ConsumerCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .parseURL(let text):
            guard let server = ServerObject(text) else {
                return .refused("parse_url takes a host or a URL without a path, IPv6 in brackets")
            }
            return .done([
                "scheme": .string(server.scheme), "host": .string(server.host), "port": .integer(Int64(server.port)),
            ])
        case .createShortCode(let session): self.createCode(for: session, in: &step)
        case .redeemShortCode(let code): self.redeemCode(code, in: &step)
        case .setCookie(let name, let value):
            guard self.setCookie(name, value) else {
                return .refused("a cookie has a name and a value of printable ASCII without ';'; at most 50 are kept")
            }
        case .startSupport(let options): return self.startSupport(options, in: &step)
        case .showScreen(let value):
            guard let screen = Screen(value) else { return .refused(Self.screenMistake) }
            self.show(screen, in: &step)
        case .change(let id, let value, let permission):
            return self.change(id, value: value, permission: permission, in: &step)
        case .screen: return .done(self.screenJSON)
        case .annotations: return .done(.array(self.annotations.map { .object($0.fields) }))
        // Outside a session these two do nothing, as with the vendor.
        case .pauseCobrowse: self.setPaused(true, in: &step)
        case .resumeCobrowse: self.setPaused(false, in: &step)
        case .shareDocument(let url, let data, let type): return self.shareDocument(url, data, type: type, in: &step)
        case .active(let command, let name):
            guard self.state.isActive else {
                return .refused("\(name) needs started support; call start_support first")
            }
            return self.perform(command, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(_ command: ActiveConsumerCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .endSupport:
            self.finish(.assistSupportEnded, "the application ended support", closing: .supportEnded, in: &step)
        case .answerRequest(let isAllowed, let agent): return self.answerRequest(isAllowed, of: agent, in: &step)
        case .answerDocument(let isAccepted, let document):
            let key = document ?? self.documents.last { $0.state == .asking }?.key
            guard let key, self.documents.contains(where: { $0.key == key && $0.state == .asking }) else {
                return .refused("no document waits for an answer; expect \"document_requested\" first")
            }
            if isAccepted { self.accept(key, in: &step) } else { self.reject(key, in: &step) }
        case .closeDocument(let document): return self.closeDocument(document, in: &step)
        case .takeSnapshot: self.takeSnapshot(in: &step)
        case .moveMouse(let x, let y):
            guard let topic = self.directory.screen, self.isActive else {
                return .refused("nobody watches; expect \"cobrowse_active\" first")
            }
            self.say(.mouseMove(x: Int16(clamping: x ?? 0), y: Int16(clamping: y ?? 0)), on: topic.id, in: &step)
        case .reconnect(let limit):
            guard self.link.canReconnect else {
                return .refused("reconnect needs a lost connection; expect \"disconnected\" first")
            }
            self.perform(self.link.handle(.reconnectWanted(limit: limit)), in: &step)
        case .terminate(let reason):
            self.closeLink(in: &step)
            self.terminated(.assistSupportEnded, reason ?? "the application gave up", in: &step)
        }
        return .done(.null)
    }

    private mutating func answerRequest(
        _ isAllowed: Bool, of named: JSONValue?, in step: inout Step
    ) -> CommandOutcome {
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
        if isAllowed {
            if self.configuration.cobrowseCallback == .prompt { self.hasAcceptedPrompt = true }
            self.allow(id, in: &step)
        } else {
            self.disallow(id, in: &step)
        }
        return .done(.null)
    }

    private mutating func change(
        _ id: String, value: String?, permission: String?, in step: inout Step
    ) -> CommandOutcome {
        let box = self.screen.update(id) { element in
            if let value { element.value = value }
            if let permission { element.permission = permission.isEmpty ? nil : permission.lowercased() }
        }
        guard let box else { return .refused("the screen has no element \"\(id)\"; show a screen that has it") }
        self.changed(box, in: &step)
        if permission != nil { self.updateForm(in: &step) }
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
