internal import JSON

extension Ledger {
    var json: JSONValue {
        let rows = self.streams.sorted { $0.key < $1.key }.map { key, stream -> JSONValue in
            let numbers =
                [
                    Int64(key.sender), Int64(key.channel), stream.sent, stream.expected, stream.delivered,
                    stream.duplicated, stream.reordered, stream.misdelivered,
                ] + (stream.excused > 0 ? [stream.excused] : [])
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
        let unacknowledged = self.unacknowledged.worst
        if !unacknowledged.isEmpty {
            members["unacknowledged"] = .array(
                unacknowledged.map { [.integer(Int64($0.user)), .integer($0.count)] })
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
                reordered: numbers[6], misdelivered: numbers[7], excused: numbers.count == 9 ? numbers[8] : 0)
            guard streams.updateValue(stream, forKey: StreamKey(sender: sender, channel: channel)) == nil else {
                throw fields.error("streams[\(place)]", "this sender and channel are there twice")
            }
        }
        self.init(
            run: run, streams: streams, foreign: try fields.integer("foreign"), overdue: try Self.overdue(fields),
            unacknowledged: try Self.unacknowledged(fields))
    }

    /// Reads whose texts were not acknowledged. Results in which all were, and earlier ones, lack it.
    private static func unacknowledged(_ fields: ResultFields) throws(LoadResultError) -> UnacknowledgedTexts {
        var counts: [UInt32: Int64] = [:]
        guard fields.has("unacknowledged") else { return UnacknowledgedTexts() }
        for (place, row) in try fields.array("unacknowledged").enumerated() {
            let numbers = (row.array ?? []).compactMap(\.integer).filter(ResultFields.counts.contains)
            guard numbers.count == 2, row.array?.count == 2, let user = UInt32(exactly: numbers[0]),
                counts.updateValue(numbers[1], forKey: user) == nil
            else {
                throw fields.error(
                    "unacknowledged[\(place)]",
                    "two whole numbers from 0 to \(ResultFields.counts.upperBound) are expected, the user once")
            }
        }
        return UnacknowledgedTexts(counts)
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
