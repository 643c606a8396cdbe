import HTTPTypes
import JSON
import Machines

/// Misbehavior on order: of single answers, of the event stream, of the network in between.
extension BoldChatServer {
    /// Orders a fault for coming answers.
    mutating func orderFault(_ fault: Faults.Fault, of method: String, times: Int64) -> CommandOutcome {
        guard Faults.otherNames.contains(method) || RESTMethod(rawValue: method) != nil else {
            let others = Faults.otherNames.map { "\"\($0)\"" }.joined(separator: ", ")
            return .refused(
                "'\(method)' is not a method of the visitor API; use a name such as \"submitPreChat\", or one of \(others)"
            )
        }
        if case .status(let code) = fault, !(200...599 ~= code) {
            return .refused("\(code) is not an HTTP status that an answer can have; use 200 to 599")
        }
        self.faults.order(fault, method: method, times: times)
        return .done(.null)
    }

    /// Answers a request, spoilt if a fault was ordered.
    mutating func respond(
        _ exchange: ExchangeID, _ response: Response, spoiltBy fault: Faults.Fault?, in step: inout Step
    ) {
        switch fault {
        case .status(let code)?:
            step.ask(.respond(exchange, Response(text: "broken", status: HTTPResponse.Status(code: code))))
        case .malformed?:
            var broken = response
            broken.body = Array("{\"Status\": \"succ".utf8)
            step.ask(.respond(exchange, broken))
        case .drop?: step.ask(.drop(exchange))
        case .delay(let delay)?: self.delay(.response(exchange, response), by: delay, in: &step)
        case .message?, nil: step.ask(.respond(exchange, response))
        }
    }

    /// Answers a call over the event stream, spoilt if a fault was ordered.
    ///
    /// There is no status over a socket: an ordered one stands in the `error` of the answer, defined here.
    mutating func answer(
        _ call: OSSCall, with members: JSONObject, spoiltBy fault: Faults.Fault?, over connection: ConnectionID,
        in step: inout Step
    ) {
        let frame = OSSAnswer(id: call.id, result: .object(members)).raw
        switch fault {
        case .delay(let delay)?: self.delay(.frame(connection, frame), by: delay, in: &step)
        case .malformed?: step.ask(.transmit(connection, .text("{\"result\": {\"Status\"")))
        case .drop?: step.ask(.abort(connection))
        case .status(let code)?:
            let error: JSONValue = ["Code": .integer(Int64(code)), "Message": .string("broken (\(code))")]
            let failed = OSSAnswer(id: call.id, result: .null, error: error).raw
            step.ask(.transmit(connection, .text(failed.description)))
        case .message?, nil: step.ask(.transmit(connection, .text(frame.description)))
        }
    }

    /// Tells a client something about the stream itself; this is not kept for clients that come back.
    mutating func signal(_ method: String, _ params: JSONObject, to key: String, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        let frame = OSSCall(method: method, params: params).wire
        if let socket = chat.socket {
            step.ask(.transmit(socket, .text(frame.description)))
        } else if let poll = chat.poll {
            self.polls[poll.exchange] = nil
            self.chats[key]?.poll = nil
            step.ask(.cancelTimer(.poll(poll.exchange)))
            let events = chat.log.entries(after: poll.after).map(\.frame) + [frame]
            step.ask(.respond(poll.exchange, Response(json: .array(events))))
        }
    }

    /// Breaks the connection to a client without a close frame.
    mutating func dropSocket(_ key: String, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        if let socket = chat.socket {
            self.sockets[socket] = nil
            self.chats[key]?.socket = nil
            self.chats[key]?.isGreeted = false
            step.ask(.abort(socket))
        }
        if let poll = chat.poll {
            self.polls[poll.exchange] = nil
            self.chats[key]?.poll = nil
            step.ask(.cancelTimer(.poll(poll.exchange)))
            step.ask(.drop(poll.exchange))
        }
        if chat.isLive { step.ask(.setTimer(.gone(key), self.account.clientTimeout)) }
    }

    /// Tells a client something about the stream that stands for those that come back too.
    private mutating func sendStanding(_ name: String, to key: String, in step: inout Step) {
        self.chats[key]?.standingSignal = name
        self.signal(name, [:], to: key, in: &step)
    }

    /// Does what a script orders for one chat.
    mutating func misbehave(_ fault: StreamFault, _ key: String, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        switch fault {
        case .dropSocket: self.dropSocket(key, in: &step)
        case .closeSocket: if let socket = chat.socket { step.ask(.close(socket, code: 1001, reason: "going away")) }
        case .sendReconnect: self.signal("reconnect", [:], to: key, in: &step)
        case .sendRedirect:
            let urls = self.connectionMembers(key)
            let params: JSONObject = [
                "WebSocketURL": .string((urls.text("WebSocketURL") ?? "") + "&redirected=true"),
                "LongPollURL": urls["LongPollURL"] ?? .null,
            ]
            self.signal("redirect", params, to: key, in: &step)
        case .sendReset: self.sendStanding("reset", to: key, in: &step)
        case .sendClosed: self.sendStanding("closed", to: key, in: &step)
        case .setHeartbeats(let areSent): self.chats[key]?.sendsHeartbeats = areSent
        case .sendEvent(let method, let params): self.send(method, params, to: key, in: &step)
        case .sendText(let text): if let socket = chat.socket { step.ask(.transmit(socket, .text(text))) }
        case .updateMessage(let text):
            guard let last = chat.messages.last else { return }
            let values: JSONValue = ["Text": .string(text)]
            self.send("addMessage", ["MessageID": .string(String(last.id)), "Values": values], to: key, in: &step)
        case .deleteChat:
            self.send("updateChat", ["ChatID": .string(chat.id), "Values": .null], to: key, in: &step)
        }
    }
}
