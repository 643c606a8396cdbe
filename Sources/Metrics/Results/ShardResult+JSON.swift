internal import JSON

extension Ledger {
    var json: JSONValue {
        let rows = self.streams.sorted { $0.key < $1.key }.map { key, stream -> JSONValue in
            let numbers =
                [
                    Int64(key.sender), Int64(key.channel), stream.sent, stream.expected, stream.delivered,
                    stream.duplicated, stream.reordered, stream.misdelivered,
                ] + (stream.unsent > 0 ? [stream.unsent] : [])
            return .array(numbers.map { .integer($0) })
        }
        var members: JSONObject = [
            "run": .integer(Int64(self.run)), "foreign": .integer(self.foreign), "streams": .array(rows),
        ]
        let overdue = self.overdue.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        if !overdue.isEmpty {
            members["overdue"] = .array(
                overdue.map { key, count in
                    [.integer(Int64(key.sender)), .integer(Int64(key.channel)), .integer(count)]
                })
        }
        return .object(members)
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        guard let run = UInt32(exactly: try fields.integer("run")) else {
            throw fields.error("run", "a number of 32 bits is expected")
        }
        var streams: [StreamKey: Stream] = [:]
        for (place, row) in try fields.array("streams").enumerated() {
            let numbers = (row.array ?? []).compactMap(\.integer).filter(ResultFields.counts.contains)
            guard [8, 9].contains(numbers.count), numbers.count == row.array?.count,
                let sender = UInt32(exactly: numbers[0]),
                let channel = UInt32(exactly: numbers[1])
            else {
                throw fields.error(
                    "streams[\(place)]",
                    "eight or nine whole numbers from 0 to \(ResultFields.counts.upperBound) are expected")
            }
            let stream = Stream(
                sent: numbers[2], expected: numbers[3], delivered: numbers[4], duplicated: numbers[5],
                reordered: numbers[6], misdelivered: numbers[7], unsent: numbers.count == 9 ? numbers[8] : 0)
            guard streams.updateValue(stream, forKey: StreamKey(sender: sender, channel: channel)) == nil else {
                throw fields.error("streams[\(place)]", "this sender and channel are there twice")
            }
        }
        self.init(
            run: run, streams: streams, foreign: try fields.integer("foreign"), overdue: try Self.overdue(fields))
    }

    /// Reads what 64 later messages have overtaken. Results that were written before this was thought of lack it.
    private static func overdue(_ fields: ResultFields) throws(LoadResultError) -> [StreamKey: Int64] {
        var overdue: [StreamKey: Int64] = [:]
        guard fields.has("overdue") else { return overdue }
        for (place, row) in try fields.array("overdue").enumerated() {
            let numbers = (row.array ?? []).compactMap(\.integer).filter(ResultFields.counts.contains)
            guard numbers.count == 3, row.array?.count == 3, let sender = UInt32(exactly: numbers[0]),
                let channel = UInt32(exactly: numbers[1]),
                overdue.updateValue(numbers[2], forKey: StreamKey(sender: sender, channel: channel)) == nil
            else {
                throw fields.error(
                    "overdue[\(place)]",
                    "three whole numbers from 0 to \(ResultFields.counts.upperBound) are expected, the sender and the "
                        + "channel once")
            }
        }
        return overdue
    }
}

extension GeneratorHealth {
    func json(calibration: Calibration?) -> JSONValue {
        let verdict = self.verdict(calibration: calibration)
        return [
            "verdict": .string(verdict.state.rawValue), "reasons": .array(verdict.reasons.map { .string($0) }),
            "lateness": self.lateness.json, "stalls": self.stalls.json, "processor": self.processor.json,
            "script_us": .integer(self.scriptMicroseconds), "collection_us": .integer(self.collectionMicroseconds),
            "memory_peak": .integer(self.memoryPeakBytes), "memory_limit": .integer(self.memoryLimitBytes),
            "round_trips_peak": .integer(self.roundTripsPeak),
            "arrivals_planned": .integer(self.arrivalsPlanned),
            "arrivals_not_started": .integer(self.arrivalsNotStarted),
        ]
    }

    /// The verdict in the file is for people; it is made anew from the figures.
    init(_ fields: ResultFields) throws(LoadResultError) {
        self.init(
            lateness: try fields.histogram("lateness", .threeDigits),
            stalls: try fields.histogram("stalls", .threeDigits),
            processor: try fields.histogram("processor", .threeDigits),
            scriptMicroseconds: try fields.integer("script_us"),
            collectionMicroseconds: try fields.integer("collection_us"),
            memoryPeakBytes: try fields.integer("memory_peak"), memoryLimitBytes: try fields.integer("memory_limit"),
            roundTripsPeak: fields.has("round_trips_peak") ? try fields.integer("round_trips_peak") : 0,
            arrivalsPlanned: try fields.integer("arrivals_planned"),
            arrivalsNotStarted: try fields.integer("arrivals_not_started"))
    }
}

extension ShardResult.Ending {
    var json: JSONValue {
        switch self {
        case .finished: ["kind": "finished"]
        case .interrupted: ["kind": "interrupted"]
        case .aborted(let reason): ["kind": "aborted", "reason": .string(reason)]
        case .unfinished: ["kind": "unfinished"]
        }
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        switch try fields.string("kind") {
        case "finished": self = .finished
        case "interrupted": self = .interrupted
        case "aborted": self = .aborted(try fields.string("reason"))
        case "unfinished": self = .unfinished
        default: throw fields.error("kind", "one of finished, interrupted, aborted, unfinished is expected")
        }
    }
}

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

extension FailureCause {
    var json: JSONValue {
        [
            "kind": .string(self.kind), "error": .bool(self.isError), "message": .string(self.message),
            "detail": .string(self.detail), "place": self.place.map { .string($0) } ?? .null,
            "limit": self.limit.map { .string($0) } ?? .null, "count": .integer(self.count),
            "user": self.user.map { .integer($0) } ?? .null, "first_us": .integer(self.firstMicroseconds),
            "last_us": .integer(self.lastMicroseconds),
        ]
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        let first = try fields.integer("first_us")
        // Results that were written before these members were thought of lack them.
        self.init(
            kind: try fields.string("kind"), isError: fields.has("error") ? try fields.bool("error") : false,
            message: try fields.string("message"), detail: try fields.string("detail"),
            place: fields.has("place") ? try fields.string("place") : nil,
            limit: fields.has("limit") ? try fields.string("limit") : nil, count: try fields.integer("count"),
            user: fields.has("user") ? try fields.integer("user") : nil, firstMicroseconds: first,
            lastMicroseconds: fields.has("last_us") ? try fields.integer("last_us") : first)
    }
}
