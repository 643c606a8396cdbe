import JSON
import Machines

extension RandomSource {
    /// Returns a text of so many characters of an alphabet.
    mutating func text(of alphabet: String, count: ClosedRange<Int>) -> String {
        let characters = Array(alphabet)
        let count = Int.random(in: count, using: &self)
        return String((0..<count).map { _ in characters[Int.random(in: characters.indices, using: &self)] })
    }

    /// Returns bytes in random pieces; there may be empty ones.
    mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(rest.count, 7), using: &self)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// Returns a value of JSON that Lua can hold as it is: no null in it, no empty list beside objects without members.
    mutating func json(depth: Int = 3) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &self) {
        case 0: .bool(Bool.random(using: &self))
        case 1: .integer(Int64.random(in: -1000...1000, using: &self))
        case 2: .double(Double(Int.random(in: -999...999, using: &self)) / 8 + 0.0625)
        case 3: .string(self.text(of: "abc \"\\\n\té€😀<>&=", count: 0...6))
        case 4: .array((0..<Int.random(in: 1...3, using: &self)).map { _ in self.json(depth: depth - 1) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 1...3, using: &self)).map { ("m\($0)", self.json(depth: depth - 1)) }))
        }
    }
}
