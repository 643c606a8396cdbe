import JSON
import Machines

/// The documents that an agent has pushed and that have no outcome yet, or are open.
///
/// | state of a document | input | → state | actions |
/// |---|---|---|---|
/// | | `push` | waiting | the document or its announcement, the time limit |
/// | waiting | accepted, its bytes still here | waiting | the bytes |
/// | waiting | succeeded | open | `document_result` |
/// | waiting | rejected, failed, the time limit | | `document_result` |
/// | waiting, open | closed | | `document_result` |
/// | waiting, open | `forgetAll` | | |
/// | | anything of a document that nobody pushed | | tells that it came |
struct PushedDocuments: Sendable {
    private struct Document: Sendable {
        let id: Int16
        var content: [UInt8]?
        var metadata: String
        /// Whether it is shown, so that it can still be closed.
        var isOpen = false
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// Tell the consumer, in the topic of the screen.
        case say(WindowMessage)
        case setTimer(AssistTimer, Duration)
        case cancelTimer(AssistTimer)
        /// Tell the script what became of a document.
        case report(outcome: String, JSONObject)
        /// Tell the script what is wrong with what the consumer sent.
        case complain(WireComplaint)
    }

    /// How long the agent waits for the outcome of a document (vendor's web SDK).
    private static let patience = Duration.seconds(300)
    private static let limit = 1_000

    private var documents: [Document] = []
    private var next: Int16 = 0
    /// The numbers that other agents have given to documents; what the consumer says names no agent.
    private var othersIDs: Set<Int16> = []

    /// The documents whose timers may run.
    var ids: [Int16] { self.documents.map(\.id) }

    /// Forgets the documents of a session that is over, whose numbers begin anew in the next.
    mutating func forgetAll() -> [Action] {
        defer { self = PushedDocuments() }
        return self.documents.map { .cancelTimer(.document($0.id)) }
    }

    /// Pushes a document.
    ///
    /// - Throws: ``CommandError`` if it cannot be pushed as it is.
    mutating func push(_ document: DocumentArguments) throws(CommandError) -> (id: Int16, actions: [Action]) {
        var id = self.next
        while id < .max, self.othersIDs.contains(id) { id += 1 }
        guard self.documents.count < Self.limit, id < .max else { throw CommandError("too many documents") }
        let metadata = document.metadata ?? ""
        let message: WindowMessage
        if let text = document.data {
            guard let bytes = Base64.decode(text) else { throw CommandError("data is base64 text with padding") }
            self.documents.append(Document(id: id, content: bytes, metadata: metadata))
            message = .pushContentStart(id: id, type: document.type ?? "")
        } else if let url = document.url {
            self.documents.append(Document(id: id, metadata: metadata))
            let suffix = metadata.isEmpty ? "" : "#sharedDocMetadata=" + FormEncoding.percentEncode(metadata)
            message = .pushDocument(id: id, url: url + suffix)
        } else {
            throw CommandError("push_document needs url, or data with type")
        }
        self.next = id + 1
        return (id, [.say(message), .setTimer(.document(id), Self.patience)])
    }

    /// Hears what another agent says, and gives no document the number of one that the other has pushed.
    ///
    /// The vendor's agents count from 0 each, so that one takes for its own what the consumer says about the other's.
    mutating func overheard(_ bytes: [UInt8]) {
        switch WindowMessage(bytes) {
        case .pushDocument(let id, _), .pushContentStart(let id, _): self.othersIDs.insert(id)
        default: break
        }
    }

    /// Notes the window of a document, which may have been pushed by another agent, or before this one came.
    mutating func sawWindow(of topic: Topic) {
        guard let id = topic.metadata["sharedItemId"]?.integer.flatMap(Int16.init(exactly:)) else { return }
        self.othersIDs.insert(id)
    }

    /// Whether this agent has pushed a document with that number, of which it does not know that it is gone.
    func has(_ id: Int64?) -> Bool { self.documents.contains { id == nil || Int64($0.id) == id } }

    /// Asks the consumer to close a document, the one that was pushed last unless another is named.
    ///
    /// - Throws: ``CommandError`` if there is no such document.
    func close(_ wanted: Int64?) throws(CommandError) -> [Action] {
        guard let document = self.documents.last(where: { wanted == nil || Int64($0.id) == wanted }) else {
            throw CommandError("no such document was pushed; take the id that push_document returned")
        }
        return [.say(.closeRequest(id: document.id))]
    }

    /// Takes what the consumer says about a document; other messages change nothing.
    ///
    /// - Parameters:
    ///   - hasScreen: Whether there is a screen whose topic takes the bytes.
    ///   - isAlone: Whether no other agent pushes documents, of which this one hears, too; each counts its own.
    mutating func received(_ message: WindowMessage, hasScreen: Bool, isAlone: Bool) -> [Action] {
        if isAlone, let id = message.answeredDocument, id < 0 || id >= self.next, !self.othersIDs.contains(id) {
            return [.complain(WireComplaint("what became of the document \(id), which was not pushed"))]
        }
        switch message {
        case .documentAccepted(let id): return hasScreen ? self.content(of: id) : []
        case .documentRejected(let id): return self.ended(id, "rejected")
        case .documentSucceeded(let id): return self.ended(id, "succeeded")
        case .documentFailed(let id, let error, let http, let details):
            return self.ended(
                id, "failed",
                [
                    "code": .integer(Int64(error)), "error": .string(DocumentError(rawValue: error)?.word ?? "unknown"),
                    "http": .integer(Int64(http)), "details": .string(details),
                ])
        case .documentClosed(let id, let initiator):
            guard self.documents.contains(where: { $0.id == id }) else { return [] }
            self.documents.removeAll { $0.id == id }
            let fields: JSONObject = [
                "id": .integer(Int64(id)), "outcome": "closed", "by": .string(initiator.word),
            ]
            return [.report(outcome: "closed", fields)]
        default: return []
        }
    }

    /// Gives up waiting for the outcome of a document.
    mutating func timedOut(_ id: Int16) -> [Action] {
        self.ended(
            id, "failed", ["code": 0, "error": "timeout", "http": 0, "details": "no outcome within 5 minutes"])
    }

    private mutating func ended(_ id: Int16, _ outcome: String, _ extra: JSONObject = [:]) -> [Action] {
        guard let index = self.documents.firstIndex(where: { $0.id == id && !$0.isOpen }) else { return [] }
        if outcome == "succeeded" { self.documents[index].isOpen = true } else { self.documents.remove(at: index) }
        let fields: JSONObject = ["id": .integer(Int64(id)), "outcome": .string(outcome)]
        return [.cancelTimer(.document(id)), .report(outcome: outcome, fields.merging(extra))]
    }

    private mutating func content(of id: Int16) -> [Action] {
        guard let index = self.documents.firstIndex(where: { $0.id == id }),
            let content = self.documents[index].content
        else { return [] }
        self.documents[index].content = nil
        var actions: [Action] = []
        var rest = content[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(WindowMessage.chunkLimit))
            actions.append(.say(.contentChunk(id: id, bytes: chunk)))
            rest = rest.dropFirst(WindowMessage.chunkLimit)
        }
        if !self.documents[index].metadata.isEmpty {
            actions.append(.say(.contentMetadata(id: id, text: self.documents[index].metadata)))
        }
        return actions + [.say(.contentEnd(id: id))]
    }
}
