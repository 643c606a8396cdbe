public import HTTPTypes

extension HTTPResponse.Status {
    /// The codes that an answer can have: 1xx announces one (RFC 9110 section 15.2).
    public static let finalCodes: ClosedRange<Int64> = 200...599

    /// Creates the status of an answer; nil if no answer can have the code.
    public init?(final code: Int64) {
        guard Self.finalCodes.contains(code) else { return nil }
        self.init(code: Int(code))
    }
}
