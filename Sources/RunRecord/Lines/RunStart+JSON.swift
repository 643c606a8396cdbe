public import JSON

extension RunStart {
    /// The object of its line.
    public var json: JSONValue {
        var members: JSONObject = [
            "type": "run_started", "format": .integer(self.format), "tool": .string(self.toolVersion),
            "seed": .string("\(self.seed)"), "clock": .string(self.clock.rawValue), "target": .string(self.target),
        ]
        members.set("started_at", self.startedAt) { .string($0) }
        members.set("shard", self.shard, \.json)
        members["planned"] = .integer(self.plannedScenarios)
        members.set("replay", self.replay) { .string($0) }
        members.set("fault", self.fault) { .string($0) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let format = try members.integer("format")
        guard format <= RunStart.currentFormat else {
            throw RecordFormatError(
                "it has format \(format), and this version reads formats up to \(RunStart.currentFormat); "
                    + "read it with the version that wrote it or a later one")
        }
        let shard = try members.optional("shard", \.object).map { (object) throws(RecordFormatError) in
            try Shard(EntryMembers(.object(object)))
        }
        self.init(
            toolVersion: try members.string("tool"), seed: try members.seed("seed"),
            clock: try members.word("clock", of: RunClock.self), target: try members.string("target"),
            startedAt: try members.optionalString("started_at"), shard: shard,
            plannedScenarios: try members.integer("planned"), replay: try members.optionalString("replay"),
            fault: try members.optionalString("fault"), format: format)
    }
}
