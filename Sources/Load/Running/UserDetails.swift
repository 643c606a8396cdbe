import JSON
import Machines

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
