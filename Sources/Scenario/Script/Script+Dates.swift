import JSON
import LuaRuntime
import Machines

extension Script {
    /// The time of the play in milliseconds since 1970 UTC; while a file is loaded, that of the start of its scenarios.
    private var epochMilliseconds: Int64 {
        self.settings.epochMilliseconds + (self.play?.now.nanoseconds ?? 0) / 1_000_000
    }

    /// The functions of the table `date`; all follow the clock of the scenario and are in UTC.
    static var dateFunctions: [HostFunction] {
        [
            HostFunction("date.now") { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(CalendarTime(epochMilliseconds: script.epochMilliseconds).text)
                return .returns
            },
            HostFunction("date.today", parameters: ["days"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let days = try call.optionalInteger(1, in: -1_000_000...1_000_000) ?? 0
                let time = CalendarTime(epochMilliseconds: script.epochMilliseconds + days * 86_400_000)
                call.push(String(time.text.prefix(10)))
                return .returns
            },
            HostFunction("date.add", parameters: ["date", "amounts"]) { (call) throws(LuaFault) in
                let text = try call.string(1)
                let time = try Self.time(call, 1)
                let amounts = try call.object(2)
                let sum = try asFault { () throws(ScriptMistake) in try time.adding(amounts) }
                call.push(text.count == 10 && sum.isMidnight ? String(sum.text.prefix(10)) : sum.text)
                return .returns
            },
            HostFunction("date.epoch", parameters: ["date"]) { (call) throws(LuaFault) in
                call.push(Double(try Self.time(call, 1).epochMilliseconds) / 1000)
                return .returns
            },
            HostFunction("date.format", parameters: ["date", "pattern"]) { (call) throws(LuaFault) in
                let time = try Self.time(call, 1)
                let pattern = try call.string(2)
                call.push(try asFault { () throws(ScriptMistake) in try time.formatted(pattern) })
                return .returns
            },
        ]
    }

    private static func time(_ call: borrowing LuaCall, _ number: Int) throws(LuaFault) -> CalendarTime {
        let text = try call.string(number)
        guard let time = CalendarTime(text) else {
            if text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil {
                throw LuaFault("\(call.name): there is no day \"\(text)\"", kind: "argument")
            }
            throw LuaFault(
                "\(call.name) takes a date such as \"2026-11-21\" or \"2026-11-21T10:15:00Z\", not \"\(text)\"",
                kind: "argument")
        }
        return time
    }

    /// Functions of `random` that make what conversations need.
    static var randomTextFunctions: [HostFunction] {
        [
            HostFunction("random.uuid") { (call) throws(LuaFault) in
                let script = try call.script()
                var digits = Array(script.random.hexadecimalDigits(32))
                // Version 4, variant 10 (RFC 9562 section 5.4).
                digits[12] = "4"
                digits[16] = "89ab".randomElement(using: &script.random) ?? "8"
                let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
                call.push(parts.joined(separator: "-"))
                return .returns
            },
            HostFunction("random.digits", parameters: ["count"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let count = try call.integer(1, in: 0...4096)
                try call.charge(Self.price(ofCharacters: count))
                call.push(String((0..<count).map { _ in "0123456789".randomElement(using: &script.random) ?? "0" }))
                return .returns
            },
            HostFunction("random.letters", parameters: ["count"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let count = try call.integer(1, in: 0...4096)
                try call.charge(Self.price(ofCharacters: count))
                let letters = "abcdefghijklmnopqrstuvwxyz"
                call.push(String((0..<count).map { _ in letters.randomElement(using: &script.random) ?? "a" }))
                return .returns
            },
            HostFunction("random.name") { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(script.randomName().joined(separator: " "))
                return .returns
            },
            HostFunction("random.email") { (call) throws(LuaFault) in
                let script = try call.script()
                let name = script.randomName().joined(separator: ".").lowercased()
                // A domain that nobody can own (RFC 2606 section 3).
                call.push(name + String(Int.random(in: 10...9999, using: &script.random)) + "@example.com")
                return .returns
            },
            HostFunction("random.date", parameters: ["from", "to"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let (from, to) = (try Self.time(call, 1), try Self.time(call, 2))
                guard from.epochMilliseconds <= to.epochMilliseconds else {
                    throw LuaFault("random.date takes the earlier date first", kind: "argument")
                }
                let days = Int64.random(
                    in: from.epochMilliseconds / 86_400_000...to.epochMilliseconds / 86_400_000, using: &script.random)
                call.push(String(CalendarTime(epochMilliseconds: days * 86_400_000).text.prefix(10)))
                return .returns
            },
            HostFunction("random.sample", parameters: ["list", "count"]) { (call) throws(LuaFault) in
                let script = try call.script()
                guard let elements = try call.json(1).array else {
                    throw LuaFault("random.sample takes a list", kind: "argument")
                }
                let count = Int(try call.integer(2, in: 0...1_000_000))
                let chosen = elements.indices.shuffled(using: &script.random).prefix(count).sorted()
                call.push(JSONValue.array(chosen.map { elements[$0] }))
                return .returns
            },
        ]
    }

    /// What drawing so many characters costs, in instructions.
    private static func price(ofCharacters count: Int64) -> Int { 16 * Int(count) }

    private func randomName() -> [String] {
        let first = [
            "Ada", "Alan", "Edith", "Grace", "Hedy", "Karen", "Konrad", "Mary", "Niklaus", "Radia", "Tim", "Vint",
        ]
        let last = [
            "Byron", "Clarke", "Hopper", "Keller", "Lamarr", "Lovell", "Perl", "Sparck", "Turner", "Wirth", "Zuse",
        ]
        return [first.randomElement(using: &self.random) ?? "", last.randomElement(using: &self.random) ?? ""]
    }
}
