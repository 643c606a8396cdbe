import JSON
import Machines
import Scenario

/// Reads one workload of a load shape.
struct WorkloadReader {
    /// The members that the shape may give for all of its workloads.
    static let inheritedMembers = ["graceful_stop", "roles", "rooms", "think_time", "scenario"]

    /// The members of every workload, whatever its executor.
    static let commonMembers = ["name", "executor", "start_after"] + Self.inheritedMembers

    /// The members that an executor has beside the common ones.
    static func members(_ executor: ExecutorName) -> [String] {
        switch executor {
        case .constantVUs: ["users", "duration"]
        case .rampingVUs: ["start_users", "stages", "graceful_ramp_down"]
        case .constantArrivalRate: ["rate", "duration", "distribution", "max_users"]
        case .rampingArrivalRate: ["start_rate", "stages", "distribution", "max_users"]
        case .perVUIterations, .sharedIterations: ["users", "iterations", "max_duration"]
        case .arrivals: ["at", "speed", "max_users"]
        }
    }

    /// All members that some workload may have.
    static let allMembers = WorkloadReference.ofWorkload.map(\.name)

    private let table: TableReader
    private let name: String
    private let defaults: TableReader?
    private var problems: ProblemCollector { self.table.problems }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - table: The table of the workload, its member names checked.
    ///   - name: The workload's name.
    ///   - defaults: The table of the shape, whose members stand in for those that the workload does not have.
    init(_ table: TableReader, name: String, defaults: TableReader?) {
        self.table = table
        self.name = name
        self.defaults = defaults
    }

    /// Reads the workload.
    ///
    /// - Returns: Nil if something is wrong, which is reported.
    func read() -> Workload? {
        let startAfter = self.table.optionalDuration("start_after") ?? .zero
        let gracefulStop = self.inherited("graceful_stop").flatMap { $0.duration($1, at: $0.path("graceful_stop")) }
        let scenario = self.inherited("scenario").flatMap { $0.text($1, at: $0.path("scenario")) }
        let thinkTime = self.inherited("think_time").flatMap {
            ThinkTime($1, path: $0.path("think_time"), problems: self.problems)
        }
        let roles = self.inherited("roles").map { self.roles($1, path: $0.path("roles")) } ?? []
        let rooms = self.inherited("rooms").flatMap { self.rooms($1, path: $0.path("rooms")) }
        guard let executor = self.executor() else { return nil }
        let limit = executor.peakUsers == nil ? self.table.optionalCount("max_users", in: 1...LoadShape.mostUsers) : nil
        return Workload(
            name: self.name, executor: executor, startAfter: startAfter,
            gracefulStop: gracefulStop ?? .seconds(30), scenario: scenario, roles: roles, rooms: rooms,
            thinkTime: thinkTime,
            maxUsers: executor.peakUsers ?? limit ?? LoadShape.defaultMaxUsers)
    }

    /// The reader and the value of a member of the workload, or else of the shape.
    private func inherited(_ name: String) -> (TableReader, JSONValue)? {
        for reader in [self.table, self.defaults].compactMap(\.self) {
            if let value = reader.optional(name) { return (reader, value) }
        }
        return nil
    }

    private func executor() -> Executor? {
        guard self.table.required("executor", example: "\"constant_vus\"") != nil,
            let name = self.table.choice("executor", of: ExecutorName.self)
        else { return nil }
        let known = Self.commonMembers + Self.members(name)
        for member in Self.allMembers where !known.contains(member) && self.table.optional(member) != nil {
            let own = Self.members(name).joined(separator: ", ")
            self.problems.add(
                self.table.path(member), "does not go with the executor \"\(name.rawValue)\", which has \(own)")
        }
        switch name {
        case .constantVUs:
            let users = self.users()
            let duration = self.table.duration("duration", .aboveZero, example: "\"5m\"")
            guard let users, let duration else { return nil }
            return .constantUsers(users: users, duration: duration)
        case .rampingVUs: return self.rampingUsers()
        case .constantArrivalRate:
            let rate = self.table.rate("rate")
            let duration = self.table.duration("duration", .aboveZero, example: "\"5m\"")
            return self.arrivals(
                start: rate, stages: rate.flatMap { rate in duration.map { [Stage(duration: $0, target: rate)] } })
        case .rampingArrivalRate:
            let start = self.table.optional("start_rate").map { self.table.rate($0, at: self.table.path("start_rate")) }
            let stages = self.stages(example: "\"50/s\"") { self.table.rate($0, at: $1) }
            return self.arrivals(start: start ?? Rate(perSecond: 0), stages: stages)
        case .perVUIterations: return self.iterations(Executor.perUserIterations)
        case .sharedIterations: return self.iterations(Executor.sharedIterations)
        case .arrivals: return self.recordedArrivals()
        }
    }

    private func users() -> Int? {
        self.table.count("users", in: 1...LoadShape.mostUsers, example: "100")
    }

    private func rampingUsers() -> Executor? {
        let start = self.table.optionalCount("start_users", in: 0...LoadShape.mostUsers)
        let down = self.table.optionalDuration("graceful_ramp_down") ?? .seconds(30)
        let stages = self.stages(example: "100") { self.table.count($0, at: $1, in: 0...LoadShape.mostUsers) }
        guard let stages else { return nil }
        let executor = Executor.rampingUsers(start: start ?? 0, stages: stages, gracefulRampDown: down)
        guard let peak = executor.peakUsers, peak > 0 else {
            self.problems.add(self.table.path("stages"), "never reach a user; write a target above 0")
            return nil
        }
        return executor
    }

    private func iterations(_ executor: (_ users: Int, _ count: Int, _ within: Duration) -> Executor) -> Executor? {
        let users = self.users()
        let iterations = self.table.count("iterations", in: 1...LoadShape.mostIterations, example: "10")
        let within = self.table.optionalDuration("max_duration", .aboveZero)
        guard let users, let iterations else { return nil }
        // Ten minutes unless the script says otherwise, defined here.
        return executor(users, iterations, within ?? .seconds(600))
    }

    private func stages<Quantity>(
        example: String, _ quantity: (JSONValue, String) -> Quantity?
    ) -> [Stage<Quantity>]? {
        guard self.table.required("stages", example: "{ { duration = \"1m\", target = \(example) } }") != nil,
            let list = self.table.list("stages", atMost: 1000)
        else { return nil }
        let stages = list.compactMap { element -> Stage<Quantity>? in
            guard
                let stage = TableReader(
                    element.value, path: element.path, known: ["duration", "target", "name"], problems: self.problems)
            else { return nil }
            let duration = stage.duration("duration", example: "\"1m\"")
            let target = stage.required("target", example: example).flatMap { quantity($0, stage.path("target")) }
            let name = stage.text("name")
            guard let duration, let target else { return nil }
            if name != nil, duration == .zero {
                self.problems.add(
                    stage.path("name"), "names a stage of no duration, which is no phase; leave the name out")
            }
            return Stage(duration: duration, target: target, name: name)
        }
        guard stages.count == list.count else { return nil }
        let length = stages.reduce(Duration.zero) { $0 + $1.duration }
        guard length > .zero, length <= LoadShape.longestDuration else {
            self.problems.add(
                self.table.path("stages"),
                length > .zero
                    ? "take \(length.scriptText), and \(LoadShape.longestDuration.scriptText) is the longest there is"
                    : "take no time; write { { duration = \"1m\", target = \(example) } }")
            return nil
        }
        return stages
    }

    private func arrivals(start: Rate?, stages: [Stage<Rate>]?) -> Executor? {
        let distribution = self.table.choice("distribution", of: ArrivalDistribution.self) ?? .uniform
        guard let start, let stages else { return nil }
        let curve = RateCurve(start: start, stages: stages)
        let member = self.table.optional("stages") == nil ? "rate" : "stages"
        guard curve.area > 0 else {
            self.problems.add(self.table.path(member), "never start a user; write a rate above 0, such as \"50/s\"")
            return nil
        }
        guard curve.area <= Double(LoadShape.mostStarts) else {
            self.problems.add(
                self.table.path(member),
                "plan \(curve.area.rounded()) starts, and there may be at most \(LoadShape.mostStarts); "
                    + "write a lower rate or a shorter duration")
            return nil
        }
        return .arrivals(curve, distribution)
    }

    private func recordedArrivals() -> Executor? {
        let speed = self.table.optional("speed").flatMap {
            self.table.number($0, at: self.table.path("speed"), in: 0.001...1000)
        }
        guard self.table.required("at", example: "{ \"0s\", \"1.5s\", \"4s\" }") != nil,
            let list = self.table.list("at", atMost: LoadShape.mostUsers)
        else { return nil }
        guard !list.isEmpty else {
            self.problems.add(self.table.path("at"), "holds no arrival; write { \"0s\", \"1.5s\", \"4s\" }")
            return nil
        }
        var instants: [Duration] = []
        instants.reserveCapacity(list.count)
        for element in list {
            guard let time = self.table.duration(element.value, at: element.path) else { continue }
            if let last = instants.last, time < last {
                self.problems.add(
                    element.path,
                    "is before the arrival above it, at \"\(last.scriptText)\"; sort the list by time")
                return nil
            }
            instants.append(time)
        }
        guard instants.count == list.count else { return nil }
        if let speed, speed != 1 {
            instants = instants.map {
                min(Duration.nanoseconds(Int64($0.seconds / speed * 1e9)), LoadShape.longestDuration)
            }
        }
        return .recordedArrivals(instants)
    }

    private func roles(_ value: JSONValue, path: String) -> [Role] {
        guard let table = value.object, !table.isEmpty else {
            self.problems.add(path, "is \(value.kindName); write { visitors = 10, agents = 1 }")
            return []
        }
        guard table.count <= 100 else {
            self.problems.add(path, "has \(table.count) roles; there may be at most 100")
            return []
        }
        // A Lua table has no order of its own; that of the names is the same on every machine.
        return table.names.sorted().compactMap { name in
            let value = table[name] ?? .null
            guard !name.isBlank else {
                self.problems.add(path, "has a role without a name; write { visitors = 10, agents = 1 }")
                return nil
            }
            let path = "\(path).\(name)"
            if value.object == nil {
                return self.table.count(value, at: path, in: 1...10_000).map { Role(name: name, share: $0) }
            }
            guard let role = TableReader(value, path: path, known: ["share", "scenario"], problems: self.problems)
            else {
                return nil
            }
            let share = role.optionalCount("share", in: 1...10_000) ?? 1
            return Role(name: name, share: share, scenario: role.text("scenario"))
        }
    }

    private func rooms(_ value: JSONValue, path: String) -> RoomPlan? {
        let known = ["size", "count", "placement", "together", "name"]
        guard let table = TableReader(value, path: path, known: known, problems: self.problems) else { return nil }
        let size = table.optionalCount("size", in: 1...LoadShape.mostUsers)
        let count = table.optionalCount("count", in: 1...LoadShape.mostUsers)
        let name = table.text("name") ?? self.name
        let placement = table.choice("placement", of: PlacementName.self) ?? .room
        let together = table.optional("together").flatMap { table.number($0, at: table.path("together"), in: 0...1) }
        if placement != .mixed, table.optional("together") != nil {
            self.problems.add(table.path("together"), "goes with placement = \"mixed\" only; leave it out")
        }
        guard (table.optional("size") == nil) != (table.optional("count") == nil) else {
            self.problems.add(path, "needs either size or count; write { size = 20 } or { count = 5 }")
            return nil
        }
        guard let division = size.map(RoomPlan.Division.size) ?? count.map(RoomPlan.Division.count) else { return nil }
        switch placement {
        case .room: return RoomPlan(name: name, division: division, placement: .room)
        case .spread: return RoomPlan(name: name, division: division, placement: .spread)
        // Half of the rooms unless the script says otherwise, defined here.
        case .mixed: return RoomPlan(name: name, division: division, placement: .mixed(together ?? 0.5))
        }
    }
}
