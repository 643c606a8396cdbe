/// Reads packed values, see ``PackedJSON``, where they lie in memory; whatever the bytes are, it stays within them.
///
/// It is inlinable so that each module has it for its own builder.
public struct PackedJSONReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var position: Int

    /// - Parameters:
    ///   - bytes: Packed values; they are to outlive the reader.
    ///   - position: Where the value begins that is read next.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads a value.
    ///
    /// - Returns: What the builder made of it; nil if there is no such value, or the builder has no room for it.
    @inlinable
    public mutating func readValue<Builder: JSONBuilder>(_ builder: inout Builder) -> Builder.Value? {
        guard let tag = self.readTag() else { return nil }
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

    /// Goes past a value.
    ///
    /// - Returns: How much it holds; nil if there is no such value.
    @inlinable
    public mutating func skipValue() -> PackedExtent? {
        guard let tag = self.readTag() else { return nil }
        switch tag {
        case .null, .no, .yes: return PackedExtent(values: 1, depth: 0)
        case .integer, .double: return self.read(UInt64.self).map { _ in PackedExtent(values: 1, depth: 0) }
        case .text: return self.readText().map { _ in PackedExtent(values: 1, depth: 0) }
        case .array, .object:
            guard let count = self.read(UInt32.self) else { return nil }
            var extent = PackedExtent(values: 1, depth: 1)
            for _ in 0..<count {
                if tag == .object { guard self.readText() != nil else { return nil } }
                guard let part = self.skipValue() else { return nil }
                extent.values += part.values
                extent.depth = max(extent.depth, part.depth + 1)
            }
            return extent
        }
    }

    /// Goes past an object.
    ///
    /// - Returns: Its bytes and how much it holds; nil, and nothing is read, if the next value is none.
    @inlinable
    public mutating func skipObject() -> (bytes: UnsafeRawBufferPointer, extent: PackedExtent)? {
        let start = self.position
        guard start < self.bytes.count, self.bytes[start] == PackedJSON.Tag.object.rawValue,
            let extent = self.skipValue()
        else { return nil }
        return (UnsafeRawBufferPointer(rebasing: self.bytes[start..<self.position]), extent)
    }

    /// Begins to read an object; each member is its name, see ``readText()``, and then its value.
    ///
    /// - Returns: How many members there are; nil if the next value is none.
    @inlinable
    public mutating func beginObject() -> UInt32? {
        guard let tag = self.readTag(), tag == .object else { return nil }
        return self.read(UInt32.self)
    }

    /// Reads the name of a member, or goes past one.
    @inlinable
    public mutating func readText() -> UnsafeBufferPointer<UInt8>? {
        guard let count = self.read(UInt32.self), count <= self.bytes.count - self.position else { return nil }
        defer { self.position += Int(count) }
        return UnsafeRawBufferPointer(rebasing: self.bytes[self.position..<(self.position + Int(count))])
            .assumingMemoryBound(to: UInt8.self)
    }

    /// Reads a value that is not made of parts; nil for an array and an object.
    @inlinable
    public mutating func readScalar() -> PackedScalar? {
        switch self.readTag() {
        case .null?: .null
        case .no?: .bool(false)
        case .yes?: .bool(true)
        case .integer?: self.read(Int64.self).map { .integer($0) }
        case .double?: self.read(UInt64.self).map { .double(Double(bitPattern: $0)) }
        case .text?: self.readText().map { .text($0) }
        case .array?, .object?, nil: nil
        }
    }

    @inlinable
    mutating func readTag() -> PackedJSON.Tag? { self.read(UInt8.self).flatMap(PackedJSON.Tag.init) }

    @inlinable
    mutating func read<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard size <= self.bytes.count - self.position else { return nil }
        defer { self.position += size }
        return self.bytes.loadUnaligned(fromByteOffset: self.position, as: Number.self)
    }
}
