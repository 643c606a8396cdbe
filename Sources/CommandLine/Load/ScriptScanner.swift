import Metrics

/// Finds in the text of a script what has to be known before it runs: the metrics that it measures itself, so that
/// thresholds can name them, and servers that all users share.
///
/// It reads the text and not what runs: a name that is made up as the script goes is not found.
enum ScriptScanner {
    /// Returns the metrics that are named in calls such as `metric.time("think", …)` or `metric.count "retries"`.
    static func metrics(in source: String) -> [Metric] {
        source.matches(of: /\bmetric\.(count|gauge|rate|value|time)\s*(?:\(\s*)?["']([A-Za-z][A-Za-z0-9_]*)["']/).map {
            let name = String($0.output.2)
            return switch $0.output.1 {
            case "count": Metric(name, .counter, unit: .number)
            case "gauge": Metric(name, .gauge, unit: .number)
            case "rate": Metric(name, .rate)
            case "time": Metric(name, .trend, unit: .microseconds)
            default: Metric(name, .trend, unit: .number)
            }
        }
    }

    /// Returns whether a script declares a server that all users share, which only users of one thread can reach.
    static func hasSharedServer(in source: String) -> Bool { source.contains(/\bshared\s*=\s*true\b/) }
}
