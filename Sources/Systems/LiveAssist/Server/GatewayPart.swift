import JSON
import Machines

/// Simulated calls between consumers and agents: states without media.
///
/// | a call's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `callAsked`, nobody is on duty under that name | as the server's option says | tells the caller each state |
/// | none | `callAsked`, an agent on duty is free | ringing | tells the caller, offers the call to the agent |
/// | none | `callAsked`, all of that name have a call | queued | tells the caller |
/// | none | `callAsked`, there are too many calls | none | refuses |
/// | queued | an agent goes on duty or gets free | ringing | tells the caller, offers the call to the agent |
/// | ringing | `said` `answer` | in the call | tells both |
/// | ringing | `said` `reject` | none | tells both, closes the caller's connection |
/// | queued, ringing | `ringOver` | none | the same |
/// | any | `said` `hang_up` | none | the same |
/// | any | `closed` of either side | none | the same |
/// | any | `statusSet` by the script | that one | tells both |
/// | any | `said` otherwise | unchanged | ignored |
struct GatewayPart: Sendable {
    /// What happens to calls.
    enum Input: Sendable {
        /// A consumer calls, and may; the query of the handshake says whom.
        case callAsked(ConnectionID, [String: String])
        /// An agent waits for calls.
        case dutyAsked(ConnectionID, agent: String)
        case said(ConnectionID, WebSocketMessage)
        case closed(ConnectionID)
        /// Nobody has answered a call for too long.
        case ringOver(Int64)
        /// The state of the latest call, and why it failed if the script says so.
        case statusSet(CallStatus, CallError?)
    }

    /// What happens to a call whose destination is no agent on duty.
    enum Answer: String, CaseIterable, Sendable {
        case answer, busy
        case notFound = "not_found"
        case timeout, fail, script
    }

    private let answer: Answer
    private let ringLimit: Duration
    private var calls: [SimulatedCall] = []
    /// The agents on duty by their connections.
    private var duty: [ConnectionID: String] = [:]
    private var lastCall: Int64 = 0

    /// Creates a gateway without calls.
    init(_ answer: Answer, ringLimit: Duration) {
        self.answer = answer
        self.ringLimit = ringLimit
    }

    /// How many calls there are.
    var count: Int { self.calls.count }

    /// The state of the latest call; nil if there is none.
    var latest: CallStatus? { self.calls.last?.status }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [AssistServerAction] {
        var actions: [AssistServerAction] = []
        switch input {
        case .callAsked(let connection, let query): self.placeCall(connection, query, &actions)
        case .dutyAsked(let connection, let agent): self.goOnDuty(connection, agent, &actions)
        case .said(let connection, let message): self.gatewaySaid(connection, message, &actions)
        case .closed(let connection): self.gatewayClosed(connection, &actions)
        case .ringOver(let number): self.ringEnded(number, &actions)
        case .statusSet(let status, let error):
            if let call = self.calls.last { self.set(status, call.number, for: error, &actions) }
        }
        return actions
    }

    private func say(_ value: JSONValue, to connection: ConnectionID?, _ actions: inout [AssistServerAction]) {
        guard let connection else { return }
        actions.append(.perform(.transmit(connection, .text(value.description))))
    }

    /// A consumer calls a destination.
    private mutating func placeCall(
        _ connection: ConnectionID, _ query: [String: String], _ actions: inout [AssistServerAction]
    ) {
        guard self.calls.count < AssistServer.recordLimit else {
            let response = AssistServer.error(503, "there are too many calls")
            return actions.append(.perform(.refuse(connection, response)))
        }
        actions.append(.perform(.accept(connection, subprotocol: nil)))
        self.lastCall += 1
        let call = SimulatedCall(
            number: self.lastCall, cid: query["cid"] ?? "", destination: query["destination"] ?? "",
            video: query["video"] ?? "full", caller: connection, agent: nil, status: .setup)
        self.calls.append(call)
        self.set(.setup, call.number, &actions)
        let onDuty = self.duty.filter { $0.value == call.destination }.keys.sorted { $0.number < $1.number }
        guard !onDuty.isEmpty else { return self.answerByOption(call.number, &actions) }
        actions.append(.perform(.setTimer(.ring(call.number), self.ringLimit)))
        if let free = onDuty.first(where: { agent in !self.calls.contains { $0.agent == agent } }) {
            self.ring(call.number, at: free, &actions)
        } else {
            self.set(.queued, call.number, &actions)
        }
    }

    private mutating func ring(_ number: Int64, at agent: ConnectionID, _ actions: inout [AssistServerAction]) {
        guard let index = self.index(number) else { return }
        self.calls[index].agent = agent
        let call = self.calls[index]
        self.set(.alerting, number, &actions)
        self.set(.ringing, number, &actions)
        let offer: JSONObject = [
            "call": .integer(number), "status": "ringing", "cid": .string(call.cid), "video": .string(call.video),
        ]
        actions.append(.offer(offer, cid: call.cid, to: agent))
    }

    private mutating func answerByOption(_ number: Int64, _ actions: inout [AssistServerAction]) {
        switch self.answer {
        case .answer:
            for status: CallStatus in [.alerting, .ringing, .mediaPending, .inCall] {
                self.set(status, number, &actions)
            }
        case .busy: self.set(.busy, number, &actions)
        case .notFound: self.set(.notFound, number, &actions)
        case .fail: self.set(.error, number, &actions)
        case .timeout, .script:
            self.set(.alerting, number, &actions)
            self.set(.ringing, number, &actions)
            if self.answer == .timeout { actions.append(.perform(.setTimer(.ring(number), self.ringLimit))) }
        }
    }

    private func index(_ number: Int64) -> Int? { self.calls.firstIndex { $0.number == number } }

    /// Sets the state of a call and tells the caller; a call that is over is forgotten.
    private mutating func set(
        _ status: CallStatus, _ number: Int64, for error: CallError? = nil, _ actions: inout [AssistServerAction]
    ) {
        guard let index = self.index(number) else { return }
        self.calls[index].status = status
        let call = self.calls[index]
        var state: JSONObject = ["call": .integer(number), "status": .string(status.rawValue)]
        state["error"] = error.map { .string($0.rawValue) }
        self.say(.object(state), to: call.caller, &actions)
        switch status {
        case .inCall:
            actions.append(.perform(.cancelTimer(.ring(number))))
            self.say(
                ["call": .integer(number), "status": "inCall", "cid": .string(call.cid)], to: call.agent, &actions)
        case .ended, .busy, .notFound, .timedOut, .error:
            actions.append(.perform(.cancelTimer(.ring(number))))
            self.calls.remove(at: index)
            self.say(["call": .integer(number), "status": "ended"], to: call.agent, &actions)
            if let caller = call.caller { actions.append(.perform(.close(caller, code: 1000, reason: ""))) }
            if let agent = call.agent { self.ringNext(at: agent, &actions) }
        case .setup, .alerting, .ringing, .mediaPending, .queued: break
        }
    }

    /// An agent is free: the call that has waited longest rings there.
    private mutating func ringNext(at agent: ConnectionID, _ actions: inout [AssistServerAction]) {
        guard let name = self.duty[agent],
            let next = self.calls.first(where: { $0.status == .queued && $0.destination == name })
        else { return }
        self.ring(next.number, at: agent, &actions)
    }

    /// Gives up a call that nobody answered in time.
    private mutating func ringEnded(_ number: Int64, _ actions: inout [AssistServerAction]) {
        guard let index = self.index(number), self.calls[index].status != .inCall else { return }
        self.set(.timedOut, number, &actions)
    }

    // MARK: Agents on duty

    /// Lets an agent wait for calls.
    private mutating func goOnDuty(
        _ connection: ConnectionID, _ agent: String, _ actions: inout [AssistServerAction]
    ) {
        guard self.duty.count < AssistServer.recordLimit else {
            let response = AssistServer.error(503, "too many agents are on duty")
            return actions.append(.perform(.refuse(connection, response)))
        }
        actions.append(.perform(.accept(connection, subprotocol: nil)))
        self.duty[connection] = agent
        self.ringNext(at: connection, &actions)
    }

    /// Takes what an agent does with its call.
    private mutating func gatewaySaid(
        _ connection: ConnectionID, _ message: WebSocketMessage, _ actions: inout [AssistServerAction]
    ) {
        guard let value = try? message.json(depth: 8), let number = value["call"]?.integer,
            let index = self.index(number), self.calls[index].agent == connection
        else { return actions.append(.ignore) }
        switch value["action"]?.string {
        case "answer" where self.calls[index].status == .ringing:
            self.set(.mediaPending, number, &actions)
            self.set(.inCall, number, &actions)
        case "reject" where self.calls[index].status == .ringing: self.set(.busy, number, &actions)
        case "hang_up": self.set(.ended, number, &actions)
        default: actions.append(.ignore)
        }
    }

    /// Ends the calls of a connection that is gone.
    private mutating func gatewayClosed(_ connection: ConnectionID, _ actions: inout [AssistServerAction]) {
        self.duty[connection] = nil
        for call in self.calls where call.agent == connection || call.caller == connection {
            guard let index = self.index(call.number) else { continue }
            if call.caller == connection { self.calls[index].caller = nil }
            if call.agent == connection { self.calls[index].agent = nil }
            self.set(.ended, call.number, &actions)
        }
    }
}
