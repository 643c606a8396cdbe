import JSON
import Machines
import Scenario

/// What scripts can ask about the users of a run; it is looked up for those who ask, and few do.
final class UserDetails: Sendable {
    private let plan: LoadPlan
    private let rows: [JSONValue]

    init(plan: LoadPlan, rows: [JSONValue]) {
        self.plan = plan
        self.rows = rows
    }

    /// Draws how long the users of a workload think.
    func thinkTime(ofWorkload index: Int, using random: inout RandomSource) -> Duration {
        self.plan.workloads[index].workload.thinkTime?.draw(using: &random) ?? .zero
    }

    /// What the script of a user reads in `t.user`.
    ///
    /// - Parameter row: The place of its row of data, if it has one.
    func members(ofUser number: Int, iteration: Int, row: Int?) -> JSONObject {
        let row = row.map { self.rows[$0] }
        return self.plan.user(number)?.scriptMembers(iteration: iteration, row: row, plan: self.plan) ?? [:]
    }
}

extension VirtualUser {
    /// The user as its script sees it, in `t.user`.
    func scriptMembers(iteration: Int, row: JSONValue?, plan: LoadPlan) -> JSONObject {
        var members: JSONObject = [
            "number": .integer(Int64(self.number)), "iteration": .integer(Int64(iteration)),
            "name": .string(self.name), "email": .string(self.email), "token": .string(self.token),
        ]
        if let role = self.role { members["role"] = .string(role) }
        if let room = self.room {
            members["room"] = [
                "name": .string(room.description), "number": .integer(Int64(room.number)),
                "size": .integer(Int64(plan.userCount(inRoom: room))),
            ]
        }
        if let row { members["row"] = row }
        return members
    }

    /// The room of the user as that in which it can meet others when rooms are in different parts of the run.
    func meetingRoom(plan: LoadPlan) -> UserContext.MeetingRoom? {
        self.room.map { UserContext.MeetingRoom(name: $0.description, size: plan.userCount(inRoom: $0)) }
    }
}
