internal import JSON

/// A histogram in a result file: `null` if it is empty, otherwise the exact figures and the V2 encoding of its counts.
extension Histogram {
    var json: JSONValue {
        guard let minimum = self.minimum, let maximum = self.maximum else { return .null }
        return [
            "count": .integer(self.count), "sum": .integer(self.sum), "min": .integer(minimum),
            "max": .integer(maximum), "negative": .integer(self.negativeCount), "counts": .string(self.base64),
        ]
    }

    /// The same in a row, as the many intervals of a timeline have it; counts are not compressed, for they are few.
    var row: [JSONValue] {
        guard let minimum = self.minimum, let maximum = self.maximum else { return [] }
        return [
            .integer(self.sum), .integer(minimum), .integer(maximum), .integer(self.negativeCount),
            .string(self.plainBase64),
        ]
    }

    init(json: JSONValue, _ precision: Precision, path: String) throws(LoadResultError) {
        if json.isNull {
            self.init(precision)
            return
        }
        let fields = try ResultFields(json, path)
        try self.init(
            counts: try fields.string("counts"), precision, sum: try fields.integer("sum"),
            minimum: try fields.integer("min"), maximum: try fields.integer("max"),
            negatives: try fields.integer("negative"), path: path)
        guard self.count == (try fields.integer("count")) else {
            throw fields.error("count", "it is not what the counts add up to; is the file damaged?")
        }
    }

    init(row: ArraySlice<JSONValue>, _ precision: Precision, path: String) throws(LoadResultError) {
        let numbers = row.prefix(4).compactMap(\.integer)
        guard row.count == 5, numbers.count == 4, let counts = row.last?.string else {
            throw LoadResultError("\(path): sum, min, max, negative and counts are expected")
        }
        try self.init(
            counts: counts, precision, sum: numbers[0], minimum: numbers[1], maximum: numbers[2],
            negatives: numbers[3], path: path)
    }

    private init(
        counts: String, _ precision: Precision, sum: Int64, minimum: Int64, maximum: Int64, negatives: Int64,
        path: String
    ) throws(LoadResultError) {
        do {
            try self.init(base64: counts)
        } catch {
            throw LoadResultError("\(path): \(error.message)")
        }
        guard self.precision == precision else {
            throw LoadResultError("\(path): \(precision.significantDigits) digits are expected")
        }
        guard self.refine(sum: sum, minimum: minimum, maximum: maximum, negatives: negatives) else {
            throw LoadResultError("\(path): sum, min or max do not fit the counts; is the file damaged?")
        }
    }
}
