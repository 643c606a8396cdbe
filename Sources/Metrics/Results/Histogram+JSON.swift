internal import JSON

/// A histogram in a result file: `null` if it is empty, otherwise the exact figures and the V2 encoding of its counts.
///
/// Numbers of scripts have decimals, and the counts of those below zero in `below`, by their size.
extension Histogram {
    var json: JSONValue {
        if let numbers = self.numbers {
            return [
                "count": .integer(self.count), "sum": .number(numbers.total), "min": .number(numbers.least),
                "max": .number(numbers.greatest), "below": .string(self.below.base64), "counts": .string(self.base64),
            ]
        }
        guard let minimum = self.minimum, let maximum = self.maximum else { return .null }
        return [
            "count": .integer(self.count), "sum": .integer(self.sum), "min": .integer(minimum),
            "max": .integer(maximum), "negative": .integer(self.negativeCount), "counts": .string(self.base64),
        ]
    }

    /// The same in a row, as the many intervals of a timeline have it; counts are not compressed, for they are few.
    var row: [JSONValue] {
        if let numbers = self.numbers {
            return [
                .number(numbers.total), .number(numbers.least), .number(numbers.greatest),
                .string(self.below.plainBase64), .string(self.plainBase64),
            ]
        }
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
        if fields.has("below") {
            try self.init(
                counts: try fields.string("counts"), below: try fields.string("below"), precision,
                total: try fields.double("sum"), least: try fields.double("min"), greatest: try fields.double("max"),
                path: path)
            return
        }
        try self.init(
            counts: try fields.string("counts"), precision, sum: try fields.sum("sum"),
            minimum: try fields.integer("min"), maximum: try fields.integer("max"),
            negatives: try fields.integer("negative"), path: path)
        guard self.count == (try fields.integer("count")) else {
            throw fields.error("count", "it is not what the counts add up to; is the file damaged?")
        }
    }

    init(row: ArraySlice<JSONValue>, _ precision: Precision, path: String) throws(LoadResultError) {
        if row.count == 5, let below = row[row.startIndex + 3].string, let counts = row.last?.string {
            let figures = row.prefix(3).compactMap(\.double)
            guard figures.count == 3 else { throw LoadResultError("\(path): sum, min and max are expected") }
            try self.init(
                counts: counts, below: below, precision, total: figures[0], least: figures[1], greatest: figures[2],
                path: path)
            return
        }
        let numbers = row.prefix(4).compactMap(\.integer)
        guard row.count == 5, numbers.count == 4, let counts = row.last?.string else {
            throw LoadResultError("\(path): sum, min, max, negative and counts are expected")
        }
        try self.init(
            counts: counts, precision, sum: numbers[0], minimum: numbers[1], maximum: numbers[2],
            negatives: numbers[3], path: path)
    }

    /// The numbers below zero as a histogram of their sizes.
    private var below: Histogram {
        let entries = (self.numbers?.below.entries ?? []).map { (slot: $0.slot, count: Int64(clamping: $0.count)) }
        return Histogram(self.precision, entries: entries) ?? Histogram(self.precision)
    }

    private init(
        counts: String, below: String, _ precision: Precision, total: Double, least: Double, greatest: Double,
        path: String
    ) throws(LoadResultError) {
        let (positives, negatives): (Histogram, Histogram)
        do {
            positives = try Histogram(base64: counts)
            negatives = try Histogram(base64: below)
        } catch {
            throw LoadResultError("\(path): \(error.message)")
        }
        guard positives.precision == precision, negatives.precision == precision else {
            throw LoadResultError("\(path): \(precision.significantDigits) digits are expected")
        }
        let numbers = NumberFigures(below: negatives.counts, total: total, least: least, greatest: greatest)
        guard let histogram = Histogram(positives, numbers: numbers, belowCount: negatives.count) else {
            throw LoadResultError("\(path): sum, min or max do not fit the counts; is the file damaged?")
        }
        self = histogram
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

extension JSONValue {
    /// A number as short as it is: without decimals where it has none.
    static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map { .integer($0) } ?? .double(value)
    }
}
