public import JSON
public import Machines

/// Who a virtual user is: a pure function of the run's seed and the user's number.
public struct UserContext: Sendable {
    /// The number of the user in the whole run, from 0.
    public var number: Int

    /// Which of its iterations it plays, from 0.
    public var iteration: Int

    /// The seed of all its randomness in this iteration.
    public var seed: UInt64

    /// What scripts read as `t.user`: number, iteration, role, room, row of data; made for those who ask.
    public var members: @Sendable () -> JSONObject

    /// The columns of the rows that users get.
    public var rowColumns: [String]

    /// Draws how long the user thinks.
    public var thinkTime: @Sendable (inout RandomSource) -> Duration

    /// Which of the machine's source addresses the user connects from, counted on and on.
    public var sourcePlace: Int

    /// The room whose members are all that the user can meet at barriers and in mailboxes; nil if it can meet
    /// everybody.
    public var coordinationRoom: CoordinationRoom?

    /// How many users the run has at once at most, in all its parts, so that a barrier for more would never open; nil
    /// if that is not known, or users may come to one barrier several times over.
    public var mostUsers: Int?

    /// Whether others share the user's room whom it can reach only at a server that the script shares with them,
    /// because servers are simulated in this process.
    public var needsSharedServer: Bool

    /// A room whose members are all in one part of the run.
    public struct CoordinationRoom: Equatable, Sendable {
        /// The name, as scripts read it in `t.user.room.name`.
        public var name: String

        /// How many users it has.
        public var size: Int

        /// Creates a room.
        public init(name: String, size: Int) {
            self.name = name
            self.size = size
        }
    }

    /// Creates a user.
    public init(
        number: Int, iteration: Int, seed: UInt64, members: @autoclosure @escaping @Sendable () -> JSONObject,
        rowColumns: [String] = [], sourcePlace: Int = 0,
        coordinationRoom: CoordinationRoom? = nil, needsSharedServer: Bool = false, mostUsers: Int? = nil,
        thinkTime: @escaping @Sendable (inout RandomSource) -> Duration = { _ in .zero }
    ) {
        self.number = number
        self.iteration = iteration
        self.seed = seed
        self.members = members
        self.rowColumns = rowColumns
        self.sourcePlace = sourcePlace
        self.coordinationRoom = coordinationRoom
        self.needsSharedServer = needsSharedServer
        self.mostUsers = mostUsers
        self.thinkTime = thinkTime
    }
}
