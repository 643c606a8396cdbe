public import JSON
import Machines
import Scenario

extension Storm {
    /// The members of a storm in a workload.
    static let members = ["name", "at", "lasts", "every", "share", "network", "wake"]

    /// Whether a member of `network` only strikes the connections that are open, and changes nothing for those that
    /// come; a size after which connections are cut holds for all that come.
    private static func isMomentary(_ name: String, _ value: JSONValue) -> Bool {
        name == "half_close" || name == "cut" && value.string == nil && value.integer == nil
    }

    /// The most storms of a run, and strikes of one.
    private static let limit = 100
    private static let strikeLimit = 10_000

    /// Reads the member `storms` of a workload.
    ///
    /// - Parameters:
    ///   - table: The workload.
    ///   - network: What the network of all users is like besides; what a storm does comes on top.
    /// - Throws: ``ShapeError`` with all that is wrong.
    public static func list(in table: JSONObject, over network: JSONObject) throws(ShapeError) -> [Storm] {
        let problems = ProblemCollector()
        guard
            let reader = TableReader(
                .object(table["storms"].map { ["storms": $0] } ?? [:]), path: "workload", known: ["storms"],
                problems: problems)
        else { return [] }
        var names: Set<String> = []
        let storms = (reader.list("storms", atMost: Self.limit) ?? []).compactMap { element -> Storm? in
            guard
                let table = TableReader(
                    element.value, path: element.path, known: Self.members, problems: problems),
                let storm = Self.storm(table, over: network)
            else { return nil }
            if !names.insert(storm.name).inserted {
                problems.add(element.path, "is called \"\(storm.name)\" as another one is; give each its own name")
            }
            return storm
        }
        try problems.check()
        return storms
    }

    private static func storm(_ table: TableReader, over network: JSONObject) -> Storm? {
        let start = table.duration("at", example: "\"30s\"")
        let length = table.optionalDuration("lasts") ?? .zero
        let period = table.optionalDuration("every", .aboveZero)
        let share = table.optional("share").flatMap { table.number($0, at: table.path("share"), in: 0...1) } ?? 1
        if share == 0 { table.problems.add(table.path("share"), "is 0, which hits nobody; write more, such as 0.1") }
        let wakes = Self.wakes(table)
        let conditions = Self.conditions(table, over: network)
        guard let start else { return nil }
        let members = table.optional("network")?.object ?? [:]
        if members.isEmpty, !wakes {
            table.problems.add(
                table.path, "does nothing; write network = { cut = true }, or wake = true for all who think to go on")
        }
        let standing = members.filter { !Self.isMomentary($0, $1) }.map(\.0).min()
        if let standing, period != nil {
            table.problems.add(
                table.path("network.\(standing)"),
                "stays as it is from one strike to the next; with every there may be cut = true and half_close only"
            )
        } else if let standing, length == .zero {
            table.problems.add(
                table.path("network.\(standing)"), "has no end; write how long it is so: lasts = \"20s\"")
        }
        if let period {
            if length == .zero {
                table.problems.add(table.path("every"), "has no end; write for how long: lasts = \"1m\"")
            } else if length / period > Double(Self.strikeLimit) {
                table.problems.add(
                    table.path("every"), "makes more than \(Self.strikeLimit) strikes; write a longer time")
            }
        }
        let parts = [
            members.map { "\($0)=\($1.string ?? $1.description)" }.sorted().joined(separator: " "),
            wakes ? "wake" : "", share < 1 ? "for \(Int((share * 100).rounded())) %" : "",
        ]
        return Storm(
            name: table.text("name") ?? parts.filter { !$0.isEmpty }.joined(separator: " "), start: start,
            length: length, period: period, share: share, conditions: conditions, endsThinking: wakes)
    }

    private static func wakes(_ table: TableReader) -> Bool {
        guard let value = table.optional("wake") else { return false }
        guard let wakes = value.bool else {
            table.problems.add(table.path("wake"), "is \(value.shown); write true, and all who think go on")
            return false
        }
        return wakes
    }

    private static func conditions(_ table: TableReader, over network: JSONObject) -> NetworkConditions? {
        guard let value = table.optional("network") else { return nil }
        guard let members = value.object ?? (value.array?.isEmpty == true ? [:] : nil) else {
            table.problems.add(
                table.path("network"), "is \(value.kindName); write { cut = true } or { latency = \"2s\" }")
            return nil
        }
        do throws(ScriptProblem) {
            return try NetworkConditions(network.merging(members), of: table.path("network"))
        } catch {
            table.problems.add(table.path("network"), error.message)
            return nil
        }
    }
}
