import JSON
import Machines
import Scenario

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
    func coordinationRoom(plan: LoadPlan) -> UserContext.CoordinationRoom? {
        self.room.map { UserContext.CoordinationRoom(name: $0.description, size: plan.userCount(inRoom: $0)) }
    }
}
