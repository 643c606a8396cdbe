import JSON
import Machines

extension ThinkTime {
    /// The names by which scripts choose a distribution.
    enum Name: String, CaseIterable {
        case constant, uniform, normal, exponential, lognormal, pareto, gamma
    }

    /// Reads a think time: a duration, or a table with a distribution and its parameters.
    ///
    /// - Returns: Nil if it is wrong, which is reported.
    init?(_ value: JSONValue, path: String, problems: ProblemCollector) {
        if value.object == nil {
            let reader = TableReader([:], path: path, known: [], problems: problems)
            guard let time = reader?.duration(value, at: path) else { return nil }
            self.init(.constant(time.seconds), least: time, most: time)
            return
        }
        let name = value["distribution"]?.string.flatMap(Name.init(rawValue:))
        let parameters: [String] =
            switch name {
            case .constant: ["value"]
            case .uniform: []
            case .normal, .lognormal: ["mean", "deviation"]
            case .exponential: ["mean"]
            case .pareto: ["least", "exponent"]
            case .gamma: ["mean", "exponent"]
            case nil: ["value", "mean", "deviation", "least", "exponent"]
            }
        guard
            let reader = TableReader(
                value, path: path, known: ["distribution"] + parameters + ["min", "max"], problems: problems)
        else { return nil }
        guard reader.required("distribution", example: "\"exponential\"") != nil,
            let name = reader.choice("distribution", of: Name.self)
        else { return nil }
        let least = reader.optionalDuration("min")
        let most = reader.optionalDuration("max")
        guard let distribution = Self.distribution(name, reader, least: least, most: most) else { return nil }
        let bounds = (least: least ?? .zero, most: most ?? max(.seconds(3600), least ?? .zero))
        guard bounds.least <= bounds.most else {
            problems.add(reader.path("max"), "is below min; write max = \"\(bounds.least.scriptText)\" or more")
            return nil
        }
        self.init(distribution, least: bounds.least, most: bounds.most)
    }

    private static func distribution(
        _ name: Name, _ reader: TableReader, least: Duration?, most: Duration?
    ) -> Distribution? {
        switch name {
        case .constant:
            return reader.duration("value").map { .constant($0.seconds) }
        case .uniform:
            _ = reader.required("min", example: "\"1s\"")
            _ = reader.required("max", example: "\"5s\"")
            guard let least, let most else { return nil }
            return .uniform(from: least.seconds, to: most.seconds)
        case .normal:
            let mean = reader.duration("mean")
            let deviation = reader.duration("deviation", example: "\"2s\"")
            guard let mean, let deviation else { return nil }
            return .normal(mean: mean.seconds, deviation: deviation.seconds)
        case .lognormal:
            let mean = reader.duration("mean", .aboveZero)
            let deviation = reader.duration("deviation", example: "\"2s\"")
            guard let mean, let deviation else { return nil }
            return .lognormal(mean: mean.seconds, deviation: deviation.seconds)
        case .exponential:
            return reader.duration("mean").map { .exponential(mean: $0.seconds) }
        case .pareto:
            let least = reader.duration("least", .aboveZero, example: "\"1s\"")
            let exponent = reader.number("exponent", in: 0.01...1000, example: "1.5")
            guard let least, let exponent else { return nil }
            return .pareto(least: least.seconds, exponent: exponent)
        case .gamma:
            let mean = reader.duration("mean")
            let exponent = reader.number("exponent", in: 0.01...1000, example: "2")
            guard let mean, let exponent else { return nil }
            return .gamma(mean: mean.seconds, exponent: exponent)
        }
    }
}
