/// Packs what a JSON text stands for, see ``PackedJSON``, into memory of the caller's while a ``JSONParser`` reads it.
///
/// It gives up on what is large or rare, which the caller reads in another way: where the memory is too small, and on
/// objects of many members or with two of one name.
struct PackedJSONBuilder: JSONBuilder {
    /// Names of an object are compared with each other, of which many would take long.
    private static let mostMembers = 16

    private let output: UnsafeMutableRawBufferPointer

    /// How many bytes have been written.
    private(set) var count = 0

    /// What has been written holds so much.
    private(set) var extent = PackedExtent(values: 0, depth: 0)

    /// Whether what has been written is of no use.
    private(set) var hasGivenUp = false

    private var depth = 0

    /// - Parameter output: At most 64 KiB.
    init(output: UnsafeMutableRawBufferPointer) {
        self.output = UnsafeMutableRawBufferPointer(rebasing: output.prefix(Int(UInt16.max)))
    }

    @inline(__always)
    mutating func null() { self.write(.null) }
    @inline(__always)
    mutating func bool(_ value: Bool) { self.write(value ? .yes : .no) }
    @inline(__always)
    mutating func integer(_ value: Int64) { self.write(.integer, value) }

    mutating func number(_ text: UnsafeBufferPointer<UInt8>) {
        // Packed are the numbers of tables, and Lua has none that are greater.
        self.double(Double(String(decoding: text, as: UTF8.self)) ?? .infinity)
    }

    /// JSON cannot express an infinite number, as which a text may be read: whoever comes across it says so.
    mutating func double(_ value: Double) {
        self.write(.double, value.bitPattern)
        if !value.isFinite { self.hasGivenUp = true }
    }

    @inline(__always)
    mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        self.write(.text)
        self.write(text)
    }

    struct Elements {
        /// Where the number of the elements stands.
        let start: Int
        var count: UInt32 = 0
    }

    mutating func beginElements() -> Elements? {
        self.begin(.array)
        return Elements(start: self.count - 4)
    }

    func append(_ value: Void, to elements: inout Elements) { elements.count += 1 }
    mutating func end(_ elements: Elements) { self.end(elements.count, at: elements.start) }

    struct Members {
        /// Where the number of the members stands.
        let start: Int
        var count = 0
        /// Where their names stand.
        var names = InlineArray<16, UInt16>(repeating: 0)
    }

    mutating func beginMembers() -> Members? {
        self.begin(.object)
        return Members(start: self.count - 4)
    }

    /// - Returns: Where it stands.
    @inline(__always)
    mutating func name(_ text: UnsafeBufferPointer<UInt8>) -> UInt16 {
        let place = UInt16(self.count)
        self.write(text)
        return place
    }

    @inline(__always)
    mutating func set(_ name: UInt16, to value: Void, in members: inout Members) -> Bool {
        guard !self.hasGivenUp, members.count < Self.mostMembers else {
            self.hasGivenUp = true
            return false
        }
        for place in 0..<members.count where self.isSame(members.names[place], name) {
            self.hasGivenUp = true
            return false
        }
        members.names[members.count] = name
        members.count += 1
        return true
    }

    /// Nobody asks for it: who reads in another way finds it again.
    var repeatedName: String? { nil }

    mutating func end(_ members: Members) { self.end(UInt32(members.count), at: members.start) }

    /// Whether the names at two places are the same.
    @inline(__always)
    private func isSame(_ one: UInt16, _ other: UInt16) -> Bool {
        let (one, other) = (Int(one), Int(other))
        let size = Int(self.output.loadUnaligned(fromByteOffset: one, as: UInt32.self))
        guard size == Int(self.output.loadUnaligned(fromByteOffset: other, as: UInt32.self)) else { return false }
        for place in 4..<(4 + size) where self.output[one + place] != self.output[other + place] { return false }
        return true
    }

    @inline(__always)
    private mutating func begin(_ tag: PackedJSON.Tag) {
        self.depth += 1
        self.extent.depth = max(self.extent.depth, self.depth)
        self.write(tag, UInt32(0))
    }

    private mutating func end(_ count: UInt32, at place: Int) {
        self.depth -= 1
        if !self.hasGivenUp { self.output.storeBytes(of: count, toByteOffset: place, as: UInt32.self) }
    }

    @inline(__always)
    private mutating func write(_ tag: PackedJSON.Tag) {
        self.extent.values += 1
        guard !self.hasGivenUp, self.count < self.output.count else { return self.hasGivenUp = true }
        self.output[self.count] = tag.rawValue
        self.count += 1
    }

    @inline(__always)
    private mutating func write<Number: FixedWidthInteger>(_ tag: PackedJSON.Tag, _ number: Number) {
        self.write(tag)
        self.write(number)
    }

    @inline(__always)
    private mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        let size = MemoryLayout<Number>.size
        guard !self.hasGivenUp, size <= self.output.count - self.count else { return self.hasGivenUp = true }
        self.output.storeBytes(of: number, toByteOffset: self.count, as: Number.self)
        self.count += size
    }

    @inline(__always)
    private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
        self.write(UInt32(text.count))
        guard !self.hasGivenUp, text.count <= self.output.count - self.count else { return self.hasGivenUp = true }
        if let start = text.baseAddress, let output = self.output.baseAddress {
            (output + self.count).copyMemory(from: start, byteCount: text.count)
        }
        self.count += text.count
    }
}

extension PackedJSON {
    /// Packs the object that a JSON text stands for.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - output: Where its bytes are written, from the beginning.
    /// - Returns: How many bytes it takes, and how much it holds; nil if the text is no JSON or no object, has no room
    ///   there, or one of its objects has many members or two of one name.
    public static func pack(
        _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) -> (count: Int, extent: PackedExtent)? {
        guard text.first == UInt8(ascii: "{") else { return nil }
        var builder = PackedJSONBuilder(output: output)
        do throws(JSONSyntaxError) { try JSONParser.read(text, into: &builder) } catch { return nil }
        return builder.hasGivenUp ? nil : (builder.count, builder.extent)
    }
}
