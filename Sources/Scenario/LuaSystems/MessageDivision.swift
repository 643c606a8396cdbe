import JSON
import Machines

/// Tells messages apart that a separator ends, where a text may hold several of them, or a part of one.
///
/// Some put the separator only between the messages of a text. So what is left at the end of a text is a message, too,
/// once it is a whole object or array of JSON, for nothing that follows could make another one of it.
struct MessageDivision {
    /// What has come on a link.
    private struct Begun {
        /// The part of a message that is not whole.
        var bytes: [UInt8] = []

        /// What it has opened and not closed.
        var nesting = JSONNesting()

        /// How many whole ones came before it.
        var predecessors = 0

        /// Whether it is more than white space, which may stand between messages.
        var isMessage: Bool { !self.bytes.allSatisfy(\.isJSONSpace) }

        /// Takes out what is a whole message although no separator ends it; nil if there is none.
        ///
        /// White space behind it stays, for it may begin a separator.
        mutating func takeWhole() -> String? {
            guard self.nesting.isClosed, let end = self.bytes.lastIndex(where: { !$0.isJSONSpace }) else { return nil }
            let message = self.bytes[...end].drop(while: \.isJSONSpace)
            guard (try? JSONReader.read(Array(message))) != nil else {
                self.nesting.giveUp()
                return nil
            }
            let text = String(decoding: message, as: UTF8.self)
            self.bytes.removeSubrange(...end)
            self.nesting = JSONNesting()
            self.predecessors += 1
            return text
        }
    }

    /// The longest message that is taken in, in bytes: as much as one that comes in one text may have.
    static let limit = 16 << 20

    private let separator: [UInt8]
    private var links: [ConnectionID: Begun] = [:]

    /// - Parameter separator: What ends each message; not empty.
    init(at separator: String) {
        self.separator = Array(separator.utf8)
    }

    /// Takes in a text.
    ///
    /// - Returns: What to call with what: the handler `text` with each message that is whole by it, but for empty ones,
    ///   which some send to show that they are alive; and `half` with one that is longer than is taken in.
    mutating func calls(for text: String, on link: ConnectionID) -> [(handler: String, text: String)] {
        // Taken out while it changes, so that what has come of a long message is not copied with each text.
        var begun = self.links.removeValue(forKey: link) ?? Begun()
        let oldCount = begun.bytes.count
        var place = max(0, oldCount - self.separator.count + 1)
        begun.bytes += text.utf8
        var calls: [(handler: String, text: String)] = []
        var start = 0
        while place + self.separator.count <= begun.bytes.count {
            guard let end = begun.bytes[place...].firstIndex(of: self.separator[0]) else { break }
            place = end
            guard begun.bytes[place...].starts(with: self.separator) else {
                place += 1
                continue
            }
            let message = begun.bytes[start..<place]
            // What is nothing but a separator ends a message that was whole without it, or shows that a peer is alive.
            if !message.allSatisfy(\.isJSONSpace) {
                calls.append(("text", String(decoding: message, as: UTF8.self)))
                begun.predecessors += 1
            }
            place += self.separator.count
            start = place
        }
        if start > 0 { begun.nesting = JSONNesting() }
        begun.nesting.take(begun.bytes[max(start, oldCount)...])
        begun.bytes.removeFirst(start)
        if begun.bytes.count > Self.limit {
            calls.append(("half", String(decoding: begun.bytes, as: UTF8.self)))
            begun.bytes = []
            begun.nesting = JSONNesting()
        } else if let message = begun.takeWhole() {
            calls.append(("text", message))
        }
        self.links[link] = begun
        return calls
    }

    /// Forgets a link that ends.
    ///
    /// - Returns: What has come on it of a message that is not whole; nil if there is nothing of the kind, or the link
    ///   was lost with the rest.
    mutating func rest(on link: ConnectionID, endingWith closure: WebSocketClosure) -> String? {
        guard let begun = self.links.removeValue(forKey: link), begun.isMessage, closure.wasClean else { return nil }
        return String(decoding: begun.bytes, as: UTF8.self)
    }

    /// Forgets a link.
    mutating func forget(_ link: ConnectionID) { self.links[link] = nil }

    /// Forgets all links.
    mutating func forget() { self.links = [:] }

    /// The property of a machine by which the engine asks for ``begun``.
    static let property = "begun"

    /// What has come of messages that are not whole: a list of objects with `text` and `predecessors`.
    var begun: JSONValue {
        let begun = self.links.filter(\.value.isMessage).sorted { $0.key.number < $1.key.number }
        return .array(
            begun.map { link, begun in
                [
                    "text": .string("\(begun.bytes.count) bytes that no separator ends, on link \(link.number)"),
                    "predecessors": .integer(Int64(begun.predecessors)),
                ]
            })
    }
}
