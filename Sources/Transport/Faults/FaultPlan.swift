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

        /// Up to how many bytes arrive in one piece; each piece is of random length up to that. Nil leaves pieces whole.
        public var longestPiece: Int?

        /// The time between the pieces that a longer one was cut into.
        public var pace: Duration = .zero

        /// After how many bytes the connection is dropped for both sides.
        public var dropAfter: Int?

        /// After how many bytes everything is swallowed, as when a cable is pulled.
        public var stallAfter: Int?

        /// The chance that a bit of a piece is flipped, from 0 to 1.
        public var corruption: Double = 0

        /// Creates a direction without faults.
        public init() {}
    }

    /// The bytes that this side of the network sends.
    public var outgoing = Direction()

    /// The bytes that this side of the network receives.
    public var incoming = Direction()

    /// The chance that an attempt to connect is refused, from 0 to 1.
    public var refusal: Double = 0

    /// Creates a plan without faults.
    public init() {}

    /// A plan in which everything arrives in pieces of one to a few bytes, in both directions.
    public static func dripFeed(longestPiece: Int = 3) -> FaultPlan {
        var plan = FaultPlan()
        plan.incoming.longestPiece = longestPiece
        plan.outgoing.longestPiece = longestPiece
        return plan
    }
}
