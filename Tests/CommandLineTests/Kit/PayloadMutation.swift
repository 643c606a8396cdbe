import JSON
import Machines

/// Changes of what a server says, by seed: of bytes wherever they stand, and where there is JSON of its values, so that
/// what reads it meets numbers where texts were, members that are missing, and depths nobody thought of.
struct PayloadMutation {
    /// The chance that a payload is changed.
    private static let chance = 0.4

    private var random: RandomSource

    /// How many payloads were changed.
    private(set) var count = 0

    init(seed: UInt64) {
        self.random = RandomSource(seed: seed)
    }

    private static let strangers: [JSONValue] = [
        .null, true, false, 0, -1, 7, 1e300, 9_223_372_036_854_775_807, "", "x", "\u{0}", [], [[]], [1, 2], [:],
        ["type": "x"], .string(String(repeating: "y", count: 5_000)),
    ]

    /// Returns a payload, perhaps changed.
    mutating func changed(_ payload: [UInt8]) -> [UInt8] {
        guard !payload.isEmpty, Double.random(in: 0..<1, using: &self.random) < Self.chance else { return payload }
        self.count += 1
        if Bool.random(using: &self.random), let changed = self.withOtherJSON(payload) { return changed }
        return self.withOtherBytes(payload)
    }

    /// Changes one value of the JSON that the payload ends with or has in a line.
    private mutating func withOtherJSON(_ payload: [UInt8]) -> [UInt8]? {
        guard let start = payload.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else {
            return nil
        }
        let end = payload[start...].firstIndex(of: UInt8(ascii: "\n")) ?? payload.endIndex
        guard let value = try? JSONReader.read(payload[start..<end]) else { return nil }
        return payload[..<start] + JSONWriter.write(self.changed(value)) + payload[end...]
    }

    private mutating func changed(_ value: JSONValue) -> JSONValue {
        let isHere = Int.random(in: 0..<4, using: &self.random) == 0
        switch value {
        case .object(var members) where !isHere:
            guard let name = members.names.randomElement(using: &self.random) else { break }
            members[name] =
                Int.random(in: 0..<4, using: &self.random) == 0 ? nil : members[name].map { self.changed($0) }
            return .object(members)
        case .array(var elements) where !isHere && !elements.isEmpty:
            let place = Int.random(in: elements.indices, using: &self.random)
            elements[place] = self.changed(elements[place])
            return .array(elements)
        default: break
        }
        return Self.strangers.randomElement(using: &self.random) ?? .null
    }

    private mutating func withOtherBytes(_ payload: [UInt8]) -> [UInt8] {
        var bytes = payload
        let start = Int.random(in: bytes.indices, using: &self.random)
        let end = min(bytes.count, start + Int.random(in: 1...12, using: &self.random))
        switch Int.random(in: 0..<6, using: &self.random) {
        case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<7, using: &self.random)
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
        case 3: bytes.removeSubrange(start...)
        case 4: bytes = bytes + bytes
        default: bytes.insert(UInt8.random(in: 0...127, using: &self.random), at: start)
        }
        return bytes
    }
}
