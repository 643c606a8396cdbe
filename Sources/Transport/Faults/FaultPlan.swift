import Machines

/// What goes wrong on the connections of a ``FaultyNetwork``.
///
/// A connection draws what is left to chance from a random source of its own, so the same seed gives the same faults.
public struct FaultPlan: Hashable, Sendable {
    /// What happens to bytes in one direction.
    public struct Direction: Hashable, Sendable {
        /// How much later each piece arrives.
        public var delay: Duration = .zero

        /// Up to how much more each piece is delayed, by chance; the order stays.
        public var jitter: Duration = .zero

        /// The chance that a segment is lost on its way, from 0 to 1.
        ///
        /// A byte stream loses nothing: whoever uses it sees a lost segment as the delay until it was sent again, and
        /// what follows waits behind it. See ``Retransmission``.
        public var loss: Double = 0

        /// How many bytes pass in a second; nil for any number.
        public var bytesPerSecond: Int?

        /// Up to how many bytes arrive in one piece; each piece is of random length up to that. Nil leaves pieces
        /// whole.
        public var longestPiece: Int?

        /// The time between the pieces that a longer one was cut into.
        public var pace: Duration = .zero

        /// After how many bytes the connection is dropped for both sides.
        public var dropAfter: Int?

        /// After how many bytes everything stands still, as when a cable is pulled; it goes on under other faults.
        public var stallAfter: Int?

        /// The chance that a bit of a piece is flipped, from 0 to 1.
        public var corruption: Double = 0

        /// Creates a direction without faults.
        public init() {}
    }

    /// How the name of a host is resolved.
    public enum Resolution: Hashable, Sendable {
        /// At once.
        case immediate
        /// After a time.
        case slow(Duration)
        /// Not at all.
        case failing
    }

    /// The bytes that this side of the network sends.
    public var outgoing = Direction()

    /// The bytes that this side of the network receives.
    public var incoming = Direction()

    /// The chance that an attempt to connect is refused, from 0 to 1.
    public var refusal: Double = 0

    /// What becomes of the names of hosts; an address counts as a name, so that simulated servers have it, too.
    public var resolution = Resolution.immediate

    /// Creates a plan without faults.
    public init() {}

    /// Whether nothing goes wrong.
    public var isHealthy: Bool { self == FaultPlan() }
}
