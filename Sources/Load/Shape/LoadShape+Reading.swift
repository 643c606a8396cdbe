public import JSON
import Machines
import Scenario

extension LoadShape {
    /// The members that the table of a script may have.
    ///
    /// - Parameter isSingle: Whether it is itself the only workload, whose members then stand beside those of the
    ///   shape; else those that hold for all of several stand there.
    static func members(isSingle: Bool) -> [String] {
        guard !isSingle else { return WorkloadReference.members.map(\.name) }
        let ofShape = WorkloadReference.ofShape.map(\.name) + ["max_users"]
        return ofShape + WorkloadReader.inheritedMembers + WorkloadReference.ofRun.map(\.name)
    }

    /// Reads the table that a script gives to `workload`.
    ///
    /// The table either lists several `workloads`, or is itself the only one. What it says of the run beside its shape,
    /// ``WorkloadOptions`` and ``Storm`` read.
    ///
    /// - Parameter table: The table as JSON.
    /// - Throws: ``ShapeError`` with all that is wrong with it.
    public init(_ table: JSONValue) throws(ShapeError) {
        try self.init(table, ProblemCollector())
    }

    /// Refuses what is wrong with a table that need not be a whole shape, for the options of a command may give the
    /// rest.
    ///
    /// - Throws: ``ShapeError`` with all that is wrong with what it has.
    public static func check(declared table: JSONValue) throws(ShapeError) {
        _ = try LoadShape(table, ProblemCollector(isPartial: true))
    }

    private init(_ table: JSONValue, _ problems: ProblemCollector) throws(ShapeError) {
        let isSingle = table["workloads"] == nil
        let members = Self.members(isSingle: isSingle)
        guard let reader = TableReader(table, path: "workload", known: members, problems: problems) else {
            try problems.check()
            preconditionFailure("a reader that is nil has reported a problem")
        }
        let maxUsers = reader.optionalCount("max_users", in: 1...Self.mostUsers)
        let warmUp = reader.optionalDuration("warm_up") ?? .zero
        let workloads =
            isSingle
            ? [WorkloadReader(reader, name: "load", defaults: nil).read()]
            : Self.workloads(reader)
        var phases = Self.phases(reader)
        let read = workloads.compactMap(\.self)
        self.init(workloads: read, maxUsers: isSingle ? nil : maxUsers, warmUp: warmUp, phases: [])
        for workload in read { phases += Self.phases(of: workload) }
        Self.checkNames(phases, problems)
        self.phases = phases.sorted { ($0.start, $0.end, $0.name) < ($1.start, $1.end, $1.name) }
        self.check(problems)
        try problems.check()
    }

    private static func workloads(_ reader: TableReader) -> [Workload?] {
        guard let list = reader.list("workloads", atMost: 100) else { return [] }
        guard !list.isEmpty else {
            reader.problems.add(
                reader.path("workloads"),
                "is empty; write { { executor = \"constant_vus\", users = 10, duration = \"1m\" } }")
            return []
        }
        var names: Set<String> = []
        return list.enumerated().map { number, element in
            guard
                let table = TableReader(
                    element.value, path: element.path, known: WorkloadReader.allMembers, problems: reader.problems)
            else { return nil }
            let name = table.text("name") ?? "workload-\(number + 1)"
            if !names.insert(name).inserted {
                reader.problems.add(
                    table.path("name"), "\"\(name)\" names another workload too; give each its own name")
            }
            return WorkloadReader(table, name: name, defaults: reader).read()
        }
    }

    private static func phases(_ reader: TableReader) -> [Phase] {
        (reader.list("phases", atMost: 1000) ?? []).compactMap { element in
            guard
                let table = TableReader(
                    element.value, path: element.path, known: ["name", "from", "to"], problems: reader.problems)
            else { return nil }
            let name = table.required("name", example: "\"steady\"").flatMap { table.text($0, at: table.path("name")) }
            let start = table.duration("from", example: "\"1m\"")
            let end = table.duration("to", example: "\"5m\"")
            guard let name, let start, let end else { return nil }
            guard start < end else {
                reader.problems.add(
                    table.path("to"), "is not later than from; write a time after \"\(start.scriptText)\"")
                return nil
            }
            return Phase(name: name, start: start, end: end)
        }
    }

    /// The phases that named stages make.
    private static func phases(of workload: Workload) -> [Phase] {
        let stages: [(name: String?, duration: Duration)] =
            switch workload.executor {
            case .rampingUsers(_, let stages, _): stages.map { ($0.name, $0.duration) }
            case .arrivals(let curve, _): curve.stages.map { ($0.name, $0.duration) }
            default: []
            }
        var start = workload.startAfter
        return stages.compactMap { name, duration in
            defer { start += duration }
            return name.map { Phase(name: $0, start: start, end: start + duration) }
        }
    }

    private static func checkNames(_ phases: [Phase], _ problems: ProblemCollector) {
        var names: Set<String> = []
        for phase in phases where !names.insert(phase.name).inserted {
            problems.add("workload.phases", "two phases or stages are named \"\(phase.name)\"; give each its own name")
        }
    }

    /// Reports what is wrong with the shape as a whole.
    private func check(_ problems: ProblemCollector) {
        if let maxUsers = self.maxUsers {
            let least = self.closedUsers + (self.hasArrivals ? 1 : 0)
            if least > maxUsers {
                problems.add(
                    "workload.max_users",
                    "is \(maxUsers), but the workloads of a given number of users need \(self.closedUsers)"
                        + (self.hasArrivals ? " and arrivals need some more" : "")
                        + "; write max_users = \(least) or more")
            }
        }
        // With another problem the length may be that of what could be read only.
        guard problems.isEmpty, !problems.isPartial else { return }
        if self.warmUp > .zero, self.warmUp >= self.length {
            problems.add(
                "workload.warm_up",
                "takes the whole run of \(self.length.scriptText), and nothing would be measured; write a shorter time")
        }
        for phase in self.phases where phase.start >= self.latestEnd {
            problems.add(
                "workload.phases",
                "\"\(phase.name)\" starts after the end of the run at \(self.latestEnd.scriptText); write an earlier time"
            )
        }
    }
}
