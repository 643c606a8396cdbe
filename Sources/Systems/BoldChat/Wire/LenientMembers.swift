import JSON
import Machines

/// The vendor client's forgiving way to read members: types are converted, empty texts count as absent.
extension JSONObject {
    /// The text of a member; numbers are spelled out, `null` and the empty string count as absent.
    func text(_ name: String) -> String? { self[name]?.lenientText }

    /// The number of a member; texts and booleans are converted, whatever else counts as absent.
    func integer(_ name: String) -> Int64? { self[name]?.lenientInteger }

    /// The truth of a member; numbers and the words `true`, `yes` and `1` are converted, absent is false.
    func truth(_ name: String) -> Bool {
        switch self[name] {
        case .bool(let truth)?: truth
        case .string(let text)?: ["true", "yes", "1"].contains(text.lowercased())
        case let value?: (value.double ?? 0) != 0
        case nil: false
        }
    }

    /// The time of a member in milliseconds since 1970, or nil if it is not a time stamp.
    func time(_ name: String) -> Int64? { self[name]?.lenientTime }
}

extension JSONValue {
    /// The text; numbers are spelled out, an empty string is none.
    var lenientText: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .double(let number): "\(number)"
        case .numeral(let text): text
        default: nil
        }
    }

    /// The number; texts and booleans are converted.
    var lenientInteger: Int64? {
        switch self {
        case .string(let text): Int64(text.trimmed)
        case .bool(let truth): truth ? 1 : 0
        default: self.integer
        }
    }

    /// The time in milliseconds since 1970.
    var lenientTime: Int64? { self.lenientText.flatMap(Timestamp.epochMilliseconds) }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
