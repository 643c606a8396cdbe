internal import JSON

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
