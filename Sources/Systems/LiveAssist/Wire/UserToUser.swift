import Machines

/// The hexadecimal form in which the SIP User-to-User header carries the UUI.
enum UserToUser {
    /// More digits than these are not read.
    private static let mostDigits = 65_536

    /// Returns the UTF-8 bytes of a text as lower-case digits.
    static func encode(_ text: String) -> String { Hexadecimal.encode(Array(text.utf8)) }

    /// Returns the text of hexadecimal digits, or nil if they are no such digits or not UTF-8.
    static func decode(_ text: String) -> String? {
        guard text.utf8.count <= Self.mostDigits else { return nil }
        return Hexadecimal.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
