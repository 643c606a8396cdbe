public import JSON
import Machines
import Secrets

extension HandPlay {
    /// Longer texts are cut where they are shown.
    private static let shownLength = 2000

    /// What a page shows: who plays and how they are, and what has happened.
    ///
    /// - Parameter version: The version that the page knows.
    public func changes(after version: Int) -> JSONObject {
        let secrets = self.secrets
        let shown = self.steps.enumerated().filter { $0.element.version > version }.map { number, step -> JSONValue in
            var members = secrets.masked(self.members(of: step.content), keepingNames: true)
            members["number"] = .integer(Int64(number))
            members["at"] = .double((step.at / .milliseconds(1)).rounded() / 1000)
            return .object(members)
        }
        var members: JSONObject = [
            "system": .string(self.system.title), "steps": .array(shown), "actors": .array(self.cast.map(self.members)),
        ]
        members["origin"] = self.origin.map { .string($0) }
        return members
    }

    private func members(of actor: PlayedActor) -> JSONValue {
        let role: JSONObject =
            switch actor.role {
            case .server: ["role": "server"]
            case .client: ["role": "client", "kind": .string(self.system.client.name)]
            case .party(let kind): ["role": "party", "kind": .string(kind)]
            }
        return .object(
            role.merging(["name": .string(actor.name), "state": .object(self.state(of: actor))]))
    }

    private func members(of content: PlayedStep.Content) -> JSONObject {
        switch content {
        case .joined(let actor): return ["what": "joined", "actor": .string(actor.name)]
        case .commanded(let actor, let method, let arguments):
            let shown = JSONObject(
                arguments.map { name, value in
                    let isSecret = method.parameters.first { $0.name == name }?.isSecret ?? false
                    return (name, isSecret ? "***" : Self.cut(value))
                })
            var members: JSONObject = [
                "what": "commanded", "actor": .string(actor), "name": .string(method.name), "fields": .object(shown),
            ]
            members["text"] = method.sends.flatMap { shown[$0] }
            return members
        case .refused(let step, let message):
            return ["what": "refused", "step": .integer(Int64(step)), "message": .string(message)]
        case .observed(let actor, let event, let isNoise):
            return [
                "what": "observed", "actor": .string(actor), "name": .string(event.kind.rawValue),
                "fields": .object(JSONObject(event.fields.map { ($0.0, Self.cut($0.1)) })), "noise": .bool(isNoise),
            ]
        }
    }

    /// Keeps what a server sends from filling the page.
    private static func cut(_ value: JSONValue) -> JSONValue {
        if let text = value.string {
            return text.utf8.count > Self.shownLength ? .string(text.prefix(Self.shownLength) + " …") : value
        }
        guard value.weight > Self.shownLength * 4 else { return value }
        return .string("(too much to be shown)")
    }

    /// What can be done: the forms of the system's declarations.
    public var forms: JSONObject {
        [
            "server": .object(CommandForm.members(self.system.server.options, self.system.server.methods)),
            "client": .object(CommandForm.members(self.system.client.options, self.system.client.methods)),
            "parties": .object(
                JSONObject(
                    self.system.parties.map { party in
                        (party.name, .object(CommandForm.members([], party.methods)))
                    })),
            "clientName": .string(self.system.client.name),
        ]
    }
}
