/// Writes JSON values as compact UTF-8 text, members in their order.
public struct JSONWriter: Sendable {
    /// The text written so far.
    public private(set) var bytes: [UInt8]

    private let plainBytes: PlainBytes

    /// Creates a writer with an empty text.
    public init() {
        self.init([], PlainBytes(besides: nil))
    }

    private init(_ bytes: consuming [UInt8], _ plainBytes: PlainBytes) {
        self.bytes = bytes
        self.plainBytes = plainBytes
    }

    /// Creates a writer with room for a text.
    public init(reservingCapacity count: Int) {
        self.init()
        self.bytes.reserveCapacity(count)
    }

    /// Creates a writer that goes on with a text.
    ///
    /// - Parameters:
    ///   - bytes: What stands before what is written.
    ///   - character: An ASCII character that is escaped in texts although JSON does not ask for it.
    public init(continuing bytes: consuming [UInt8], escaping character: UInt8? = nil) {
        self.init(bytes, PlainBytes(besides: character))
    }

    /// Returns a value as compact text.
    public static func write(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 128)
        writer.append(value)
        return writer.bytes
    }

    /// Appends a value.
    ///
    /// A double that JSON cannot express (infinite or not a number) is written as `null`.
    public mutating func append(_ value: JSONValue) {
        switch value {
        case .null: self.append(literal: "null")
        case .bool(let truth): self.append(literal: truth ? "true" : "false")
        case .integer(let number): self.append(integer: number)
        case .double(let number): self.append(number: number)
        case .numeral(let text): self.bytes.append(contentsOf: text.utf8)
        case .string(let text): self.append(text)
        case .array(let elements):
            self.bytes.append(UInt8(ascii: "["))
            elements.withUnsafeBufferPointer { elements in
                for index in elements.indices {
                    if index > 0 { self.bytes.append(UInt8(ascii: ",")) }
                    self.append(elements[index])
                }
            }
            self.bytes.append(UInt8(ascii: "]"))
        case .object(let members): self.append(members: members)
        }
    }

    /// Appends an object.
    public mutating func append(members object: JSONObject) {
        self.bytes.append(UInt8(ascii: "{"))
        object.members.withUnsafeBufferPointer { members in
            for index in members.indices {
                self.append(name: members[index].name, isFirst: index == 0)
                self.append(members[index].value)
            }
        }
        self.bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the name of a member with the signs around it.
    private mutating func append(name: String, isFirst: Bool) {
        Self.withUTF8(of: name) { utf8 in
            guard self.plainBytes.end(of: utf8, from: 0) < utf8.count else {
                return self.append(plainName: utf8, isFirst: isFirst)
            }
            if !isFirst { self.bytes.append(UInt8(ascii: ",")) }
            self.append(text: utf8)
            self.bytes.append(UInt8(ascii: ":"))
        }
    }

    /// Appends the name of a member, without characters that are escaped, with the signs around it.
    fileprivate mutating func append(plainName utf8: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
        self.bytes.append(addingCapacity: utf8.count + 4) { output in
            Self.write(into: &output) { buffer in
                var place = 0
                if !isFirst {
                    buffer[0] = UInt8(ascii: ",")
                    place = 1
                }
                place += Self.quote(utf8, into: UnsafeMutableRawBufferPointer(rebasing: buffer[place...]))
                buffer[place] = UInt8(ascii: ":")
                return place + 1
            }
        }
    }

    /// Appends an array of what a closure writes for each element, so that they need not all be values at once.
    public mutating func appendArray<Element>(
        _ elements: some Sequence<Element>, _ append: (_ element: Element, inout JSONWriter) -> Void
    ) {
        self.bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { self.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, &self)
        }
        self.bytes.append(UInt8(ascii: "]"))
    }

    /// Appends an object of some members that are values and some that closures write, in this order.
    ///
    /// - Parameter written: Their names must not be among the values'.
    public mutating func appendObject(
        _ values: JSONObject, _ written: KeyValuePairs<String, (inout JSONWriter) -> Void>
    ) {
        self.bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        func begin(_ name: String, _ writer: inout JSONWriter) {
            if !isFirst { writer.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            writer.append(name)
            writer.bytes.append(UInt8(ascii: ":"))
        }
        for (name, value) in values {
            begin(name, &self)
            self.append(value)
        }
        for (name, write) in written {
            begin(name, &self)
            write(&self)
        }
        self.bytes.append(UInt8(ascii: "}"))
    }

    /// Appends an object whose members a closure writes one after another.
    public mutating func appendMembers(_ write: (inout JSONMemberWriter) -> Void) {
        // The bytes are the members' alone while they are written: with two owners the first of them copied them all.
        var members = JSONMemberWriter(JSONWriter(exchange(&self.bytes, with: []), self.plainBytes))
        write(&members)
        self = (consume members).finish()
    }

    /// Appends an integer.
    public mutating func append(integer number: Int64) {
        // All in one, for each time there is made room costs more than the digits.
        self.bytes.append(addingCapacity: 20) { output in
            if number < 0 { output.append(UInt8(ascii: "-")) }
            Self.write(into: &output) { buffer in
                var (rest, count) = (number.magnitude, 1)
                while rest >= 10 { (rest, count) = (rest / 10, count + 1) }
                rest = number.magnitude
                for place in stride(from: count - 1, through: 0, by: -1) {
                    buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                return count
            }
        }
    }

    /// Appends a number; one that JSON cannot express is written as `null`.
    public mutating func append(number: Double) {
        self.bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    }

    /// Appends what is written as it stands: a word such as `true`, or a sign between values.
    public mutating func append(literal: StaticString) {
        guard literal.utf8CodeUnitCount != 1 else { return self.bytes.append(literal.utf8Start.pointee) }
        self.bytes.append(addingCapacity: literal.utf8CodeUnitCount) { output in
            Self.write(into: &output) { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(literal.bytes))
                return literal.utf8CodeUnitCount
            }
        }
    }

    /// Appends a text in quotes.
    public mutating func append(_ text: String) {
        Self.withUTF8(of: text) { self.append(text: $0) }
    }

    /// Calls a closure with the bytes of a text, of which no copy is made that somebody had to own.
    private static func withUTF8(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard text.utf8.withContiguousStorageIfAvailable(body) == nil else { return }
        var text = text
        text.withUTF8(body)
    }

    /// Appends a text in quotes.
    ///
    /// - Parameter utf8: Valid UTF-8.
    public mutating func append(text utf8: UnsafeBufferPointer<UInt8>) {
        guard self.plainBytes.end(of: utf8, from: 0) < utf8.count else {
            // Most texts are plain, and then all of it is written at once.
            return self.bytes.append(addingCapacity: utf8.count + 2) { output in
                Self.write(into: &output) { Self.quote(utf8, into: $0) }
            }
        }
        self.bytes.append(UInt8(ascii: "\""))
        for start in stride(from: 0, to: utf8.count, by: Self.partLength) {
            let part = UnsafeBufferPointer(rebasing: utf8[start..<min(utf8.count, start + Self.partLength)])
            self.bytes.append(addingCapacity: PlainBytes.mostEscaped(of: part.count)) { output in
                Self.write(into: &output) { self.plainBytes.escape(part, into: $0) }
            }
        }
        self.bytes.append(UInt8(ascii: "\""))
    }

    /// Texts with escapes are written in parts of so many bytes, for there must be room for six times as many.
    private static let partLength = 512

    /// Writes a text without characters that are escaped, and returns how many bytes it takes.
    @inline(__always)
    private static func quote(
        _ utf8: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        buffer[0] = UInt8(ascii: "\"")
        UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: UnsafeRawBufferPointer(utf8))
        buffer[utf8.count + 1] = UInt8(ascii: "\"")
        return utf8.count + 2
    }

    /// Writes what a closure puts into the room that is left, which returns how many bytes that was.
    @inline(__always)
    private static func write(
        into output: inout OutputSpan<UInt8>, _ write: (UnsafeMutableRawBufferPointer) -> Int
    ) {
        output.withUnsafeMutableBufferPointer { buffer, count in
            count += write(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...])))
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON text.
    public var description: String {
        String(decoding: JSONWriter.write(self), as: UTF8.self)
    }
}

/// Writes the members of an object one after another, without a value for the whole of it.
public struct JSONMemberWriter: Sendable {
    private var writer: JSONWriter
    private var isFirst = true

    init(_ writer: consuming JSONWriter) {
        self.writer = writer
        self.writer.append(literal: "{")
    }

    /// Writes the name of the next member; none may come twice.
    private mutating func begin(_ name: StaticString) {
        self.writer.append(plainName: name.bytes, isFirst: self.isFirst)
        self.isFirst = false
    }

    /// Adds a text; none if there is none.
    ///
    /// - Parameter name: Without characters that JSON escapes; this holds for the other kinds of members, too.
    public mutating func add(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.begin(name)
        self.writer.append(text)
    }

    /// Adds an integer; none if there is none.
    public mutating func add(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.begin(name)
        self.writer.append(integer: number)
    }

    /// Adds an integer; none if there is none.
    public mutating func add(_ name: StaticString, _ number: Int?) { self.add(name, number.map { Int64($0) }) }

    /// Adds the word `true` or `false`.
    public mutating func add(_ name: StaticString, _ truth: Bool) {
        self.begin(name)
        self.writer.append(literal: truth ? "true" : "false")
    }

    /// Adds a value; none if there is none.
    public mutating func add(_ name: StaticString, value: JSONValue?) {
        guard let value else { return }
        self.begin(name)
        self.writer.append(value)
    }

    /// Adds an array of texts.
    public mutating func add(_ name: StaticString, _ texts: [String]) {
        self.begin(name)
        self.writer.appendArray(texts) { text, writer in writer.append(text) }
    }

    /// Adds the value that a closure writes.
    public mutating func add(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.begin(name)
        write(&self.writer)
    }

    /// Adds an object.
    public mutating func add(_ name: StaticString, _ object: JSONObject) {
        self.begin(name)
        self.writer.append(members: object)
    }

    consuming func finish() -> JSONWriter {
        self.writer.append(literal: "}")
        return self.writer
    }
}

extension StaticString {
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self.utf8Start, count: self.utf8CodeUnitCount)
    }
}
