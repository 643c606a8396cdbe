import JSON
import LuaRuntime
import Machines

/// Numbers of a load test that scripts measure: `metric`.
enum MetricLibrary {
    /// However many numbers of this size are added up, their sum is a number.
    private static let greatest = 1e100

    /// The functions of `metric`.
    static var functions: [HostFunction] {
        let mark = HostFunction("metric.mark", parameters: ["label"]) { (call) throws(HostError) in
            let (execution, label) = (try call.script().playing("metric.mark"), try call.string(1))
            try NameSpellings.require(label, in: "metric.mark")
            execution.observer?.marks(label, at: execution.worker.poolNow)
            return .returns
        }
        return [
            mark,
            function("count", ["name", "count", "tags"], .count) { (call) throws(HostError) in
                let count = call.isNil(2) ? 1 : try call.number(2)
                guard count >= 0 else {
                    throw HostError.argument(
                        "metric.count only counts up; use metric.gauge for what goes down and metric.value for what may be "
                            + "below zero")
                }
                return count
            },
            function("gauge", ["name", "level", "tags"], .gauge) { (call) throws(HostError) in try call.number(2) },
            function("rate", ["name", "is_hit", "tags"], .rate) { (call) throws(HostError) in
                // What is not there, such as the field of an answer, is a miss.
                guard call.count >= 2, call.isNil(2) else { return try call.boolean(2) ? 1 : 0 }
                return 0
            },
            function("value", ["name", "value", "tags"], .value) { (call) throws(HostError) in try call.number(2) },
            function("time", ["name", "duration", "tags"], .duration) { (call) throws(HostError) in
                guard let duration = ArgumentChecker.duration(try call.json(2)) else {
                    throw HostError.argument("metric.time takes a duration such as \"250ms\" or a number of seconds")
                }
                return duration.scriptSeconds
            },
        ]
    }

    /// Returns a function that takes in a number of one kind.
    ///
    /// - Parameters:
    ///   - parameters: The name of the metric, its number and its tags, as scripts know them.
    ///   - value: Reads the number.
    private static func function(
        _ name: String, _ parameters: [String], _ kind: ScriptSample.Kind,
        _ value: @escaping (borrowing LuaCall) throws(HostError) -> Double
    ) -> HostFunction {
        HostFunction("metric.\(name)", parameters: parameters) { (call) throws(HostError) in
            let script = try call.script()
            let execution = try script.playing("metric.\(name)")
            let metric = try call.string(1)
            guard ScriptSample.isName(metric) else {
                throw HostError.argument(
                    "a metric's name has letters, digits and _ and starts with a letter, unlike \"\(metric)\"")
            }
            let value = try value(call)
            guard value.magnitude <= Self.greatest else {
                throw HostError.argument(
                    "metric.\(name) takes a number from -\(Self.greatest) to \(Self.greatest), not \(value); measure "
                        + "in a larger unit")
            }
            var tags: [(String, String)] = []
            for (tag, value) in call.isNil(3) ? [:] : try call.object(3) {
                try NameSpellings.require(tag, in: "metric.\(name): a tag")
                guard let text = value.scalarText else {
                    throw HostError.argument(
                        "metric.\(name): the tag \(tag) is a text, a number, true or false, not \(value)")
                }
                tags.append((tag, text))
            }
            let sample = ScriptSample(name: metric, kind: kind, value: value, tags: tags)
            if let refusal = execution.observer?.measures(sample, at: execution.worker.poolNow) {
                throw HostError.usage("metric.\(name): \(refusal)")
            }
            return .returns
        }
    }
}

extension ScriptSample {
    /// Whether a text can name a metric, in scripts, thresholds and the formats of all outputs.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
            text.utf8.count <= 100
        else { return false }
        return text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
    }
}
