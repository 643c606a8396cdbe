import HTTPTypes
import JSON
import Machines

/// The documents on the consumer's screen, that an agent pushes or the consumer shares.
///
/// | a document | input | → the document | actions |
/// |---|---|---|---|
/// | | `received` a push | asking | `document_requested` |
/// | | `received` a push of a URL, nobody to ask | fetching | accepts; fetches |
/// | | `received` a push of content, nobody to ask | receiving | accepts |
/// | | `received` a push while paused or zooming, of a type that cannot be shown, one too many | | `document_error` |
/// | any pushed one | `received` the same push | unchanged | `error` 30102 |
/// | asking | `answered` yes | fetching or receiving | accepts; fetches |
/// | asking | `answered` no | | rejects |
/// | receiving | `received` the end of the content | opening | opens a topic |
/// | receiving | `received` too much, nothing, or what is not of its type | | `document_error` |
/// | none that was pushed | `received` a piece, its metadata, the end, or a wish to close it | | `error` 30102 |
/// | any but receiving | `received` a piece or the end | unchanged | `error` 30102 |
/// | | `shareAsked` a URL, somebody watches | fetching | fetches |
/// | | `shareAsked` content, somebody watches | opening | opens a topic |
/// | fetching | `fetched` | opening | `completed`; opens a topic |
/// | fetching | `fetched` something else, `fetchFailed` | | `completed`, `document_error` |
/// | opening | `topicOpened` | open | `document_opened` |
/// | open | `joined` by somebody | open | says where its window is |
/// | open | `windowClosed`, `closeAsked` | | `document_closed` |
/// | any pushed one | `received` a wish to close it | | `document_closed` |
/// | any | `sessionLeft`, `sessionBegan` | | `document_closed` for the open ones, if it is said |
struct DocumentPart: Sendable {
    /// What happens to documents.
    enum Input: Sendable {
        case received(WindowMessage, from: UInt16)
        /// Without a key the one that came last is meant.
        case answered(Bool, key: Int64?)
        /// The agent's number of it, or the own one; without both the one that came last is meant.
        case closeAsked(id: Int64?, key: Int64?)
        case shareAsked(url: String?, data: String?, type: String?)
        case fetched(Int64, Response)
        case fetchFailed(Int64, String)
        case topicOpened(Topic)
        /// Somebody has come into that topic.
        case joined(UInt16)
        /// An agent has closed the window of that topic.
        case windowClosed(UInt16)
        case sessionLeft(WireInitiator, isSilent: Bool)
        case sessionBegan
    }

    /// A document may have at most this many bytes, and a session this many documents; defined here.
    private static let sizeLimit = 16 * 1024 * 1024
    private static let limit = 100

    private(set) var documents: [SharedDocument] = []
    private var number: Int64 = 0
    /// The highest number that each agent has given to a document; they count from 0 (vendor's web SDK).
    private var lastIDs: [UInt16: Int16] = [:]

    /// Whether the window of a document is open.
    var hasOpen: Bool { self.documents.contains { $0.state == .open } }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .received(let message, let source): return self.receive(message, from: source, context)
        case .answered(let isAccepted, let key): return self.answer(isAccepted, key, context)
        case .closeAsked(let id, let key): return self.close(id: id, key: key, context)
        case .shareAsked(let url, let data, let type): return self.share(url, data, type, context)
        case .fetched(let key, let response): return self.fetched(key, response, context)
        case .fetchFailed(let key, let reason): return self.fail(key, .connection, reason, context)
        case .topicOpened(let topic): return self.opened(topic, context)
        case .joined(let topic):
            guard self.documents.contains(where: { $0.topic == topic }) else { return [] }
            let box = Self.window(context)
            return [
                .say(
                    .windowResized(width: Int16(clamping: box.width), height: Int16(clamping: box.height)), on: topic),
                .say(.windowMoved(x: Int16(clamping: box.x), y: Int16(clamping: box.y), isMoving: false), on: topic),
            ]
        case .windowClosed(let topic):
            guard context.configuration.documents.canClose,
                let index = self.documents.firstIndex(where: { $0.topic == topic })
            else { return [] }
            return self.close(at: index, by: .agent, context)
        case .sessionLeft(let initiator, let isSilent):
            defer { self.documents = [] }
            return self.documents.filter { $0.state == .open }.flatMap { document in
                let window = document.topic.map { [ConsumerAction.say(.windowClosed(initiator), on: $0)] } ?? []
                return window + Self.farewell(document, initiator, context)
                    + (isSilent ? [] : [Self.closed(document, by: initiator, context)])
            }
        case .sessionBegan:
            self.documents = []
            self.lastIDs = [:]
            return []
        }
    }

    private func index(of id: Int16, from agent: UInt16?) -> Int? {
        self.documents.firstIndex { $0.id == id && $0.agent == agent }
    }

    /// The document that an agent wants closed: its own, or one of that number of an agent who is gone, for who comes
    /// back after a lost connection has another number in the session.
    private func index(toClose id: Int16, for agent: UInt16, _ context: CobrowseContext) -> Int? {
        self.index(of: id, from: agent)
            ?? self.documents.lastIndex { document in
                document.id == id && document.agent.map { context.agents[$0] == nil } ?? false
            }
    }

    private func index(key: Int64) -> Int? { self.documents.firstIndex { $0.key == key } }

    private static func fields(of document: SharedDocument, _ context: CobrowseContext) -> JSONObject {
        var fields: JSONObject = [
            "document": .integer(document.key), "id": .integer(Int64(document.id)),
            "type": .string(document.type),
            "metadata": .string(document.metadata), "size": .integer(Int64(document.bytes.count)),
        ]
        fields["url"] = document.url.map { .string($0) }
        fields["agent"] = document.agent.flatMap { context.agents[$0] }.map { .string($0.name) }
        return fields
    }

    private static func reply(_ message: WindowMessage, _ context: CobrowseContext)
        -> [ConsumerAction]
    {
        context.directory.screen.map { [.say(message, on: $0.id)] } ?? []
    }

    // MARK: Pushed by an agent

    /// Takes a message about a document that an agent pushes.
    private mutating func receive(
        _ message: WindowMessage, from source: UInt16, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        switch message {
        case .pushDocument(let id, let text):
            let parts = text.split(separator: "#sharedDocMetadata=", maxSplits: 1).map(String.init)
            let metadata = parts.count > 1 ? FormEncoding.percentDecode(parts[1]) : ""
            return self.begin(id, source, type: "", url: parts.first ?? text, metadata: metadata, context)
        case .pushContentStart(let id, let type):
            return self.begin(id, source, type: type.lowercased(), url: nil, metadata: "", context)
        case .contentChunk(let id, let bytes):
            guard let index = self.index(of: id, from: source), self.documents[index].state == .receiving
            else { return self.misfit("a piece of the document", id, from: source) }
            guard self.documents[index].bytes.count + bytes.count <= Self.sizeLimit else {
                return self.fail(
                    self.documents[index].key, .parsing, "the document is larger than 16 MiB", context)
            }
            self.documents[index].bytes += bytes
            return []
        case .contentMetadata(let id, let text):
            guard let index = self.index(of: id, from: source) else {
                return self.misfit("the metadata of the document", id, from: source)
            }
            self.documents[index].metadata = text
            return []
        case .contentEnd(let id):
            guard let index = self.index(of: id, from: source), self.documents[index].state == .receiving
            else { return self.misfit("the end of the document", id, from: source) }
            guard !self.documents[index].bytes.isEmpty else {
                return self.fail(self.documents[index].key, .noData, "the document is empty", context)
            }
            return self.open(at: index, context)
        case .closeRequest(let id):
            guard let index = self.index(toClose: id, for: source, context) else {
                return self.misfit("a wish to close the document", id, from: source)
            }
            return context.configuration.documents.canClose ? self.close(at: index, by: .agent, context) : []
        default: return []
        }
    }

    /// Tells that something came of a document for which it is not the time.
    private func misfit(_ what: String, _ id: Int16, from source: UInt16) -> [ConsumerAction] {
        // What an agent sent before it heard that a document is gone is no mistake.
        let isOver = self.index(of: id, from: source) == nil && id <= self.lastIDs[source] ?? -1
        guard !isOver else { return [] }
        let reason = "the agent sent \(what) \(id), which is not under way"
        return [.fail(.assistTransportFailure, reason)]
    }

    private mutating func begin(
        _ id: Int16, _ source: UInt16, type: String, url: String?, metadata: String,
        _ context: CobrowseContext
    ) -> [ConsumerAction] {
        guard self.index(of: id, from: source) == nil else {
            return [.fail(.assistTransportFailure, "the agent pushed the document \(id) once more")]
        }
        self.lastIDs[source] = max(id, self.lastIDs[source] ?? id)
        self.number += 1
        let document = SharedDocument(
            agent: source, id: id, state: .asking, type: type, url: url, metadata: metadata,
            key: self.number)
        self.documents.append(document)
        guard self.documents.count <= Self.limit else {
            return self.fail(document.key, .parsing, "\(Self.limit) documents are open already", context)
        }
        if let obstacle = context.obstacle {
            return self.fail(document.key, .cobrowseNotActive, obstacle, context)
        }
        if url == nil, ContentFormat(type: type) == nil {
            return self.failForType(document.key, type, http: 0, context)
        }
        guard context.configuration.delegates.hasPush else { return self.accept(document.key, context) }
        let fields = Self.fields(of: document, context)
        return [.emit(.documentRequested, "displaySharedDocumentRequested(_:allow:deny:)", fields)]
    }

    private mutating func answer(_ isAccepted: Bool, _ key: Int64?, _ context: CobrowseContext)
        -> [ConsumerAction]
    {
        let key = key ?? self.documents.last { $0.state == .asking }?.key
        guard let index = key.flatMap({ self.index(key: $0) }), self.documents[index].state == .asking
        else {
            let reason = "no document waits for an answer; expect \"document_requested\" first"
            return [.answer(.refused(reason))]
        }
        guard !isAccepted else { return self.accept(self.documents[index].key, context) }
        return Self.reply(.documentRejected(id: self.documents.remove(at: index).id), context)
    }

    /// Accepts a document that waits for an answer.
    private mutating func accept(_ key: Int64, _ context: CobrowseContext) -> [ConsumerAction] {
        guard let index = self.index(key: key), self.documents[index].state == .asking else {
            return []
        }
        let reply = Self.reply(.documentAccepted(id: self.documents[index].id), context)
        guard let url = self.documents[index].url else {
            self.documents[index].state = .receiving
            return reply
        }
        self.documents[index].state = .fetching
        guard let request = Self.request(for: url, context.origin) else {
            return reply + self.fail(key, .connection, "the URL cannot be read", context)
        }
        return reply + [.ask(.document(key), Request(request))]
    }

    private static func request(for url: String, _ origin: Origin) -> HTTPRequest? {
        guard url.hasPrefix("/") else { return WebAddress(url)?.request(.get) }
        return url.utf8.count <= 4096 && url.isVisibleASCII ? origin.request(.get, url) : nil
    }

    /// Shows a document that was fetched, or says why it cannot be shown.
    private mutating func fetched(
        _ key: Int64, _ response: Response, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        guard let index = self.index(key: key) else { return [] }
        let status = response.head.status.code
        let isFetched = response.head.status.kind == .successful
        let fields = Self.fields(of: self.documents[index], context).merging([
            "status": .integer(Int64(status))
        ])
        let callback = isFetched ? "documentFinished(downloading:)" : "documentFailed(toDownload:)"
        let event = ConsumerAction.emit(.completed, callback, fields)
        guard isFetched else {
            return [event] + self.fail(key, .http, http: status, "the server answered \(status)", context)
        }
        let type = (response.head.headerFields[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
        guard ContentFormat(type: type) != nil else {
            return [event] + self.failForType(key, type, http: status, context)
        }
        guard !response.body.isEmpty, response.body.count <= Self.sizeLimit else {
            return [event]
                + self.fail(key, .noData, http: status, "the document is empty or too large", context)
        }
        self.documents[index].type = type
        self.documents[index].bytes = response.body
        return [event] + self.open(at: index, http: status, context)
    }

    // MARK: Failures

    private mutating func failForType(
        _ key: Int64, _ type: String, http: Int, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        let reason = "the type \(type) cannot be displayed"
        return self.fail(key, .mimeType, http: http, reason, context) + [
            .fail(.unknownMimeType, reason)
        ]
    }

    /// Forgets a document and tells agent and script why.
    private mutating func fail(
        _ key: Int64, _ error: DocumentError, http: Int = 0, _ details: String,
        _ context: CobrowseContext
    ) -> [ConsumerAction] {
        guard let index = self.index(key: key) else { return [] }
        let document = self.documents.remove(at: index)
        let message = WindowMessage.documentFailed(
            id: document.id, error: error.rawValue, http: Int16(clamping: http), details: details)
        let callback = document.agent == nil ? "onConsumerDocError(_:reason:)" : "onError(_:reason:)"
        let fields = Self.fields(of: document, context).merging(Self.reason(error, details))
        return (document.agent == nil ? [] : Self.reply(message, context))
            + [.emit(.documentError, callback, fields)]
    }

    /// The fields that say why something could not be shown.
    static func reason(_ error: DocumentError, _ details: String) -> JSONObject {
        ["code": .integer(Int64(error.rawValue)), "error": .string(error.word), "reason": .string(details)]
    }

    // MARK: Windows

    /// Opens a window for a document that is whole, if it is what its type says.
    private mutating func open(at index: Int, http: Int = 0, _ context: CobrowseContext) -> [ConsumerAction] {
        let (key, type) = (self.documents[index].key, self.documents[index].type)
        guard ContentFormat.isReadable(self.documents[index].bytes, as: type) else {
            return self.fail(key, .parsing, http: http, "the document cannot be read as \(type)", context)
        }
        guard let screen = context.directory.screen else { return [] }
        self.documents[index].state = .opening
        let document = self.documents[index]
        var metadata: JSONObject = [
            "type": "shared-window", "moveable": true, "resizeable": true, "interactive": true,
            "closeable": .bool(context.configuration.documents.canClose), "zoomable": true,
            "sharedItemId": document.agent == nil ? "local" : .integer(Int64(document.id)),
            "key": .integer(document.key),
        ]
        // An agent knows what it has pushed; of what the consumer shares the type is told, which is defined here.
        if document.agent == nil { metadata["contentType"] = .string(document.type) }
        return [.send(TopicFrame(.openTopic, topic: screen.id, json: .object(metadata)))]
    }

    /// Shows a document in the window that the server has confirmed.
    private mutating func opened(_ topic: Topic, _ context: CobrowseContext) -> [ConsumerAction] {
        guard let key = topic.metadata["key"]?.integer, let index = self.index(key: key),
            self.documents[index].state == .opening
        else { return [] }
        self.documents[index].state = .open
        self.documents[index].topic = topic.id
        let document = self.documents[index]
        let box = Self.window(context)
        let fields: JSONObject = [
            "x": .integer(Int64(box.x)), "y": .integer(Int64(box.y)), "width": .integer(Int64(box.width)),
            "height": .integer(Int64(box.height)),
        ]
        return (document.agent == nil ? [] : Self.reply(.documentSucceeded(id: document.id), context))
            + [.emit(.documentOpened, "onOpened(_:)", Self.fields(of: document, context).merging(fields))]
    }

    /// Where a document is shown: the screen less the margins of the configuration.
    private static func window(_ context: CobrowseContext) -> ScreenElement.Box {
        let margins = context.configuration.documents.margins
        let left = margins?.left ?? 0
        let top = margins?.top ?? 0
        return ScreenElement.Box(
            x: left, y: top, width: max(0, context.screen.width - left - (margins?.right ?? 0)),
            height: max(0, context.screen.height - top - (margins?.bottom ?? 0)))
    }

    /// Closes a document for the consumer.
    private mutating func close(id: Int64?, key: Int64?, _ context: CobrowseContext) -> [ConsumerAction] {
        let index = self.documents.lastIndex {
            (key == nil || $0.key == key) && (id == nil || Int64($0.id) == id)
        }
        guard let index, self.documents[index].state == .open else {
            return [.answer(.refused("no such document is open; expect \"document_opened\" first"))]
        }
        guard context.configuration.documents.canClose else {
            let reason = "the document has no close link, since addSharedDocCloseListener is false"
            return [.answer(.refused(reason))]
        }
        return self.close(at: index, by: .consumer, context)
    }

    private mutating func close(
        at index: Int, by initiator: WireInitiator, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        let document = self.documents.remove(at: index)
        let window: [ConsumerAction]? = document.topic.map {
            [.say(.windowClosed(initiator), on: $0), .send(TopicFrame(.closeTopic, topic: $0))]
        }
        return (window ?? []) + Self.farewell(document, initiator, context)
            + [Self.closed(document, by: initiator, context)]
    }

    /// What tells the agent who has pushed a document that it is gone, which only the iOS client does.
    private static func farewell(
        _ document: SharedDocument, _ initiator: WireInitiator, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        document.agent == nil ? [] : self.reply(.documentClosed(id: document.id, initiator), context)
    }

    /// The event that a document is gone, and who closed it.
    private static func closed(
        _ document: SharedDocument, by initiator: WireInitiator, _ context: CobrowseContext
    ) -> ConsumerAction {
        // The numbers of the iOS enumeration, which has agent and consumer the other way round from the wire.
        let numbers: [WireInitiator: Int64] = [.unknown: 0, .agent: 1, .consumer: 2, .supportEnded: 3]
        let callback = document.agent == nil ? "onConsumerDocClosed(_:by:)" : "onClosed(_:by:)"
        let fields: JSONObject = [
            "by": .string(initiator.word), "initiator": .integer(numbers[initiator] ?? 0),
        ]
        return .emit(.documentClosed, callback, Self.fields(of: document, context).merging(fields))
    }

    // MARK: Shared by the consumer

    /// Shows a document of the consumer's own, while somebody watches.
    private mutating func share(
        _ url: String?, _ data: String?, _ type: String?, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        let error = ErrorCode.assistConsumerDocumentShareFailedNotScreenSharing
        guard context.isActive else {
            let reason =
                "a document is shared only while co-browsing is active; wait for \"cobrowse_active\""
            return [.fail(error, reason)]
        }
        if let obstacle = context.obstacle {
            return [.fail(error, "no document is shared while \(obstacle); wait until that is over")]
        }
        guard self.documents.count < Self.limit else {
            return [.answer(.refused("too many documents are open"))]
        }
        self.number += 1
        var document = SharedDocument(
            agent: nil, id: -1, state: .fetching, type: type?.lowercased() ?? "", url: url, metadata: "",
            key: self.number)
        let answer = ConsumerAction.answer(.done(.integer(document.key)))
        if let data {
            guard let bytes = Base64.decode(data) else {
                return [.answer(.refused("data is base64 text with padding"))]
            }
            document.bytes = bytes
            document.url = nil
            self.documents.append(document)
            guard ContentFormat(type: document.type) != nil else {
                return self.failForType(document.key, document.type, http: 0, context)
            }
            return self.open(at: self.documents.count - 1, context) + [answer]
        }
        guard let url, let request = Self.request(for: url, context.origin) else {
            return [.answer(.refused("share_document needs url or data with type; pass one of them"))]
        }
        self.documents.append(document)
        return [.ask(.document(document.key), Request(request)), answer]
    }
}
