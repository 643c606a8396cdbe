import Metrics

/// Finds in the text of a script what has to be known before it runs: the metrics that it measures itself, so that
/// thresholds can name them, and how many actors it has, so that their connections can be reckoned with.
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

    /// Returns in how many places a script makes an actor.
    static func actorCount(in source: String) -> Int { source.matches(of: /\w:actor\b/).count }
}
