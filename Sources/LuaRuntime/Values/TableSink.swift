internal import JSON

/// What a ``TableEncoder`` writes into, one part after another.
protocol TableSink {
    mutating func appendNull()
    mutating func append(bool value: Bool)
    mutating func append(integer value: Int64)
    /// - Parameter value: A finite number.
    mutating func append(number value: Double)
    /// - Parameter utf8: Valid UTF-8.
    mutating func append(text utf8: UnsafeBufferPointer<UInt8>)
    /// Takes an object that is packed already.
    ///
    /// - Returns: Whether it did; if not, the caller goes through the members.
    mutating func append(packed object: UnsafeRawBufferPointer) -> Bool

    mutating func beginArray(of count: Int)
    /// - Parameter place: That of the element whose value comes next, from 0.
    mutating func beginElement(at place: Int)
    mutating func endArray()

    mutating func beginObject(of count: Int)
    /// - Parameters:
    ///   - utf8: The name of the member whose value comes next.
    ///   - place: Which one that is, from 0.
    mutating func append(name utf8: UnsafeBufferPointer<UInt8>, at place: Int)
    mutating func endObject()
}

extension PackedJSONWriter: TableSink {
    mutating func append(packed object: UnsafeRawBufferPointer) -> Bool {
        unsafe self.append(packed: object) as Void
        return true
    }
    func beginElement(at place: Int) {}
    func endArray() {}
    mutating func append(name utf8: UnsafeBufferPointer<UInt8>, at place: Int) { unsafe self.append(name: utf8) }
    func endObject() {}
}
