import JSON
import Machines
import Metrics
import Scenario
import Testing

@testable import Load

@Suite("The reference of workloads")
struct WorkloadReferenceTests {
    private static func declared(_ name: String) -> ParameterDeclaration? {
        WorkloadReference.members.first { $0.name == name }
    }

    @Test("Each member of a workload goes with all executors or with some, and none is listed twice")
    func members() {
        let declared = WorkloadReference.members.map(\.name)
        #expect(Set(declared).count == declared.count)
        let ofExecutors = ExecutorName.allCases.flatMap(WorkloadReader.members)
        #expect(Set(WorkloadReader.allMembers) == Set(WorkloadReader.commonMembers + ofExecutors))
        #expect(LoadShape.members(isSingle: true) == declared)
        let ofSeveral = LoadShape.members(isSingle: false)
        #expect(Set(ofSeveral).count == ofSeveral.count && Set(ofSeveral).isSubset(of: declared))
        #expect(!ofSeveral.contains("users"))
    }

    @Test("What the table says of the run beside its shape is no mistake of the shape")
    func ofRun() throws {
        var table: JSONObject = ["executor": "constant_vus", "users": 2, "duration": "1m"]
        for member in WorkloadReference.ofRun { table[member.name] = [] }
        #expect(try LoadShape(.object(table)).workloads.count == 1)
        let several: JSONObject = ["workloads": [.object(["executor": "constant_vus", "users": 2, "duration": "1m"])]]
        #expect(try LoadShape(.object(several.merging(["thresholds": []]))).workloads.count == 1)
    }

    @Test("It has the words that are read")
    func words() {
        #expect(Self.declared("executor")?.type == .choice(ExecutorName.allCases.map(\.rawValue)))
        #expect(Self.declared("distribution")?.type == .choice(["uniform", "poisson"]))
        guard case .choice(let orders)? = Self.declared("row_order")?.type else {
            Issue.record("the orders of rows are words")
            return
        }
        #expect(Set(orders) == Set(DataFeeder.Order.allCases.map(\.rawValue)))
        guard case .record(let rooms)? = Self.declared("rooms")?.type else {
            Issue.record("rooms are a table")
            return
        }
        #expect(rooms.first { $0.name == "placement" }?.type == .choice(PlacementName.allCases.map(\.rawValue)))
    }

    @Test("Every metric that the generator measures stands in it, with what it measures")
    func metrics() {
        for metric in BuiltInMetric.allCases {
            #expect(LoadReference.markdown.contains("| `\(metric.rawValue)` | \(metric.metric.kind.rawValue) | "))
        }
    }
}
