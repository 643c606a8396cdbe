internal import JSON

/// JSON text.
struct JSONTextSink: TableSink {
    private var writer = JSONWriter(reservingCapacity: 128)

    /// The text, in UTF-8.
    var bytes: [UInt8] { self.writer.bytes }

    mutating func appendNull() { self.writer.append(literal: "null") }
    mutating func append(bool value: Bool) { self.writer.append(literal: value ? "true" : "false") }
    mutating func append(integer value: Int64) { self.writer.append(integer: value) }
    mutating func append(number value: Double) { self.writer.append(number: value) }
    mutating func append(text utf8: UnsafeBufferPointer<UInt8>) { unsafe self.writer.append(text: utf8) }
    func append(packed object: UnsafeRawBufferPointer) -> Bool { false }

    mutating func beginArray(of count: Int) { self.writer.append(literal: "[") }
    mutating func beginElement(at place: Int) { if place > 0 { self.writer.append(literal: ",") } }
    mutating func endArray() { self.writer.append(literal: "]") }

    mutating func beginObject(of count: Int) { self.writer.append(literal: "{") }
    mutating func append(name utf8: UnsafeBufferPointer<UInt8>, at place: Int) {
        if place > 0 { self.writer.append(literal: ",") }
        unsafe self.writer.append(text: utf8)
        self.writer.append(literal: ":")
    }
    mutating func endObject() { self.writer.append(literal: "}") }
}
