/// Values of JSON one after another in a form that costs little to write and to read: texts stand as they are, numbers
/// as the processor has them, and what is made of parts begins with how many there are.
///
/// It never leaves the process, so nothing else reads it, and its form may change.
public struct PackedJSON: Sendable {
    @usableFromInline let bytes: [UInt8]

    @inlinable
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes it takes.
    public var count: Int { self.bytes.count }

    /// With what each value begins.
    @usableFromInline enum Tag: UInt8 {
        case null
        case no
        case yes
        case integer
        case double
        case text
        case array
        case object
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - start: Where it begins, as the writer told.
    ///   - builder: What makes something of it.
    /// - Returns: What it made; nil if there is no such value, or the builder has no room for it.
    @inlinable
    public func read<Builder: JSONBuilder>(from start: Int = 0, into builder: inout Builder) -> Builder.Value? {
        self.bytes.withUnsafeBytes { bytes in
            var reader = PackedJSONReader(bytes, from: start)
            return reader.readValue(&builder)
        }
    }

    /// Gives access to the bytes, for a ``PackedJSONReader`` or a look at all texts at once.
    @inlinable
    public func withBytes<Made>(_ body: (UnsafeRawBufferPointer) -> Made) -> Made { self.bytes.withUnsafeBytes(body) }

    /// Returns a value; null if there is no such value.
    public func value(from start: Int = 0) -> JSONValue {
        var builder = JSONValueBuilder(refusingRepetition: false)
        return self.read(from: start, into: &builder) ?? .null
    }
}
