import JSON
import Machines

/// Simulated calls: states without media.
extension AssistServer {
    private func say(_ value: JSONValue, to connection: ConnectionID?, in step: inout Step) {
        guard let connection else { return }
        step.ask(.transmit(connection, .text(value.description)))
    }

    /// A consumer calls a destination.
    mutating func placeCall(_ connection: ConnectionID, _ query: [String: String], in step: inout Step) {
        guard let name = query["sessionId"], let token = self.tokens[name], token.expires > step.now,
            let cid = query["cid"], token.allows(cid), self.calls.count < Self.recordLimit
        else { return step.ask(.refuse(connection, Self.error(403, "the token does not open this session"))) }
        step.ask(.accept(connection, subprotocol: nil))
        self.lastCall += 1
        let call = SimulatedCall(
            number: self.lastCall, cid: cid, destination: query["destination"] ?? "", video: query["video"] ?? "full",
            caller: connection, agent: nil, status: .setup)
        self.calls.append(call)
        self.set(.setup, call.number, in: &step)
        let onDuty = self.duty.filter { $0.value == call.destination }.keys.sorted { $0.number < $1.number }
        guard !onDuty.isEmpty else { return self.answerByOption(call.number, in: &step) }
        step.ask(.setTimer(.ring(call.number), self.ringLimit))
        if let free = onDuty.first(where: { agent in !self.calls.contains { $0.agent == agent } }) {
            self.ring(call.number, at: free, in: &step)
        } else {
            self.set(.queued, call.number, in: &step)
        }
    }

    private mutating func ring(_ number: Int64, at agent: ConnectionID, in step: inout Step) {
        guard let index = self.index(number) else { return }
        self.calls[index].agent = agent
        let call = self.calls[index]
        self.set(.alerting, number, in: &step)
        self.set(.ringing, number, in: &step)
        var offer: JSONObject = [
            "call": .integer(number), "status": "ringing", "cid": .string(call.cid), "video": .string(call.video),
        ]
        offer["uui"] = self.sessions[call.cid]?.uui.map { .string($0) }
        self.say(.object(offer), to: agent, in: &step)
    }

    private mutating func answerByOption(_ number: Int64, in step: inout Step) {
        switch self.callAnswer {
        case .answer:
            for status: CallStatus in [.alerting, .ringing, .mediaPending, .inCall] {
                self.set(status, number, in: &step)
            }
        case .busy: self.set(.busy, number, in: &step)
        case .notFound: self.set(.notFound, number, in: &step)
        case .fail: self.set(.error, number, in: &step)
        case .timeout, .script:
            self.set(.alerting, number, in: &step)
            self.set(.ringing, number, in: &step)
            if self.callAnswer == .timeout { step.ask(.setTimer(.ring(number), self.ringLimit)) }
        }
    }

    private func index(_ number: Int64) -> Int? { self.calls.firstIndex { $0.number == number } }

    /// Sets the state of a call and tells the caller; a call that is over is forgotten.
    mutating func set(_ status: CallStatus, _ number: Int64, in step: inout Step) {
        guard let index = self.index(number) else { return }
        self.calls[index].status = status
        let call = self.calls[index]
        self.say(["call": .integer(number), "status": .string(status.rawValue)], to: call.caller, in: &step)
        switch status {
        case .inCall:
            step.ask(.cancelTimer(.ring(number)))
            self.say(
                ["call": .integer(number), "status": "inCall", "cid": .string(call.cid)], to: call.agent, in: &step)
        case .ended, .busy, .notFound, .timedOut, .error:
            step.ask(.cancelTimer(.ring(number)))
            self.calls.remove(at: index)
            self.say(["call": .integer(number), "status": "ended"], to: call.agent, in: &step)
            if let caller = call.caller { step.ask(.close(caller, code: 1000, reason: "")) }
            if let agent = call.agent { self.ringNext(at: agent, in: &step) }
        case .setup, .alerting, .ringing, .mediaPending, .queued: break
        }
    }

    /// An agent is free: the call that has waited longest rings there.
    private mutating func ringNext(at agent: ConnectionID, in step: inout Step) {
        guard let name = self.duty[agent],
            let next = self.calls.first(where: { $0.status == .queued && $0.destination == name })
        else { return }
        self.ring(next.number, at: agent, in: &step)
    }

    /// Gives up a call that nobody answered in time.
    mutating func ringEnded(_ number: Int64, in step: inout Step) {
        guard let index = self.index(number), self.calls[index].status != .inCall else { return }
        self.set(.timedOut, number, in: &step)
    }

    // MARK: Agents on duty

    /// Lets an agent wait for calls.
    mutating func goOnDuty(_ connection: ConnectionID, _ query: [String: String], in step: inout Step) {
        guard let name = query["sessionId"], let token = self.tokens[name], token.expires > step.now,
            let user = token.metadata["username"]?.string, self.duty.count < Self.recordLimit
        else { return step.ask(.refuse(connection, Self.error(403, "the token is no agent's"))) }
        step.ask(.accept(connection, subprotocol: nil))
        self.duty[connection] = user
        self.ringNext(at: connection, in: &step)
    }

    /// Takes what an agent does with its call.
    mutating func gatewaySaid(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        guard let value = try? JSONReader.read(message.bytes, depth: 8), let number = value["call"]?.integer,
            let index = self.index(number), self.calls[index].agent == connection
        else { return self.ignored += 1 }
        switch value["action"]?.string {
        case "answer" where self.calls[index].status == .ringing:
            self.set(.mediaPending, number, in: &step)
            self.set(.inCall, number, in: &step)
        case "reject" where self.calls[index].status == .ringing: self.set(.busy, number, in: &step)
        case "hang_up": self.set(.ended, number, in: &step)
        default: self.ignored += 1
        }
    }

    /// Ends the calls of a connection that is gone.
    mutating func gatewayClosed(_ connection: ConnectionID, in step: inout Step) {
        self.duty[connection] = nil
        for call in self.calls where call.agent == connection || call.caller == connection {
            guard let index = self.index(call.number) else { continue }
            if call.caller == connection { self.calls[index].caller = nil }
            if call.agent == connection { self.calls[index].agent = nil }
            self.set(.ended, call.number, in: &step)
        }
    }
}
