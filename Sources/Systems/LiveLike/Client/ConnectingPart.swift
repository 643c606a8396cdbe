import Machines

/// How a room comes to be connected: from its resource to the session object that the script gets.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | asking | `found`, on iOS or without a control channel | subscribing | listens to all channels |
/// | asking | `found` on Android | listening | listens to the control channel; a pause |
/// | listening | `pauseOver` | subscribing | listens to the chat channel as well; on Android a pause |
/// | subscribing | `confirmed` | loading | asks for the first page of history |
/// | any | `loaded` | connected, or loaded before the pause is over | hands out the session object once connected |
/// | subscribing, loading | `pauseOver` | unchanged | |
/// | loaded | `pauseOver` | connected | hands out the session object |
///
/// The vendor's Android SDK pauses twice: between its two channels, and before its callback, as observed in its source.
/// That the second pause begins as the chat channel is subscribed to, and does not end before the history is there, is
/// defined here.
struct ConnectingPart: Sendable {
    /// How far connecting a room has come.
    enum State: String, CaseIterable, Hashable, Sendable {
        case asking, listening, subscribing, loading, loaded, connected
    }

    /// What happens to a room on its way to being connected.
    enum Input: Sendable {
        /// The room's resource is there.
        case found(hasControlChannel: Bool)
        /// The carrier has taken the chat channel in.
        case confirmed
        /// The vendor's Android SDK has paused long enough.
        case pauseOver
        /// The first page of history is there.
        case loaded
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// The channels to listen to have changed.
        case listen
        case pause(Duration)
        /// Ask for the first page of history.
        case load
        /// Hand out the session object.
        case handOut
    }

    /// How long the vendor's Android SDK listens to the control channel alone.
    private static let channelPause = Duration.milliseconds(500)

    /// How long after that it tells that the room is connected.
    private static let callbackPause = Duration.seconds(2)

    private let platform: Platform
    private(set) var state = State.asking
    /// Whether the room is not told to be connected yet, whatever has arrived.
    private var isPausing = false

    /// Creates the way of a room whose resource nobody has asked for yet.
    init(_ platform: Platform) { self.platform = platform }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .found(let hasControlChannel):
            guard self.state == .asking else { return [] }
            guard self.platform == .android, hasControlChannel else { return self.subscribe() }
            self.state = .listening
            return [.listen, .pause(Self.channelPause)]
        case .confirmed:
            guard self.state == .subscribing else { return [] }
            self.state = .loading
            return [.load]
        case .pauseOver:
            if self.state == .listening { return self.subscribe() }
            self.isPausing = false
            return self.state == .loaded ? self.connect() : []
        case .loaded:
            self.state = .loaded
            return self.isPausing ? [] : self.connect()
        }
    }

    /// Listens to all channels of the room.
    private mutating func subscribe() -> [Action] {
        self.state = .subscribing
        self.isPausing = self.platform == .android
        return [.listen] + (self.isPausing ? [.pause(Self.callbackPause)] : [])
    }

    private mutating func connect() -> [Action] {
        self.state = .connected
        return [.handOut]
    }
}
