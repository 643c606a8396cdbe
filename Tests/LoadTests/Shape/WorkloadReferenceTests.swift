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

    @Test("It has the members that are read, each once, and no others")
    func members() {
        let declared = WorkloadReference.members.map(\.name)
        #expect(Set(declared).count == declared.count)
        let read = WorkloadReader.allMembers + LoadShape.ownMembers + WorkloadReference.ofRun.map(\.name)
        #expect(Set(declared) == Set(read))
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
