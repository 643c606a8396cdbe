import JSON
import RunRecord

/// What was done wrong at a server that another process plays, of which no event tells: what its clients have sent that
/// is none of its messages, and what its own functions passed over.
struct DistantLapses {
    /// Something that a client has sent which is none of the messages that the system declares.
    struct Breach {
        /// Who has sent it to which server, and what is wrong with it, in one line.
        let text: String

        /// The beginning of what was sent; empty if that is no text.
        let sent: String

        /// The reason with which the connection was closed.
        let reason: String

        /// Whether the client has left in the middle of the message, so that it did not hear that.
        let hasLeft: Bool
    }

    /// More than so many are not counted, whatever the other process says.
    private static let mostUnchecked: Int64 = 1_000_000_000

    var breaches: [Breach] = []

    /// How many there were besides.
    var uncheckedCount = 0

    /// What the functions of the server passed over. Its place is said in the message: the file lies elsewhere.
    var passedOver: ScenarioFailure?
}

extension DistantLapses {
    /// Reads what the other process tells; what is not as ``members`` writes it is left out.
    init(_ members: JSONObject) {
        self.breaches = (members["breaches"]?.array ?? []).compactMap { breach in
            breach["text"]?.string.map { text in
                Breach(
                    text: text, sent: breach["sent"]?.string ?? "", reason: breach["reason"]?.string ?? "",
                    hasLeft: breach["left"] == true)
            }
        }
        self.uncheckedCount = Int(min(max(members["more"]?.integer ?? 0, 0), Self.mostUnchecked))
        guard let failure = members["failure"], let message = failure["message"]?.string,
            let kind = failure["kind"]?.string.flatMap(ProblemKind.init(rawValue:))
        else { return }
        let remedy = (failure["remedy"]?.array ?? []).compactMap(\.string)
        self.passedOver = ScenarioFailure(
            category: .failure, kind: kind, message: message,
            sections: remedy.isEmpty ? [] : [.init(heading: "remedy", lines: remedy)])
    }

    /// What goes over the control port.
    var members: JSONObject {
        let breaches = self.breaches.map { breach -> JSONValue in
            [
                "text": .string(breach.text), "sent": .string(breach.sent), "reason": .string(breach.reason),
                "left": .bool(breach.hasLeft),
            ]
        }
        var members: JSONObject = ["breaches": .array(breaches), "more": .integer(Int64(self.uncheckedCount))]
        if let failure = self.passedOver {
            let remedy = failure.sections.filter { $0.heading == "remedy" }.flatMap(\.lines)
            members["failure"] = [
                "message": .string(failure.placedMessage), "kind": .string(failure.kind.rawValue),
                "remedy": .array(remedy.map { .string($0) }),
            ]
        }
        return members
    }

    /// Asks the processes that play servers of a scenario.
    ///
    /// - Parameter completion: Gets the failures that what functions passed over is, at once unless there is a process
    ///   to ask; what clients have sent is among the breaches of the scenario by then.
    static func find(
        at servers: some Collection<any ScenarioServer>, in execution: ScenarioExecution,
        found: [ScenarioFailure] = [], completion: @escaping ([ScenarioFailure]) -> Void
    ) {
        guard let server = servers.first else { return completion(found) }
        server.findDistantLapses { result in
            var found = found
            switch result {
            case .success(let lapses):
                execution.connections.took(lapses)
                if var failure = lapses.passedOver {
                    failure.position = execution.definition.position
                    found.append(failure)
                }
            case .failure(let reason):
                found.append(
                    ScenarioFailure(
                        category: .error, kind: .connection,
                        message: "whether something was done wrong at \(server.origin) is not known: \(reason.message)",
                        position: execution.definition.position))
            }
            Self.find(at: servers.dropFirst(), in: execution, found: found, completion: completion)
        }
    }
}
