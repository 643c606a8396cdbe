import JSON
import LuaRuntime
import Machines

/// Randomness that the seed of the run decides: `random`.
enum RandomLibrary {
    /// All functions.
    static var functions: [HostFunction] { self.draws + self.texts }

    /// Those that choose among what they are given.
    private static var draws: [HostFunction] {
        [
            HostFunction("random.number", parameters: ["low", "high"]) { (call) throws(HostError) in
                let script = try call.script()
                let low = call.isNil(1) ? 0 : try call.number(1)
                let high = call.isNil(1) && call.isNil(2) ? 1 : try call.number(2)
                guard low <= high, (high - low).isFinite else {
                    throw HostError.argument(
                        "random.number takes the smaller number first, not \(low), \(high)")
                }
                call.push(low + (high - low) * Double.random(in: 0..<1, using: &script.random))
                return .returns
            },
            HostFunction("random.integer", parameters: ["low", "high"]) { (call) throws(HostError) in
                let script = try call.script()
                let low = try call.integer(1)
                let high = try call.integer(2)
                guard low <= high else {
                    throw HostError.argument(
                        "random.integer takes the smaller number first, not \(low), \(high)")
                }
                call.push(Int64.random(in: low...high, using: &script.random))
                return .returns
            },
            HostFunction("random.pick", parameters: ["list"]) { (call) throws(HostError) in
                let script = try call.script()
                guard let element = try call.json(1).array?.randomElement(using: &script.random) else {
                    throw HostError.argument("random.pick takes a list that is not empty")
                }
                call.push(element)
                return .returns
            },
            HostFunction("random.shuffle", parameters: ["list"]) { (call) throws(HostError) in
                let script = try call.script()
                guard let elements = try call.json(1).array else {
                    throw HostError.argument("random.shuffle takes a list")
                }
                call.push(JSONValue.array(elements.shuffled(using: &script.random)))
                return .returns
            },
            HostFunction("random.sample", parameters: ["list", "count"]) { (call) throws(HostError) in
                let script = try call.script()
                guard let elements = try call.json(1).array else {
                    throw HostError.argument("random.sample takes a list")
                }
                let count = Int(try call.integer(2, in: 0...1_000_000))
                let chosen = elements.indices.shuffled(using: &script.random).prefix(count).sorted()
                call.push(JSONValue.array(chosen.map { elements[$0] }))
                return .returns
            },
        ]
    }

    /// Those that make texts that conversations need.
    private static var texts: [HostFunction] {
        [
            HostFunction("random.uuid") { (call) throws(HostError) in
                let script = try call.script()
                var digits = Array(script.random.hexadecimalDigits(32))
                // Version 4, variant 10 (RFC 9562 section 5.4).
                digits[12] = "4"
                digits[16] = "89ab".randomElement(using: &script.random) ?? "8"
                let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
                call.push(script.drawn(parts.joined(separator: "-")))
                return .returns
            },
            HostFunction("random.hex", parameters: ["digits"]) { (call) throws(HostError) in
                let script = try call.script()
                let count = try call.integer(1, in: 0...4096)
                try call.charge(Self.price(ofCharacters: count))
                call.push(script.drawn(script.random.hexadecimalDigits(Int(count))))
                return .returns
            },
            HostFunction("random.digits", parameters: ["count"]) { (call) throws(HostError) in
                let script = try call.script()
                let count = try call.integer(1, in: 0...4096)
                try call.charge(Self.price(ofCharacters: count))
                let digits = (0..<count).map { _ in "0123456789".randomElement(using: &script.random) ?? "0" }
                call.push(script.drawn(String(digits)))
                return .returns
            },
            HostFunction("random.letters", parameters: ["count"]) { (call) throws(HostError) in
                let script = try call.script()
                let count = try call.integer(1, in: 0...4096)
                try call.charge(Self.price(ofCharacters: count))
                let letters = "abcdefghijklmnopqrstuvwxyz"
                call.push(
                    script.drawn(String((0..<count).map { _ in letters.randomElement(using: &script.random) ?? "a" })))
                return .returns
            },
            HostFunction("random.name") { (call) throws(HostError) in
                let script = try call.script()
                call.push(script.drawn(Self.name(&script.random).joined(separator: " ")))
                return .returns
            },
            HostFunction("random.email") { (call) throws(HostError) in
                let script = try call.script()
                let name = Self.name(&script.random).joined(separator: ".").lowercased()
                // A domain that nobody can own (RFC 2606 section 3).
                let number = Int.random(in: 10...9999, using: &script.random)
                call.push(script.drawn(name + String(number) + "@example.com"))
                return .returns
            },
            HostFunction("random.date", parameters: ["from", "to"]) { (call) throws(HostError) in
                let script = try call.script()
                let (from, to) = (try DateLibrary.time(call, 1), try DateLibrary.time(call, 2))
                guard from.epochMilliseconds <= to.epochMilliseconds else {
                    throw HostError.argument("random.date takes the earlier date first")
                }
                let days = Int64.random(in: from.dayNumber...to.dayNumber, using: &script.random)
                call.push(script.drawn(String(CalendarTime(epochMilliseconds: days * 86_400_000).text.prefix(10))))
                return .returns
            },
        ]
    }

    /// What drawing so many characters costs, in instructions.
    private static func price(ofCharacters count: Int64) -> Int { 16 * Int(count) }

    private static func name(_ random: inout RandomSource) -> [String] {
        let first = [
            "Ada", "Alan", "Edith", "Grace", "Hedy", "Karen", "Konrad", "Mary", "Niklaus", "Radia", "Tim", "Vint",
        ]
        let last = [
            "Byron", "Clarke", "Hopper", "Keller", "Lamarr", "Lovell", "Perl", "Sparck", "Turner", "Wirth", "Zuse",
        ]
        return [first.randomElement(using: &random) ?? "", last.randomElement(using: &random) ?? ""]
    }
}
