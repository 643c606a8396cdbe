/// Why a threshold cannot be used.
public struct ThresholdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The threshold as it was written.
    public let text: String
    /// At which character the trouble begins, from 0.
    public let column: Int
    /// What is wrong and what to do.
    public let message: String

    /// The message with the threshold and a mark below the place.
    public var description: String {
        "\(self.message)\n    \(self.text)\n    \(String(repeating: " ", count: self.column))^"
    }
}
