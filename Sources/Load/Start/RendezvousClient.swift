import HTTPTypes
import Machines

/// A member of a rendezvous over connections: it tries to reach the shard that leads until its time is over.
///
/// Shards start in any order, so a leader that is not there yet, or goes away before its word, is tried again.
///
/// | state           | input                          | becomes | what happens                                      |
/// |-----------------|--------------------------------|---------|---------------------------------------------------|
/// | idle            | it begins                      | trying  | a WebSocket is opened                             |
/// | trying          | it is open                     | trying  | the line of the member is sent                    |
/// | trying          | it cannot be opened, or closes | pausing |                                                   |
/// | trying          | a message                      | over    | what it means is told, and the WebSocket closed   |
/// | pausing         | the pause is over              | trying  | a WebSocket is opened                             |
/// | trying, pausing | the time to wait is over       | over    | the WebSocket is dropped, and told what was wrong |
/// | over            | anything                       | over    |                                                   |
struct RendezvousClient: Sendable {
    /// What happens to it.
    enum Input: Hashable, Sendable {
        /// It goes to the meeting.
        case begun
        /// The WebSocket is open.
        case opened
        /// The WebSocket could not be opened.
        case failed(TransportFailure)
        /// A message arrived.
        case received(WebSocketMessage)
        /// The WebSocket was open and has ended.
        case closed
        /// It is as late as ``RendezvousClient/wake`` said.
        case waited
    }

    /// What it wants done.
    enum Effect: Hashable, Sendable {
        /// Open a WebSocket, instead of one that was open before.
        case open(HTTPRequest)
        /// Send a line.
        case transmit(RendezvousLine)
        /// Start the closing handshake.
        case close
        /// Drop the connection.
        case abort
        /// Tell the own process what came of it.
        case tell(RendezvousMember.Outcome)
    }

    private enum State: Sendable {
        case idle
        case trying
        case pausing(until: EpochTime)
        case over
    }

    /// How long it waits before it tries again.
    private static let pause = Duration.milliseconds(500)

    private let member: RendezvousMember
    private let authority: String
    private let token: String?
    private var state = State.idle
    private var lastFailure: String?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - member: What it has to say, and until when it waits.
    ///   - authority: Host and port of the shard that leads.
    ///   - token: What that one wants to be shown, if anything.
    init(_ member: RendezvousMember, authority: String, token: String? = nil) {
        self.token = token
        self.member = member
        self.authority = authority
    }

    /// When it wants to hear that it has waited; nil while it waits for nothing.
    var wake: EpochTime? {
        switch self.state {
        case .idle, .over: nil
        case .trying: self.member.deadline
        case .pausing(let end): min(end, self.member.deadline)
        }
    }

    /// Takes in what happens.
    mutating func handle(_ input: Input, at now: EpochTime) -> [Effect] {
        switch (self.state, input) {
        case (.idle, .begun): return [self.open()]
        case (.trying, .opened): return [.transmit(self.member.greeting)]
        case (.trying, .failed(let failure)): self.pause(after: failure.message, at: now)
        case (.trying, .closed): self.pause(after: "\(self.authority) closed the connection", at: now)
        case (.trying, .received(let message)):
            self.state = .over
            var line = ""
            if case .text(let text) = message { line = text }
            return [.tell(self.member.received(line, at: now)), .close]
        case (.trying, .waited) where now >= self.member.deadline,
            (.pausing, .waited) where now >= self.member.deadline:
            self.state = .over
            return [.abort, .tell(self.failure(at: now))]
        case (.pausing(let end), .waited) where now >= end: return [self.open()]
        default: break
        }
        return []
    }

    private mutating func open() -> Effect {
        self.state = .trying
        var head = HTTPRequest(method: .get, scheme: "ws", authority: self.authority, path: "/rendezvous")
        head.headerFields[.authorization] = self.token.map(RendezvousServer.credentials)
        return .open(head)
    }

    private mutating func pause(after failure: String, at now: EpochTime) {
        self.lastFailure = failure
        self.state = .pausing(until: now + Self.pause)
    }

    /// What came of waiting in vain.
    private func failure(at now: EpochTime) -> RendezvousMember.Outcome {
        let outcome = self.member.wait(until: now)
        guard case .failed(var error) = outcome, let last = self.lastFailure else { return outcome }
        error.message += " (last: \(last))"
        return .failed(error)
    }
}
