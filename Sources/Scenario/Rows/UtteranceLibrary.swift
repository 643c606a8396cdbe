import JSON
import LuaRuntime
import Machines

/// What users say, from lists: `utterances`.
enum UtteranceLibrary {
    /// The functions of the table `utterances`.
    static var functions: [HostFunction] {
        func function(
            _ name: String, _ parameters: [String],
            _ rows: @escaping (Script, borrowing LuaCall) throws(HostError) -> [JSONValue]
        ) -> HostFunction {
            HostFunction("utterances.\(name)", parameters: parameters) { (call) throws(HostError) in
                let script = try call.script()
                call.push(JSONValue.array(try rows(script, call)))
                return .returns
            }
        }
        func lists(_ call: borrowing LuaCall, _ number: Int) throws(HostError) -> UtteranceLists {
            let (value, name) = (try call.json(number), call.name)
            return try asFault { () throws(UsageError) in try UtteranceLists(value, name) }
        }
        return [
            function("all", ["lists"]) { (_, call) throws(HostError) in
                let lists = try lists(call, 1)
                return try asFault { () throws(UsageError) in try lists.all() }
            },
            function("first", ["lists"]) { (_, call) throws(HostError) in try lists(call, 1).first },
            function("pairwise", ["lists"]) { (_, call) throws(HostError) in
                let lists = try lists(call, 1)
                return try asFault { () throws(UsageError) in try lists.pairwise() }
            },
            function("sample", ["count", "lists"]) { (script, call) throws(HostError) in
                let count = Int(try call.integer(1, in: 1...Int64(UtteranceLists.mostRows)))
                let lists = try lists(call, 2)
                var random = script.nextSampling()
                return try asFault { () throws(UsageError) in try lists.sample(count, using: &random) }
            },
            function("adversarial", ["options"]) { (script, call) throws(HostError) in
                let (value, name) = (try call.json(1), call.name)
                guard let table = value.object else {
                    throw HostError.argument(
                        "\(name) takes a table such as { of = { \"where is my order\" } }")
                }
                let utterances = try asFault { () throws(UsageError) in try AdversarialUtterances(table, name) }
                let random = utterances.seed.map { RandomSource(seed: $0) } ?? script.nextSampling()
                return try asFault { () throws(UsageError) in try utterances.rows(random, name) }
            },
            function("read", ["file"]) { (script, call) throws(HostError) in
                let name = try call.string(1)
                let text = try asFault { () throws(UsageError) in try script.files.text(of: name) }
                let lines = text.split(whereSeparator: \.isNewline).map { line in
                    line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
                }
                return lines.map { JSONValue.string(String($0)) }.filter { line in
                    line.string?.isEmpty == false && line.string?.hasPrefix("#") == false
                }
            },
        ]
    }
}
