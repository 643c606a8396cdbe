internal import JSON

/// The file of a load result, version 1. Times ending in `_us` are microseconds since the start of the run.
///
/// ```
/// { "format": "repartee.load", "version": 1,
///   "plan":   { "run", "seed" (decimal text), "plan_hash", "title", "shards", "cores", "clock", "target", "replay",
///               "phases": [{ "name", "start_us", "is_counted"? }], "thresholds": [text] },
///   "shards": [{ "index" (from 1), "started_at", "duration_us", "ending": { "kind", "reason" },
///                "metrics": [{ "name", "kind", "unit", "combination" }],
///                "series":  [{ "metric", "tags", "phases": [histogram or null],
///                              "timeline": { "interval_seconds",
///                                            "intervals": [[index, level, sum, min, max, negative, counts]] } }],
///                "ledger":  { "run", "foreign",
///                             "streams": [[sender, channel, sent, expected, delivered, duplicated, reordered,
///                                          misdelivered, excused?]] },
///                "health":  { "verdict", "reasons", "lateness", "stalls", "processor", … },
///                "calibration": { "round_trips", "processor_us", … },
///                "annotations": [{ "start_us", "end_us", "label" }],
///                "causes":  [{ "kind", "message", "count", … }],
///                "skips":   [{ "reason", "count" }], "warning" }] }
/// ```
///
/// A histogram is `{ "count", "sum", "min", "max", "negative", "counts" }`; `counts` is HdrHistogram's V2 encoding in
/// base64, with 3 digits in phases and 2 in intervals. Of numbers that scripts measure (the unit `number`) sum, min and
/// max have decimals, and `below` instead of `negative` has the counts of those below zero, by their size. Readers of
/// version 1 ignore members that they do not know.
extension LoadResult {
    private static let format = "repartee.load"
    private static let version: Int64 = 1

    /// The result as the text of a file.
    ///
    /// It is written piece by piece: of a run of an hour, the same as one value takes ten times the memory of the text,
    /// and what the run has come to is written every few seconds.
    public var text: [UInt8] {
        let identity: JSONValue = [
            "run": .string(self.identity.runID), "seed": .string(String(self.identity.seed)),
            "plan_hash": .string(self.identity.planHash), "title": .string(self.identity.title),
            "shards": .integer(Int64(self.identity.shardCount)), "cores": .integer(Int64(self.identity.cores)),
            "phases": .array(
                self.identity.phases.list.map { phase -> JSONValue in
                    let begin: JSONObject = [
                        "name": .string(phase.name), "start_us": .integer(phase.startMicroseconds),
                    ]
                    return .object(phase.isCounted ? begin : begin.merging(["is_counted": .bool(false)]))
                }),
            "thresholds": .array(self.identity.thresholds.map { .string($0) }),
            "clock": self.identity.isVirtual ? "virtual" : "real", "target": .string(self.identity.target),
            "replay": self.identity.replay.map { .string($0) } ?? .null,
        ]
        var writer = JSONWriter()
        writer.appendObject(
            ["format": .string(Self.format), "version": .integer(Self.version), "plan": identity],
            [
                "shards": { writer in
                    writer.appendArray(self.shards.sorted { $0.key < $1.key }) { shard, writer in
                        shard.value.write(index: shard.key, to: &writer)
                    }
                }
            ])
        return writer.bytes + [0x0A]
    }

    /// Reads the text of a file, without the byte order mark that editors and shells put before it.
    ///
    /// - Throws: ``LoadResultError`` with the place in the file and what is expected there.
    public init(_ text: some Collection<UInt8>) throws(LoadResultError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...])
        } catch {
            throw LoadResultError("this is no JSON (\(error)); was the run killed while it wrote?")
        }
        let fields = try ResultFields(value, "result")
        guard fields.has("format"), try fields.string("format") == Self.format else {
            throw LoadResultError("this is no load result; give the file that repartee load has written")
        }
        guard try fields.integer("version") == Self.version else {
            throw LoadResultError(
                "the file is of version \(try fields.integer("version")) and this program reads \(Self.version); use the "
                    + "program that wrote it")
        }
        let identity = try RunIdentity(try fields.object("plan"))
        var shards: [Int: ShardResult] = [:]
        for members in try fields.objects("shards") {
            let index = Int(clamping: try members.integer("index"))
            let shard = try ShardResult(members, phases: identity.phases)
            guard shards.updateValue(shard, forKey: index) == nil else {
                throw members.error("index", "shard \(index) is there twice")
            }
        }
        try self.init(identity: identity, shards: shards)
    }
}

extension RunIdentity {
    /// More shards than any engine starts; it bounds what a damaged file can make a program do.
    private static let shardLimit: Int64 = 1_000_000

    init(_ fields: ResultFields) throws(LoadResultError) {
        guard let seed = UInt64(try fields.string("seed")) else { throw fields.error("seed", "a number is expected") }
        let count = try fields.integer("shards")
        guard (1...Self.shardLimit).contains(count) else {
            throw fields.error("shards", "a number from 1 to \(Self.shardLimit) is expected")
        }
        let cores = fields.has("cores") ? try fields.integer("cores") : 1
        guard cores >= 1, count % cores == 0 else {
            throw fields.error("cores", "a number that divides \(count), the number of shards, is expected")
        }
        var phases: [Phases.Phase] = []
        for members in try fields.objects("phases") {
            phases.append(
                Phases.Phase(
                    try members.string("name"), startMicroseconds: try members.integer("start_us"),
                    isCounted: members.has("is_counted") ? try members.bool("is_counted") : true))
        }
        self.init(
            runID: try fields.string("run"), seed: seed, planHash: try fields.string("plan_hash"),
            title: try fields.string("title"), shardCount: Int(count), cores: Int(cores), phases: Phases(phases),
            thresholds: try fields.texts("thresholds"),
            isVirtual: fields.has("clock") ? try fields.string("clock") == "virtual" : false,
            target: fields.has("target") ? try fields.string("target") : "unknown",
            replay: fields.has("replay") ? try fields.string("replay") : nil)
    }
}
