/// Names of local variables that a saved scenario has.
enum VariableName {
    /// What a saved scenario calls or has itself.
    private static let taken: Set<String> = [
        "t", "expect", "think", "scenario", "secret", "require", "math", "json",
    ]

    /// Makes a name of a text: letters, digits and `_`, in small letters.
    ///
    /// - Parameter others: The names that there are.
    static func make(of text: String, besides others: Set<String>) -> String {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        var base = String(decoding: bytes.prefix(40), as: UTF8.self)
        if !base.contains(where: { $0.isLetter }) || base.first?.isNumber == true { base = "actor" }
        guard LuaLiteral.keywords.contains(base) || Self.taken.contains(base) || others.contains(base) else {
            return base
        }
        var number = 2
        while others.contains("\(base)_\(number)") { number += 1 }
        return "\(base)_\(number)"
    }
}
