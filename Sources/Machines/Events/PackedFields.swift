public import JSON

/// The fields of an event, and its wire form, as packed values: most events of a load test are looked at by nobody, and
/// packed they are one piece of memory and not one for each value.
public struct PackedFields: Sendable {
    /// Where the wire form is.
    public enum Raw: Sendable {
        /// There is none.
        case none
        /// It is one of the fields.
        case field(String)
        /// It is a value of its own, which begins there.
        case value(at: UInt32)
    }

    /// An object that has the fields, none of which is null, and perhaps the wire form.
    public let values: PackedJSON

    /// The wire form.
    public let raw: Raw

    /// How many fields there are.
    public let count: UInt8

    /// Creates fields.
    ///
    /// - Parameters:
    ///   - values: The object that has the fields comes first.
    ///   - raw: The wire form.
    ///   - count: How many fields there are.
    public init(_ values: PackedJSON, raw: Raw, count: UInt8) {
        self.values = values
        self.raw = raw
        self.count = count
    }

    /// The fields by their names.
    var members: JSONObject { self.values.value().object ?? [:] }
}
