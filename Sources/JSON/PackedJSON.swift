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

    /// Whether a text may hold something, by a look at all texts at once.
    public func holds(where test: (UnsafeRawBufferPointer) -> Bool) -> Bool { self.bytes.withUnsafeBytes(test) }

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
            var reader = PackedJSONReader(bytes: bytes, position: start)
            return reader.readValue(&builder)
        }
    }

    /// Returns a value; null if there is no such value.
    public func value(from start: Int = 0) -> JSONValue {
        var builder = JSONValueBuilder(refusingRepetition: false)
        return self.read(from: start, into: &builder) ?? .null
    }
}

/// Reads packed values; whatever the bytes are, it stays within them.
@usableFromInline struct PackedJSONReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var position: Int

    @inlinable
    init(bytes: UnsafeRawBufferPointer, position: Int) {
        self.bytes = bytes
        self.position = position
    }

    @inlinable
    mutating func readValue<Builder: JSONBuilder>(_ builder: inout Builder) -> Builder.Value? {
        guard let tag = self.read(UInt8.self).flatMap(PackedJSON.Tag.init) else { return nil }
        switch tag {
        case .null: return builder.null()
        case .no: return builder.bool(false)
        case .yes: return builder.bool(true)
        case .integer: return self.read(Int64.self).map { builder.integer($0) }
        case .double: return self.read(UInt64.self).map { builder.double(Double(bitPattern: $0)) }
        case .text: return self.readText().map { builder.string($0) }
        case .array:
            guard let count = self.read(UInt32.self), var elements = builder.beginElements() else { return nil }
            for _ in 0..<count {
                guard let element = self.readValue(&builder) else { return nil }
                builder.append(element, to: &elements)
            }
            return builder.end(elements)
        case .object:
            guard let count = self.read(UInt32.self), var members = builder.beginMembers() else { return nil }
            for _ in 0..<count {
                guard let name = self.readText().map({ builder.name($0) }), let value = self.readValue(&builder),
                    builder.set(name, to: value, in: &members)
                else { return nil }
            }
            return builder.end(members)
        }
    }

    @inlinable
    mutating func read<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard size <= self.bytes.count - self.position else { return nil }
        defer { self.position += size }
        return self.bytes.loadUnaligned(fromByteOffset: self.position, as: Number.self)
    }

    @inlinable
    mutating func readText() -> UnsafeBufferPointer<UInt8>? {
        guard let count = self.read(UInt32.self), count <= self.bytes.count - self.position else { return nil }
        defer { self.position += Int(count) }
        return UnsafeRawBufferPointer(rebasing: self.bytes[self.position..<(self.position + Int(count))])
            .assumingMemoryBound(to: UInt8.self)
    }
}
