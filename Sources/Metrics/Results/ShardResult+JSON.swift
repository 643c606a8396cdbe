internal import JSON

extension ShardResult {
    func write(index: Int, to writer: inout JSONWriter) {
        var members: JSONObject = [
            "index": .integer(Int64(index)), "started_at": self.startedAt.map { .string($0) } ?? .null,
            "duration_us": .integer(self.durationMicroseconds), "ending": self.ending.json,
            "health": self.health.json(calibration: self.calibration), "ledger": self.ledger.json,
            "annotations": .array(
                self.annotations.map { annotation in
                    [
                        "start_us": .integer(annotation.startMicroseconds),
                        "end_us": annotation.endMicroseconds.map { .integer($0) } ?? .null,
                        "label": .string(annotation.label),
                    ]
                }),
        ]
        if !self.causes.isEmpty { members["causes"] = .array(self.causes.map(\.json)) }
        if !self.skips.isEmpty {
            members["skips"] = .array(
                self.skips.sorted { $0.key < $1.key }.map { reason, count in
                    ["reason": .string(reason), "count": .integer(count)]
                })
        }
        if let calibration = self.calibration {
            members["calibration"] = [
                "round_trips": calibration.roundTrips.json, "processor_us": .integer(calibration.processorMicroseconds),
                "busy_round_trips": .integer(calibration.busyRoundTrips),
                "busy_us": .integer(calibration.busyMicroseconds), "lateness": calibration.lateness.json,
            ]
        }
        members["metrics"] = self.measurements.metricsJSON
        writer.appendObject(
            members,
            [
                "series": { self.measurements.writeSeries(to: &$0) },
                "warning": { $0.append(self.measurements.warning.map { .string($0) } ?? .null) },
            ])
    }

    init(_ fields: ResultFields, phases: Phases) throws(LoadResultError) {
        var calibration: Calibration?
        if fields.has("calibration") {
            let members = try fields.object("calibration")
            calibration = Calibration(
                roundTrips: try members.histogram("round_trips", .threeDigits),
                processorMicroseconds: try members.integer("processor_us"),
                busyRoundTrips: members.has("busy_round_trips") ? try members.integer("busy_round_trips") : 0,
                busyMicroseconds: members.has("busy_us") ? try members.integer("busy_us") : 0,
                lateness: members.has("lateness") ? try members.histogram("lateness", .threeDigits) : Histogram())
        }
        var annotations: [Annotation] = []
        for members in try fields.objects("annotations") {
            annotations.append(
                Annotation(
                    startMicroseconds: try members.integer("start_us"),
                    endMicroseconds: members.has("end_us") ? try members.integer("end_us") : nil,
                    label: try members.string("label")))
        }
        self.init(
            startedAt: fields.has("started_at") ? try fields.string("started_at") : nil,
            durationMicroseconds: try fields.integer("duration_us"), ending: try Ending(try fields.object("ending")),
            measurements: try Measurements(fields, phases: phases), ledger: try Ledger(try fields.object("ledger")),
            health: try GeneratorHealth(try fields.object("health")), calibration: calibration,
            annotations: annotations, causes: try Self.causes(fields), skips: try Self.skips(fields))
    }

    private static func skips(_ fields: ResultFields) throws(LoadResultError) -> [String: Int64] {
        var skips: [String: Int64] = [:]
        guard fields.has("skips") else { return skips }
        for members in try fields.objects("skips") {
            let reason = try members.string("reason")
            skips[reason] = (skips[reason] ?? 0).saturatingAdd(try members.integer("count"))
        }
        return skips
    }

    private static func causes(_ fields: ResultFields) throws(LoadResultError) -> [FailureCause] {
        var causes: [FailureCause] = []
        guard fields.has("causes") else { return causes }
        for members in try fields.objects("causes") { causes.append(try FailureCause(members)) }
        return causes
    }
}

extension ShardResult.Ending {
    var json: JSONValue {
        switch self {
        case .finished: ["kind": "finished"]
        case .interrupted: ["kind": "interrupted"]
        case .aborted(let reason): ["kind": "aborted", "reason": .string(reason)]
        case .mistaken: ["kind": "mistaken"]
        case .unfinished: ["kind": "unfinished"]
        }
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        switch try fields.string("kind") {
        case "finished": self = .finished
        case "interrupted": self = .interrupted
        case "aborted": self = .aborted(try fields.string("reason"))
        case "mistaken": self = .mistaken
        case "unfinished": self = .unfinished
        default: throw fields.error("kind", "one of finished, interrupted, aborted, mistaken, unfinished is expected")
        }
    }
}
