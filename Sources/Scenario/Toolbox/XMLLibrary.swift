import JSON
import LuaRuntime
import Machines
import Secrets
import XML

/// Documents and streams of XML: `xml`.
enum XMLLibrary {
    private static let readerKey = "xml_reader"

    /// How many instructions a reader is worth.
    private static let readerPrice = 10_000

    /// How many bytes a script may feed to a reader before it takes the events.
    private static let feedLimit = 4 * 1_048_576

    /// The functions of `xml`.
    static var xmlFunctions: [HostFunction] {
        [
            HostFunction("xml.read", parameters: ["text"]) { (call) throws(HostError) in
                let text = try call.bytes(1)
                // A tag becomes a table, which is work of another kind than looking at bytes.
                try call.charge(Self.readerPrice + text.count * 2)
                let node: XMLNode
                do throws(XMLProblem) { node = try XMLReader.read(text) } catch {
                    let shown = Self.shown(text, at: error.offset, without: try call.script().secrets)
                    throw HostError("\(call.name): \(error), of \(shown)", kind: "xml")
                }
                call.push(node.value)
                return .returns
            },
            HostFunction("xml.write", parameters: ["element"]) { (call) throws(HostError) in
                let (name, value) = (call.name, try call.json(1))
                let node = try asFault { () throws(UsageError) in
                    guard value.object != nil else { throw UsageError("\(name) takes an element: a table") }
                    return try XMLNode(value, for: name)
                }
                let text = try Self.asXMLFault(name) { () throws(XMLProblem) in try XMLWriter.write(node) }
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            HostFunction("xml.escape", parameters: ["text"]) { (call) throws(HostError) in
                let text = try call.string(1)
                try call.charge(text.utf8.count / 4)
                call.push(try Self.asXMLFault(call.name) { () throws(XMLProblem) in try XMLWriter.escape(text) })
                return .returns
            },
            HostFunction("xml.reader") { (call) throws(HostError) in
                let script = try call.script()
                try call.charge(Self.readerPrice)
                guard script.xmlReaders.open < XMLReaderHandle.Count.most else {
                    throw HostError.usage(
                        "xml.reader: the script has \(XMLReaderHandle.Count.most) readers of documents that did not "
                            + "end; make one for each connection, not one for each message")
                }
                let type = script.engine.handleType(Self.readerKey) {
                    LuaHandleDeclaration(
                        name: Self.readerKey,
                        methods: Self.readerMethods.map { ($0.name.replacing("reader:", with: ""), $0) })
                }
                call.push(XMLReaderHandle(count: script.xmlReaders), as: type)
                return .returns
            },
        ]
    }

    /// The methods of readers.
    static var readerMethods: [HostFunction] {
        [
            HostFunction("reader:feed", parameters: ["bytes"]) { (call) throws(HostError) in
                let reader = try Self.reader(of: call)
                let bytes = try call.bytes(1)
                guard reader.pendingBytes + bytes.count <= Self.feedLimit else {
                    throw HostError.usage(
                        "reader:feed: more than \(Self.feedLimit) bytes wait; take the events with reader:next()")
                }
                // libexpat looks at what is not complete again each time.
                try call.charge(reader.pendingBytes / 16 + bytes.count)
                reader.feed(bytes)
                return .returns
            },
            HostFunction("reader:finish") { (call) throws(HostError) in
                try Self.reader(of: call).finish()
                return .returns
            },
            HostFunction("reader:next", isVariadic: true) { (call) throws(HostError) in
                let reader = try Self.reader(of: call)
                guard let event = try Self.asXMLFault(call.name, { () throws(XMLProblem) in try reader.next() }) else {
                    call.pushNil()
                    return .returns
                }
                call.push(event.value)
                return .returns
            },
        ]
    }

    private static func reader(of call: borrowing LuaCall) throws(HostError) -> XMLReader {
        guard let handle = try call.receiver(ofTypeNamed: Self.readerKey) as? XMLReaderHandle else {
            throw HostError.argument("\(call.name) is called on a reader of XML")
        }
        return handle.reader
    }

    /// Some of a document, from a little before a place on; one with secrets from its beginning, for whatever is cut
    /// has been masked before.
    private static func shown(_ bytes: [UInt8], at offset: Int?, without secrets: SecretMasker) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let masked = secrets.masked(text)
        let start = masked == text ? max(0, (offset ?? 0) - 30) : 0
        let shown = start == 0 ? masked : "…" + String(decoding: bytes[start...].prefix(200), as: UTF8.self)
        return JSONValue.string(shown).description.shortened(to: 100)
    }

    private static func asXMLFault<Value>(
        _ name: String, _ body: () throws(XMLProblem) -> Value
    ) throws(HostError) -> Value {
        do throws(XMLProblem) { return try body() } catch { throw HostError("\(name): \(error)", kind: "xml") }
    }
}
