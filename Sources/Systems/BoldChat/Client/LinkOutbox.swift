import JSON
import Machines

/// What a link has to send: urgent frames first, then one call after another, each when the one before is answered.
struct LinkOutbox: Sendable {
    /// Whether the greeting of a new socket is to be sent before all else.
    private var owesGreeting = false
    /// The ids of heartbeats that have no acknowledgement.
    private var heartbeats: [JSONValue?] = []
    private var queue: [OutgoingCall] = []
    /// The call that waits for its answer; over long polling without an id.
    private var inFlight: (id: String, call: OutgoingCall)?

    /// Calls that wait for a connection; more are refused, defined here. What the visitor types takes at most half of
    /// the places, so that there is room for what he says.
    static let limit = 10_000
    /// Acknowledgements that wait; the oldest are dropped, defined here.
    static let heartbeatLimit = 100

    /// Takes in a call; returns false if there is no room for it.
    mutating func add(_ call: OutgoingCall) -> Bool {
        let limit = if case .typing = call.meaning { Self.limit / 2 } else { Self.limit }
        guard self.queue.count < limit else { return false }
        self.queue.append(call)
        return true
    }

    /// Puts the greeting of a new socket before everything else.
    mutating func greetFirst() { self.owesGreeting = true }

    /// Acknowledges a heartbeat.
    mutating func acknowledge(_ id: JSONValue?) {
        if self.heartbeats.count >= Self.heartbeatLimit { self.heartbeats.removeFirst() }
        self.heartbeats.append(id)
    }

    /// Makes ready for another connection: an unanswered call is sent again over it, under a new id.
    mutating func requeue() {
        if let call = self.inFlight?.call, call.meaning != .connect { self.queue.insert(call, at: 0) }
        self.forget()
    }

    /// Waits for nothing any more; calls that were not sent stay.
    mutating func forget() {
        self.inFlight = nil
        self.owesGreeting = false
        self.heartbeats = []
    }

    // MARK: Over a socket

    /// Returns what may be sent now.
    ///
    /// - Parameters:
    ///   - lastMessageID: What a greeting says that the client knows.
    ///   - random: For the ids of calls.
    mutating func nextFrames(after lastMessageID: Int64, random: inout RandomSource) -> [JSONValue] {
        var frames: [JSONValue] = []
        while self.inFlight == nil {
            let call: OutgoingCall
            if self.owesGreeting {
                self.owesGreeting = false
                call = OutgoingCall(connectAfter: lastMessageID)
            } else {
                frames += self.heartbeats.map { OSSAnswer.heartbeat($0).raw }
                self.heartbeats = []
                guard !self.queue.isEmpty else { break }
                call = self.queue.removeFirst()
            }
            let id = random.decimalDigits(19)
            self.inFlight = (id, call)
            frames.append(OSSCall(method: call.method, params: call.params, id: .string(id)).wire)
        }
        return frames
    }

    /// Returns the call in flight if the answer with this id is the one it waits for.
    mutating func answered(_ id: String?) -> OutgoingCall? {
        guard let sent = self.inFlight, sent.id == id else { return nil }
        self.inFlight = nil
        return sent.call
    }

    // MARK: Over long polling

    /// Returns the call to post now, if none is under way.
    mutating func nextPost() -> OutgoingCall? {
        guard self.inFlight == nil, !self.queue.isEmpty else { return nil }
        let call = self.queue.removeFirst()
        self.inFlight = ("", call)
        return call
    }

    /// Returns the call whose post was answered.
    mutating func posted() -> OutgoingCall? {
        defer { self.inFlight = nil }
        return self.inFlight?.call
    }

    /// Puts a call whose post failed back; nothing is posted until ``retry()``.
    ///
    /// - Returns: False if no call is under way.
    mutating func postFailed() -> Bool {
        guard let call = self.inFlight?.call else { return false }
        self.queue.insert(call, at: 0)
        return true
    }

    /// Lets the call that was put back be posted again.
    mutating func retry() { self.inFlight = nil }
}
