public import JSON
import Machines
import Scenario

/// What a workload says of the run beside its shape and its storms.
public struct WorkloadOptions: Hashable, Sendable {
    /// What must hold, as the script's author writes it.
    public private(set) var thresholds: [String] = []

    /// Whether texts are followed to where they arrive.
    public private(set) var usesLedger = true

    /// In which order rows are dealt.
    public private(set) var rowOrder = DataFeeder.Order.circular

    /// What goes wrong for all users, as `t:network` takes it; nil if nothing does.
    public private(set) var network: JSONObject?

    /// At most so many thresholds are read.
    private static let mostThresholds = 1000

    /// Creates the options of a workload that says nothing of them.
    public init() {}

    /// Reads the members of a workload.
    ///
    /// - Throws: ``ShapeError`` with all that is wrong.
    public init(in workload: JSONObject) throws(ShapeError) {
        let problems = ProblemCollector()
        let members = workload.filter { name, _ in WorkloadReference.ofRun.contains { $0.name == name } }
        let reader = TableReader(
            .object(JSONObject(members)), path: "workload", known: members.map(\.0), problems: problems)
        guard let reader else {
            try problems.check()
            return
        }
        self.thresholds = Self.thresholds(reader)
        if let value = reader.optional("ledger") {
            if let isUsed = value.bool {
                self.usesLedger = isUsed
            } else {
                problems.add(reader.path("ledger"), "is \(value.shown); write false, and texts are left as they are")
            }
        }
        self.rowOrder = reader.choice("row_order", of: DataFeeder.Order.self) ?? .circular
        if reader.optional("row_order") != nil, reader.optional("rows") == nil {
            problems.add(reader.path("row_order"), "orders rows, and there are none; give rows, too")
        }
        if let value = reader.optional("network") {
            self.network = value.object ?? (value.array?.isEmpty == true ? [:] : nil)
            if self.network == nil {
                problems.add(
                    reader.path("network"), "is \(value.kindName); write a table such as { latency = \"100ms\" }")
            }
        }
        try problems.check()
    }

    private static func thresholds(_ reader: TableReader) -> [String] {
        let example = "{ \"p99(delivery) < 250ms\" }"
        let value = reader.optional("thresholds") ?? .array([])
        guard value.array != nil || value.object?.isEmpty == true else {
            reader.problems.add(
                reader.path("thresholds"), "is \(value.kindName); write a list of texts, such as \(example)")
            return []
        }
        return (reader.list("thresholds", atMost: Self.mostThresholds) ?? []).compactMap { path, value in
            if value.string == nil {
                reader.problems.add(path, "is \(value.kindName); write a text, as in \(example)")
            }
            return value.string
        }
    }
}
