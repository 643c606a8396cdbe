internal import Machines

/// Reads a threshold and checks that its parts go together.
struct ThresholdParser {
    private var tokens: ThresholdTokens
    private let metrics: [Metric]
    private let phases: [String]

    /// The figures of the ledger are counters like others, but only of the whole run.
    private static let ledgerNames = DeliveryAccount.figures.map(\.name)

    private struct Bound {
        let value: Double
        let unit: String?
        let column: Int
    }

    private init(_ text: String, metrics: [Metric], phases: [String]) throws(ThresholdError) {
        self.tokens = try ThresholdTokens(text)
        self.metrics = metrics
        self.phases = phases
    }

    static func parse(_ text: String, metrics: [Metric], phases: [String]) throws(ThresholdError) -> Threshold {
        var parser = try ThresholdParser(text, metrics: metrics, phases: phases)
        return try parser.parse()
    }

    private mutating func parse() throws(ThresholdError) -> Threshold {
        let functionColumn = self.tokens.column
        let function = try self.readFunction()
        try self.expect("(", "a metric in parentheses is expected after the function, as in p99(delivery)")
        let metricColumn = self.tokens.column
        let metric = try self.readMetric()
        let tags = try self.readTags()
        try self.expect(")", "a closing parenthesis is expected after the metric")
        try self.check(function, metric, functionColumn: functionColumn, tags: tags, metricColumn: metricColumn)
        let isAgainstBaseline = self.tokens.take("vs")
        if isAgainstBaseline {
            try self.expect("baseline", "only vs baseline is known")
            guard !self.isOnlyLedger(metric) else {
                throw self.tokens.error(
                    "what became of texts is not compared with a baseline; say how many may be, as in count(lost) == 0",
                    at: metricColumn)
            }
        }
        let comparatorColumn = self.tokens.column
        guard let sign = self.tokens.take(.sign), let comparator = Threshold.Comparator(rawValue: sign.text) else {
            throw self.tokens.error("a comparison is expected: < <= > >= == or !=", at: comparatorColumn)
        }
        let bound = try self.readBound()
        let value =
            isAgainstBaseline
            ? try self.relative(bound) : try self.absolute(bound, function: function, metric: metric)
        var scope = Scope()
        while self.tokens.next != nil { try self.readScope(&scope, isLedger: self.isLedger(metric)) }
        if isAgainstBaseline, scope.window != .whole {
            throw self.tokens.error("a baseline is compared as a whole or during a phase, not by windows", at: 0)
        }
        if scope.abortAfter != nil, [.count, .sum].contains(function),
            [.above, .atLeast, .different].contains(comparator)
        {
            throw self.tokens.error(
                "such a number is reached only as the run goes on, so it cannot abort it; take abort away", at: 0)
        }
        return Threshold(
            text: self.tokens.text, function: function, metric: metric.name, tags: tags, comparator: comparator,
            bound: value, isAgainstBaseline: isAgainstBaseline, phase: scope.phase, window: scope.window,
            abortAfter: scope.abortAfter)
    }

    private mutating func expect(_ text: String, _ message: String) throws(ThresholdError) {
        guard self.tokens.take(text) else { throw self.tokens.error(message) }
    }

    private func isLedger(_ metric: Metric) -> Bool { Self.ledgerNames.contains(metric.name) }

    /// Whether nothing measures a metric by the second that the ledger counts.
    private func isOnlyLedger(_ metric: Metric) -> Bool {
        self.isLedger(metric) && !self.metrics.contains { $0.name == metric.name }
    }

    // MARK: Function and metric

    private static let functions: [String: Threshold.Function] = [
        "min": .minimum, "max": .maximum, "mean": .mean, "avg": .mean, "median": .percentile(50), "count": .count,
        "sum": .sum, "rate": .rate, "last": .last,
    ]

    private mutating func readFunction() throws(ThresholdError) -> Threshold.Function {
        let column = self.tokens.column
        guard let word = self.tokens.take(.word) else {
            throw self.tokens.error("a function is expected, as in p99(delivery) < 200ms or count(lost) == 0")
        }
        if let function = Self.functions[word.text] { return function }
        if word.text.hasPrefix("p"), let percentile = Self.percentile(word.text.dropFirst()) {
            guard (0...100).contains(percentile) else {
                throw self.tokens.error("a percentile is from p0 to p100", at: column)
            }
            return .percentile(percentile)
        }
        let hint = Self.hint(word.text, among: Self.functions.keys.sorted() + ["p50", "p95", "p99"])
        throw self.tokens.error(
            "there is no function \"\(word.text)\"\(hint ?? "; use p99, min, max, mean, count, sum, rate or last")",
            at: column)
    }

    /// Reads digits that may have a dot; of other ways to write a number `p0x99` would be another percentile than p99.
    private static func percentile(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") } ? Double(text) : nil
    }

    private static func hint(_ word: String, among known: [String]) -> String? {
        TextDistance.suggestion(for: word, among: known).map { "; did you mean \"\($0)\"?" }
    }

    private mutating func readMetric() throws(ThresholdError) -> Metric {
        let column = self.tokens.column
        guard let name = (self.tokens.take(.word) ?? self.tokens.take(.quoted))?.text else {
            throw self.tokens.error("the name of a metric is expected")
        }
        if let metric = self.metrics.first(where: { $0.name == name }) { return metric }
        if Self.ledgerNames.contains(name) { return Metric(name, .counter) }
        // A metric and a count of the ledger may share a name.
        let known = Set(self.metrics.map(\.name)).union(Self.ledgerNames).sorted()
        let all = "; there are " + known.joined(separator: ", ")
        throw self.tokens.error("there is no metric \"\(name)\"" + (Self.hint(name, among: known) ?? all), at: column)
    }

    private mutating func readTags() throws(ThresholdError) -> [Tag] {
        var tags: [Tag] = []
        guard self.tokens.take("{") else { return tags }
        repeat {
            guard let name = self.tokens.take(.word) ?? self.tokens.take(.quoted), self.tokens.take("="),
                let value = self.tokens.take(.word) ?? self.tokens.take(.number) ?? self.tokens.take(.quoted)
            else { throw self.tokens.error("tags are written as {role=agent, room=\"the first\"}") }
            tags.append(Tag(name.text, value.text))
        } while self.tokens.take(",")
        try self.expect("}", "a closing brace is expected after the tags")
        return tags
    }

    private func check(
        _ function: Threshold.Function, _ metric: Metric, functionColumn: Int, tags: [Tag], metricColumn: Int
    ) throws(ThresholdError) {
        if self.isLedger(metric), !tags.isEmpty {
            throw self.tokens.error("the ledger counts all messages together; take the tags away", at: metricColumn)
        }
        if function == .rate, self.isOnlyLedger(metric) {
            throw self.tokens.error(
                "what became of texts is counted over the whole run and has no rate; use count(\(metric.name)), or "
                    + "rate(delivery) for how many come in a second", at: functionColumn)
        }
        let fits =
            switch (function, metric.kind) {
            case (.percentile, .trend), (.minimum, .trend), (.maximum, .trend), (.mean, .trend): true
            case (.minimum, .gauge), (.maximum, .gauge), (.mean, .gauge), (.last, .gauge): true
            case (.count, .trend), (.count, .counter), (.count, .rate): true
            case (.sum, .trend), (.sum, .counter), (.rate, .trend), (.rate, .counter), (.rate, .rate): true
            default: false
            }
        guard !fits else { return }
        let possible =
            switch metric.kind {
            case .trend: "p99, min, max, mean, count, sum and rate"
            case .gauge: "min, max, mean and last"
            case .counter: "count, sum and rate"
            case .rate: "rate and count"
            }
        throw self.tokens.error(
            "\"\(metric.name)\" is a \(metric.kind.rawValue), which has \(possible)", at: functionColumn)
    }
}

extension ThresholdParser {
    // MARK: Bounds

    private mutating func readBound() throws(ThresholdError) -> Bound {
        let column = self.tokens.column
        let isNegative = self.tokens.take("-")
        if !isNegative { _ = self.tokens.take("+") }
        guard let number = self.tokens.take(.number), let value = Double(number.text) else {
            throw self.tokens.error("a number is expected, such as 200ms, 1% or 0", at: column)
        }
        var unit: String?
        if self.tokens.take("%") {
            unit = "%"
        } else if self.tokens.take("/") {
            guard self.tokens.take("s") else { throw self.tokens.error("a speed is per second, as in 50/s") }
            unit = "/s"
        } else if self.tokens.isAttached, let word = self.tokens.take(.word) {
            unit = word.text
            if self.tokens.take("/") {
                guard self.tokens.take("s") else { throw self.tokens.error("a speed is per second, as in 5MB/s") }
                unit = "\(word.text)/s"
            }
        }
        return Bound(value: isNegative ? -value : value, unit: unit, column: column)
    }

    private func relative(_ bound: Bound) throws(ThresholdError) -> Double {
        guard bound.unit == "%" else {
            throw self.tokens.error(
                "against a baseline the bound is a change in percent, such as +5%", at: bound.column)
        }
        return bound.value / 100
    }

    private static let durations: [String: Double] = ["us": 1, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3_600e6]
    private static let sizes: [String: Double] = ["B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9]
    private static let speeds: [String: Double] = ["/s": 1, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9]

    private func absolute(_ bound: Bound, function: Threshold.Function, metric: Metric) throws(ThresholdError)
        -> Double
    {
        func wrong(_ what: String) -> ThresholdError {
            self.tokens.error("the bound is \(what)", at: bound.column)
        }
        switch (function, metric.kind, metric.unit) {
        case (.rate, .rate, _):
            let share = bound.unit == "%" ? bound.value / 100 : bound.value
            guard bound.unit == "%" || bound.unit == nil, (0...1).contains(share) else {
                throw wrong("a share, such as 1% or 0.01")
            }
            return share
        case (.rate, .counter, .bytes):
            guard let factor = Self.speeds[bound.unit ?? "/s"] else {
                throw wrong("a size per second, such as 5MB/s; units are B/s, kB/s, MB/s and GB/s")
            }
            return bound.value * factor
        case (.rate, _, _):
            guard bound.unit == "/s" || bound.unit == nil else { throw wrong("a number per second, such as 50/s") }
            return bound.value
        case (.count, .counter, .bytes): return try self.size(bound)
        case (.count, _, _):
            guard bound.unit == nil else { throw wrong("a plain number, such as 0") }
            return bound.value
        case (_, _, .microseconds):
            guard let factor = bound.unit.flatMap({ Self.durations[$0] }) else {
                throw wrong("a time with its unit, such as 200ms; units are us, ms, s, m and h")
            }
            return bound.value * factor
        case (_, _, .bytes): return try self.size(bound)
        case (_, _, .count), (_, _, .number):
            guard bound.unit == nil else { throw wrong("a plain number, such as 10") }
            return bound.value
        }
    }

    private func size(_ bound: Bound) throws(ThresholdError) -> Double {
        guard let factor = Self.sizes[bound.unit ?? "B"] else {
            throw self.tokens.error(
                "the bound is a size, such as 64kB; units are B, kB, MB and GB", at: bound.column)
        }
        return bound.value * factor
    }

    // MARK: Scopes

    private struct Scope {
        var phase: String?
        var window = Threshold.Window.whole
        var abortAfter: Int64?
    }

    private mutating func readDuration() throws(ThresholdError) -> Int64 {
        let column = self.tokens.column
        guard let number = self.tokens.take(.number), let value = Double(number.text),
            let factor = self.tokens.take(.word).flatMap({ Self.durations[$0.text] }),
            value * factor < Double(Precision.highestValue)
        else { throw self.tokens.error("a time with its unit is expected, such as 30s", at: column) }
        return Int64(value * factor)
    }

    private mutating func readWindow() throws(ThresholdError) -> Int64 {
        let column = self.tokens.column
        let length = try self.readDuration()
        guard length >= 1_000_000 else {
            throw self.tokens.error("a window is at least 1s long, for figures are kept by the second", at: column)
        }
        return length
    }

    private mutating func readScope(_ scope: inout Scope, isLedger: Bool) throws(ThresholdError) {
        let column = self.tokens.column
        let previous = scope
        if self.tokens.take("abort") {
            scope.abortAfter = self.tokens.take("after") ? try self.readDuration() : 0
            guard previous.abortAfter == nil else { throw self.tokens.error("abort is there twice", at: column) }
            return
        }
        if self.tokens.take("during") {
            let nameColumn = self.tokens.column
            guard let name = (self.tokens.take(.quoted) ?? self.tokens.take(.word))?.text else {
                throw self.tokens.error("the name of a phase is expected, as in during \"steady\"")
            }
            guard self.phases.contains(name) else {
                let all =
                    self.phases.isEmpty ? "; this run has none" : "; there are " + self.phases.joined(separator: ", ")
                throw self.tokens.error(
                    "there is no phase \"\(name)\"" + (Self.hint(name, among: self.phases) ?? all), at: nameColumn)
            }
            scope.phase = name
            guard previous.phase == nil else { throw self.tokens.error("one phase only", at: column) }
        } else if self.tokens.take("over") {
            try self.expect("last", "over is followed by last and a time, as in over last 30s")
            scope.window = .last(try self.readWindow())
        } else if self.tokens.take("every") {
            scope.window = .every(try self.readWindow())
            try self.expect("window", "every is followed by a time and window, as in every 10s window")
        } else {
            throw self.tokens.error(
                "after the bound may come: during \"phase\", over last 30s, every 10s window, abort, abort after 30s")
        }
        if scope.window != previous.window, previous.window != .whole {
            throw self.tokens.error("one window only", at: column)
        }
        if isLedger {
            throw self.tokens.error("the ledger counts the whole run; only abort may follow the bound", at: column)
        }
    }
}

extension Threshold {
    /// Reads thresholds and checks them against what the run will measure.
    ///
    /// - Parameters:
    ///   - texts: As they are written.
    ///   - metrics: All that the run can measure; the figures of the ledger are known without.
    ///   - phases: The names of the run's phases.
    /// - Returns: The thresholds, and all that is wrong with the others at once.
    public static func parse(
        _ texts: [String], metrics: [Metric], phases: [String]
    ) -> (thresholds: [Threshold], errors: [ThresholdError]) {
        var thresholds: [Threshold] = []
        var errors: [ThresholdError] = []
        for text in texts {
            do {
                thresholds.append(try ThresholdParser.parse(text, metrics: metrics, phases: phases))
            } catch {
                errors.append(error)
            }
        }
        return (thresholds, errors)
    }
}
