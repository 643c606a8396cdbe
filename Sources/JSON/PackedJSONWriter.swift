/// Writes values of JSON packed, one part after another.
///
/// Who writes an array or an object says how many parts it has, and then writes these: elements, or names each with its
/// value.
public struct PackedJSONWriter: Sendable {
    private var bytes: [UInt8] = []

    /// Creates a writer with room for some values.
    public init(reservingCapacity count: Int) {
        self.bytes.reserveCapacity(count)
    }

    /// Where the value begins that is written next.
    public var position: Int { self.bytes.count }

    /// What is written.
    public consuming func finish() -> PackedJSON { PackedJSON(bytes: self.bytes) }

    /// Appends null.
    public mutating func appendNull() { self.bytes.append(PackedJSON.Tag.null.rawValue) }

    /// Appends a truth value.
    public mutating func append(bool value: Bool) {
        self.bytes.append((value ? PackedJSON.Tag.yes : .no).rawValue)
    }

    /// Appends an integer.
    public mutating func append(integer value: Int64) { self.append(.integer, value) }

    /// Appends a number.
    public mutating func append(number value: Double) { self.append(.double, value.bitPattern) }

    /// Appends a text.
    ///
    /// - Parameter utf8: Valid UTF-8 of fewer than 2^32 bytes.
    public mutating func append(text utf8: UnsafeBufferPointer<UInt8>) {
        self.append(.text, UInt32(utf8.count), utf8)
    }

    /// Appends a value that is packed already.
    public mutating func append(packed value: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: value) }

    /// Begins an array of so many elements.
    public mutating func beginArray(of count: Int) { self.append(.array, UInt32(count)) }

    /// Begins an object of so many members.
    public mutating func beginObject(of count: Int) { self.append(.object, UInt32(count)) }

    /// Appends the name of a member, whose value follows; none may come twice.
    public mutating func append(name utf8: UnsafeBufferPointer<UInt8>) { self.append(nil, UInt32(utf8.count), utf8) }

    /// Appends a part in one go, for each takes a look at whether there is room.
    private mutating func append<Number: FixedWidthInteger>(
        _ tag: PackedJSON.Tag?, _ number: Number, _ text: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
    ) {
        let size = MemoryLayout<Number>.size
        self.bytes.append(addingCapacity: 1 + size + text.count) { output in
            if let tag { output.append(tag.rawValue) }
            output.withUnsafeMutableBufferPointer { buffer, count in
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...]))
                rest.storeBytes(of: number, as: Number.self)
                UnsafeMutableRawBufferPointer(rebasing: rest[size...]).copyMemory(from: UnsafeRawBufferPointer(text))
                count += size + text.count
            }
        }
    }
}
