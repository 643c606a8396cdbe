import HTTPTypes
import JSON
import Machines

/// Documents that an agent pushes or the consumer shares.
extension ConsumerClient {
    /// The types that the vendor's SDK displays.
    static let documentTypes: Set<String> = [
        "application/pdf", "image/gif", "image/png", "image/jpg", "image/jpeg",
    ]

    private func index(of id: Int16, from agent: UInt16?) -> Int? {
        self.documents.firstIndex { $0.id == id && $0.agent == agent }
    }

    private func index(key: Int64) -> Int? { self.documents.firstIndex { $0.key == key } }

    private func fields(of document: SharedDocument) -> JSONObject {
        var fields: JSONObject = [
            "document": .integer(document.key), "id": .integer(Int64(document.id)), "type": .string(document.type),
            "metadata": .string(document.metadata), "size": .integer(Int64(document.bytes.count)),
        ]
        fields["url"] = document.url.map { .string($0) }
        fields["agent"] = document.agent.flatMap { self.agents[$0] }.map { .string($0.name) }
        return fields
    }

    private func reply(_ message: WindowMessage, in step: inout Step) {
        guard let screen = self.directory.screen else { return }
        self.say(message, on: screen.id, in: &step)
    }

    // MARK: Pushed by an agent

    /// Takes a message about a document that an agent pushes.
    mutating func receivedDocument(_ message: WindowMessage, from source: UInt16, in step: inout Step) {
        switch message {
        case .pushDocument(let id, let text):
            let parts = text.split(separator: "#sharedDocMetadata=", maxSplits: 1).map(String.init)
            let metadata = parts.count > 1 ? FormEncoding.percentDecode(parts[1]) : ""
            self.begin(id, from: source, type: "", url: parts.first ?? text, metadata: metadata, in: &step)
        case .pushContentStart(let id, let type):
            self.begin(id, from: source, type: type.lowercased(), url: nil, metadata: "", in: &step)
        case .contentChunk(let id, let bytes):
            guard let index = self.index(of: id, from: source), self.documents[index].state == .receiving else {
                return
            }
            guard self.documents[index].bytes.count + bytes.count <= Self.documentLimit else {
                return self.documentFailed(
                    self.documents[index].key, .parsing, http: 0, "the document is larger than 16 MiB", in: &step)
            }
            self.documents[index].bytes += bytes
        case .contentMetadata(let id, let text):
            guard let index = self.index(of: id, from: source) else { return }
            self.documents[index].metadata = text
        case .contentEnd(let id):
            guard let index = self.index(of: id, from: source), self.documents[index].state == .receiving else {
                return
            }
            guard !self.documents[index].bytes.isEmpty else {
                return self.documentFailed(
                    self.documents[index].key, .noData, http: 0, "the document is empty", in: &step)
            }
            self.openDocument(at: index, in: &step)
        case .closeRequest(let id):
            guard let index = self.index(of: id, from: source), self.configuration.canCloseDocuments else { return }
            self.closeDocument(at: index, by: .agent, in: &step)
        default: break
        }
    }

    private mutating func begin(
        _ id: Int16, from source: UInt16, type: String, url: String?, metadata: String, in step: inout Step
    ) {
        guard self.index(of: id, from: source) == nil, self.documents.count < Self.documentCount else { return }
        self.documentNumber += 1
        let document = SharedDocument(
            agent: source, id: id, state: .asking, type: type, url: url, metadata: metadata, key: self.documentNumber)
        self.documents.append(document)
        guard !self.isPaused, !self.isZooming else {
            return self.documentFailed(document.key, .cobrowseNotActive, http: 0, "co-browsing is paused", in: &step)
        }
        if url == nil, !Self.documentTypes.contains(type) {
            self.documentFailed(document.key, .mimeType, http: 0, "the type \(type) cannot be displayed", in: &step)
            return self.emit(.unknownMimeType, "the type \(type) cannot be displayed", in: &step)
        }
        guard self.configuration.hasPushDelegate else { return self.accept(document.key, in: &step) }
        self.emit(
            .documentRequested, "displaySharedDocumentRequested(_:allow:deny:)", self.fields(of: document), in: &step)
    }

    /// Accepts a document that waits for an answer.
    mutating func accept(_ key: Int64, in step: inout Step) {
        guard let index = self.index(key: key), self.documents[index].state == .asking else { return }
        self.reply(.documentAccepted(id: self.documents[index].id), in: &step)
        guard let url = self.documents[index].url else {
            self.documents[index].state = .receiving
            return
        }
        self.documents[index].state = .fetching
        guard let request = self.request(for: url) else {
            return self.documentFailed(key, .connection, http: 0, "the URL cannot be read", in: &step)
        }
        self.ask(.document(key), Request(request), in: &step)
    }

    /// Rejects a document that waits for an answer.
    mutating func reject(_ key: Int64, in step: inout Step) {
        guard let index = self.index(key: key), self.documents[index].state == .asking else { return }
        self.reply(.documentRejected(id: self.documents[index].id), in: &step)
        self.documents.remove(at: index)
    }

    private func request(for url: String) -> HTTPRequest? {
        guard url.hasPrefix("/") else { return WebAddress(url)?.request(.get) }
        return url.utf8.count <= 4096 && url.isVisibleASCII ? self.origin.request(.get, url) : nil
    }

    /// Shows a document that was fetched, or says why it cannot be shown.
    mutating func documentFetched(_ key: Int64, _ response: Response, in step: inout Step) {
        guard let index = self.index(key: key) else { return }
        let status = response.head.status.code
        let isFetched = response.head.status.kind == .successful
        self.emit(
            .completed, isFetched ? "documentFinished(downloading:)" : "documentFailed(toDownload:)",
            self.fields(of: self.documents[index]).merging(["status": .integer(Int64(status))]), in: &step)
        guard isFetched else {
            return self.documentFailed(key, .http, http: status, "the server answered \(status)", in: &step)
        }
        let type = (response.head.headerFields[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
        guard Self.documentTypes.contains(type) else {
            self.documentFailed(key, .mimeType, http: status, "the type \(type) cannot be displayed", in: &step)
            return self.emit(.unknownMimeType, "the type \(type) cannot be displayed", in: &step)
        }
        guard !response.body.isEmpty, response.body.count <= Self.documentLimit else {
            return self.documentFailed(key, .noData, http: status, "the document is empty or too large", in: &step)
        }
        self.documents[index].type = type
        self.documents[index].bytes = response.body
        self.openDocument(at: index, in: &step)
    }

    /// Forgets a document and tells agent and script why.
    mutating func documentFailed(
        _ key: Int64, _ error: DocumentError, http: Int, _ details: String, in step: inout Step
    ) {
        guard let index = self.index(key: key) else { return }
        let document = self.documents.remove(at: index)
        if document.agent != nil {
            self.reply(
                .documentFailed(
                    id: document.id, error: error.rawValue, http: Int16(clamping: http), details: details), in: &step)
        }
        self.emit(
            .documentError, document.agent == nil ? "onConsumerDocError(_:reason:)" : "onError(_:reason:)",
            self.fields(of: document).merging([
                "code": .integer(Int64(error.rawValue)), "error": .string(error.word), "reason": .string(details),
            ]), in: &step)
    }

    // MARK: Windows

    private mutating func openDocument(at index: Int, in step: inout Step) {
        guard let screen = self.directory.screen else { return }
        self.documents[index].state = .opening
        let document = self.documents[index]
        let canClose = self.configuration.canCloseDocuments
        let metadata: JSONValue = [
            "type": "shared-window", "moveable": true, "resizeable": true, "interactive": true,
            "closeable": .bool(canClose), "zoomable": true,
            "sharedItemId": document.agent == nil ? "local" : .integer(Int64(document.id)),
            "key": .integer(document.key),
        ]
        self.send(TopicFrame(.openTopic, topic: screen.id, json: metadata), in: &step)
    }

    /// Shows a document in the window that the server has confirmed.
    mutating func documentTopicOpened(_ topic: Topic, in step: inout Step) {
        guard let key = topic.metadata["key"]?.integer, let index = self.index(key: key),
            self.documents[index].state == .opening
        else { return }
        self.documents[index].state = .open
        self.documents[index].topic = topic.id
        let box = self.documentBox
        self.say(
            .windowResized(width: Int16(clamping: box.width), height: Int16(clamping: box.height)), on: topic.id,
            in: &step)
        self.say(
            .windowMoved(x: Int16(clamping: box.x), y: Int16(clamping: box.y), isMoving: false), on: topic.id, in: &step
        )
        let document = self.documents[index]
        if document.agent != nil {
            self.reply(.documentSucceeded(id: document.id), in: &step)
        }
        self.emit(
            .documentOpened, "onOpened(_:)",
            self.fields(of: document).merging([
                "x": .integer(Int64(box.x)), "y": .integer(Int64(box.y)), "width": .integer(Int64(box.width)),
                "height": .integer(Int64(box.height)),
            ]), in: &step)
    }

    /// Where a document is shown: the screen less the margins of the configuration.
    private var documentBox: ScreenElement.Box {
        let margins = self.configuration.documentMargins
        let left = margins?.left ?? 0
        let top = margins?.top ?? 0
        return ScreenElement.Box(
            x: left, y: top, width: max(0, self.screen.width - left - (margins?.right ?? 0)),
            height: max(0, self.screen.height - top - (margins?.bottom ?? 0)))
    }

    /// Takes an agent's wish to close the window of a document.
    mutating func documentWindowClosed(_ topic: UInt16, by initiator: WireInitiator, in step: inout Step) {
        guard self.configuration.canCloseDocuments, let index = self.documents.firstIndex(where: { $0.topic == topic })
        else { return }
        self.closeDocument(at: index, by: initiator, in: &step)
    }

    private mutating func closeDocument(at index: Int, by initiator: WireInitiator, in step: inout Step) {
        let document = self.documents.remove(at: index)
        if let topic = document.topic {
            self.say(.windowClosed(initiator), on: topic, in: &step)
            self.send(TopicFrame(.closeTopic, topic: topic), in: &step)
        }
        if document.agent != nil { self.reply(.documentClosed(id: document.id, initiator), in: &step) }
        self.emitClosed(document, by: initiator, in: &step)
    }

    /// Tells the script that a document is gone, and who closed it.
    func emitClosed(_ document: SharedDocument, by initiator: WireInitiator, in step: inout Step) {
        // The numbers of the iOS enumeration, which has agent and consumer the other way round from the wire.
        let numbers: [WireInitiator: Int64] = [.unknown: 0, .agent: 1, .consumer: 2, .supportEnded: 3]
        let callback = document.agent == nil ? "onConsumerDocClosed(_:by:)" : "onClosed(_:by:)"
        self.emit(
            .documentClosed, callback,
            self.fields(of: document).merging([
                "by": .string(initiator.word), "initiator": .integer(numbers[initiator] ?? 0),
            ]), in: &step)
    }

    /// Closes a document for the consumer.
    mutating func closeDocument(_ key: Int64?, in step: inout Step) -> CommandOutcome {
        let index = key.map { self.index(key: $0) } ?? self.documents.indices.last
        guard let index, self.documents[index].state == .open else {
            return .refused("no such document is open; expect \"document_opened\" first")
        }
        guard self.configuration.canCloseDocuments else {
            return .refused("the document has no close link, since addSharedDocCloseListener is false")
        }
        self.closeDocument(at: index, by: .consumer, in: &step)
        return .done(.null)
    }

    // MARK: Shared by the consumer

    /// Shows a document of the consumer's own, while somebody watches.
    mutating func shareDocument(
        _ url: String?, _ data: String?, type: String?, in step: inout Step
    ) -> CommandOutcome {
        guard self.isActive, !self.isPaused, !self.isZooming else {
            self.emit(
                .assistConsumerDocumentShareFailedNotScreenSharing,
                "a document is shared only while co-browsing is active; wait for \"cobrowse_active\"", in: &step)
            return .done(.null)
        }
        guard self.documents.count < Self.documentCount else { return .refused("too many documents are open") }
        self.documentNumber += 1
        var document = SharedDocument(
            agent: nil, id: -1, state: .fetching, type: type?.lowercased() ?? "",
            url: url, metadata: "", key: self.documentNumber)
        if let text = data {
            guard let bytes = Base64.decode(text) else { return .refused("data is base64 text with padding") }
            document.bytes = bytes
            document.url = nil
            self.documents.append(document)
            guard Self.documentTypes.contains(document.type) else {
                let reason = "the type \(document.type) cannot be displayed"
                self.documentFailed(document.key, .mimeType, http: 0, reason, in: &step)
                self.emit(.unknownMimeType, "the type \(document.type) cannot be displayed", in: &step)
                return .done(.null)
            }
            self.openDocument(at: self.documents.count - 1, in: &step)
            return .done(.integer(document.key))
        }
        guard let url = document.url, let request = self.request(for: url) else {
            return .refused("share_document needs url or data with type; pass one of them")
        }
        self.documents.append(document)
        self.ask(.document(document.key), Request(request), in: &step)
        return .done(.integer(document.key))
    }
}
