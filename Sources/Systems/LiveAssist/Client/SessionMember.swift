import JSON
import Machines

/// What consumers and agents do alike.
protocol SessionMember: ClientMachine
where Keys.Timer == AssistTimer, Keys.Connection == AssistConnection, Keys.Exchange == PendingRequest<Purpose> {
    /// What a request is for.
    associatedtype Purpose: Hashable & Sendable

    /// The requests that have no answer yet.
    var pendingRequests: PendingRequests<Purpose> { get set }

    /// The topic WebSocket.
    var link: TopicLink { get set }

    /// Whether the cookies that the server has set go with the handshake of the topic WebSocket unasked.
    var sendsCookies: Bool { get }

    /// Who and what is in the session.
    var directory: TopicDirectory { get }

    /// Takes what happened to the topic WebSocket.
    mutating func linkReported(_ news: LinkOutput, in step: inout Step)
}

extension SessionMember {
    // MARK: Requests

    /// Starts an exchange.
    mutating func ask(_ purpose: Purpose, _ request: Request, in step: inout Step) {
        step.ask(.send(self.pendingRequests.begin(purpose), request))
    }

    /// Drops the exchanges that are meant.
    mutating func cancelAll(where isMeant: (Purpose) -> Bool, in step: inout Step) {
        for request in self.pendingRequests.endAll(where: isMeant) { step.ask(.cancel(request)) }
    }

    // MARK: Topic WebSocket

    /// Does what the topic WebSocket wants done.
    mutating func perform(_ actions: [TopicLink.Action], in step: inout Step) {
        for action in actions {
            let connection = AssistConnection.topics(self.link.number)
            switch action {
            case .open(let request):
                // The limit of the SDK, if there is one, is counted here.
                let options = WebSocketOptions(timeLimit: .none, sendsCookies: self.sendsCookies)
                step.ask(.open(connection, request, subprotocols: [], options))
            case .transmit(let bytes): step.ask(.transmit(connection, .binary(bytes)))
            case .close: step.ask(.close(connection, code: 1000, reason: ""))
            case .abort: step.ask(.abort(connection))
            case .setTimer(let timer, let delay): step.ask(.setTimer(timer, delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(timer))
            case .report(let news): self.linkReported(news, in: &step)
            }
        }
    }

    /// Passes what happened on to the topic WebSocket, if it is about that.
    mutating func passToLink(_ input: Input, in step: inout Step) {
        switch input {
        case .opened(.topics(self.link.number), _): self.perform(self.link.handle(.opened), in: &step)
        case .openFailed(.topics(self.link.number), let failure):
            self.perform(self.link.handle(.openFailed(failure.message)), in: &step)
        case .received(.topics(self.link.number), let message):
            self.perform(self.link.handle(.received(message)), in: &step)
        case .closed(.topics(self.link.number), let closure):
            self.perform(self.link.handle(.lost(code: closure.code)), in: &step)
        case .timerFired(let timer): self.perform(self.link.handle(.timerFired(timer)), in: &step)
        default: break
        }
    }

    /// Ends the topic WebSocket for good.
    mutating func closeLink(in step: inout Step) {
        self.perform(self.link.handle(.closeWanted), in: &step)
    }

    // MARK: Frames

    /// Sends a frame; without an open connection it is dropped.
    func send(_ frame: TopicFrame, in step: inout Step) {
        guard self.link.isOpen else { return }
        step.ask(.transmit(.topics(self.link.number), .binary(frame.bytes)))
    }

    /// Sends a message into a topic.
    func say(_ message: WindowMessage, on topic: UInt16, in step: inout Step) {
        self.send(
            TopicFrame(.sendMessage, topic: topic, participant: self.directory.ownID, payload: message.bytes), in: &step
        )
    }

    /// Sends a JSON message to the whole session.
    func tell(_ message: JSONValue, in step: inout Step) {
        self.send(TopicFrame(.sendMessage, topic: 0, participant: self.directory.ownID, json: message), in: &step)
    }
}
