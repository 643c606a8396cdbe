import RunRecord
public import Scenario

/// Says before a run whether users who are to meet can: those of its parts (`--shard`) and of its cores (`--cores`).
///
/// | users meet | in parts | on several cores |
/// |---|---|---|
/// | at a server of this process that all share | refused | refused |
/// | at barriers or in mailboxes | only in rooms that are kept in one part | everywhere |
///
/// Those of a room at servers of this process of which each has its own are refused anywhere.
///
/// What a room has not, and what two rooms use, is refused while the run is played: see `MeetingCheck`.
public struct CoordinationCheck: Sendable {
    private let coordination: ScriptCoordination
    private let plan: LoadPlan
    private let isEmbedded: Bool

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - coordination: Where the scripts let users meet.
    ///   - plan: The plan, of which this process may play a part.
    ///   - isEmbedded: Whether servers are simulated in this process.
    public init(_ coordination: ScriptCoordination, _ plan: LoadPlan, isEmbedded: Bool) {
        self.coordination = coordination
        self.plan = plan
        self.isEmbedded = isEmbedded
    }

    /// Returns why users who are to meet could not, with what would do instead; nil if they can.
    ///
    /// - Parameter cores: On how many cores this process is asked to play.
    public func refusal(cores: Int) -> String? {
        if let reason = self.refusalOfRooms { return reason }
        if self.plan.shard.count > 1, let reason = self.refusalOfPart { return reason }
        guard cores > 1, self.coordination.hasSharedServer else { return nil }
        return "--cores \(cores): the server that users share (shared = true) lives on one core, and users on the "
            + "others cannot reach it; play it with --cores 1"
    }

    private var refusalOfRooms: String? {
        guard self.isEmbedded, self.coordination.hasOwnServersOnly,
            let name = self.plan.workloads.first(where: self.hasRoommates)?.workload.name
        else { return nil }
        return
            "the workload \"\(name)\" has rooms, and each user has a server of its own, where nobody meets; rooms need "
            + "one server for all: t:server(system, { shared = true })"
    }

    /// Whether a room of a workload has more members than one.
    private func hasRoommates(_ planned: PlannedWorkload) -> Bool {
        planned.room(ofMember: 0).map { self.plan.userCount(inRoom: $0) > 1 } ?? false
    }

    private var refusalOfPart: String? {
        if self.isEmbedded, self.coordination.hasSharedServer {
            return "--shard \(self.plan.shard): each shard would have a server of its own in place of the one that "
                + "users share (shared = true); play the whole run in one process, or give all shards the same --target"
        }
        // The members of a room that is kept whole are all in one part.
        let areRoomsWhole = self.plan.shape.workloads.allSatisfy { $0.rooms?.placement == .room }
        guard let function = self.coordination.functions.first, !areRoomsWhole else { return nil }
        return "--shard \(self.plan.shard): \(function) lets users meet in one process only, and those of other shards "
            + "would not come; play the whole run in one process, on all its cores, or deal users to rooms whose members "
            + "are in one shard: rooms = { size = 10 }, with a \(function) for each room"
    }
}
