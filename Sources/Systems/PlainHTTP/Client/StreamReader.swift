import JSON
import Machines

/// Makes pieces and text out of the body of a streamed answer.
struct StreamReader: Sendable {
    /// One server-sent event, or one line.
    struct Piece: Hashable, Sendable {
        /// The data of an event, or the line.
        var data: String
        var json: JSONValue?
        /// The name and the last identifier of a server-sent event; nil for lines.
        var event: String?
        var id: String?
        /// The waiting time before a reconnection, where the event has set it.
        var retry: Duration?
        /// The text that it adds to the answer; nil if it adds none.
        var text: String?
        /// Whether the text replaces what came before instead of adding to it.
        var replaces = false
        /// Whether the answer is complete with it.
        var isLast = false
        /// Whether the server says with it that it failed.
        var isFailure = false
        /// Whether something else stands where the text of a chunk of OpenAI's API belongs.
        var hasForeignContent = false
    }

    /// Why a stream cannot be read further.
    struct Overflow: Error, Hashable, Sendable {
        let message: String
    }

    private enum Decoder: Sendable {
        case events(ServerSentEventParser)
        case lines(LineDecoder)
    }

    private var decoder: Decoder
    private let path: JSONPath
    private let done: String?
    private let doneEvent: String?
    private let limit: Int

    /// The waiting time that the last event told of.
    private var retry: Duration?

    /// With this path the data itself is the text, whether it is a JSON string or no JSON at all.
    private static let everything = JSONPath.known("$")

    let mode: StreamMode

    /// The answer so far; messages of their own stand on lines of their own.
    private(set) var text = ""

    /// What the server said last of a failure, by a piece of JSON with an `error` and without text, as OpenAI's API
    /// does; nil if text came after it. vLLM, for one, ends such a stream with its mark all the same.
    private(set) var toldFailure: String?

    /// Why a chunk of OpenAI's API says that the answer ended, such as `stop`, `length` or `content_filter`.
    private(set) var finishReason: String?

    /// Whether pieces are chunks of OpenAI's API, for nothing says where else their text stands.
    private let readsChunks: Bool

    private static let finishReasons = JSONPath.known("$.choices[0].finish_reason")

    /// The server-sent event by which servers say that they failed: Gradio, Anthropic and many others.
    private static let failureEvent = "error"

    /// So many characters of a failure are told.
    private static let failureLimit = 200

    /// Creates a reader.
    init(_ format: StreamFormat, options: RequestOptions) {
        let mode = options.mode ?? StreamMode(of: format)
        self.mode = mode
        self.path = options.piece ?? mode.piece
        self.readsChunks = options.piece == nil && mode == .deltas
        self.limit = options.bodyLimit
        switch format {
        case .events:
            self.decoder = .events(ServerSentEventParser(limit: options.bodyLimit))
            self.done = options.done ?? mode.done
            self.doneEvent = options.doneEvent ?? mode.doneEvent
        case .lines:
            self.decoder = .lines(LineDecoder(limit: options.bodyLimit))
            self.done = options.done
            self.doneEvent = nil
        }
    }

    /// What must come before the end of the body, in words; nil if the end of the body is the end.
    var awaitedEnd: String? {
        if let done = self.done, !done.isEmpty { return "the data \(done)" }
        if let event = self.doneEvent, !event.isEmpty { return "the event \"\(event)\"" }
        return nil
    }

    /// Whether a server-sent event has begun and has not ended: what the end of the body cuts off, the server has lost.
    var isWithinEvent: Bool {
        guard case .events(let parser) = self.decoder else { return false }
        return parser.isWithinEvent
    }

    /// What a reconnection goes by, as scripts see it: `last_event_id`, which a server may set without an event and an
    /// empty one takes back, and `retry` in seconds, as far as the stream has set them.
    var reconnection: JSONObject {
        guard case .events(let parser) = self.decoder else { return [:] }
        var fields: JSONObject = [:]
        if !parser.lastEventID.isEmpty { fields["last_event_id"] = .string(parser.lastEventID) }
        fields["retry"] = parser.retry?.json
        return fields
    }

    /// Takes the next piece out of bytes that arrived.
    ///
    /// - Returns: Nil if more bytes are needed; all were taken then.
    mutating func next(_ bytes: Span<UInt8>, at offset: inout Int) throws(Overflow) -> Piece? {
        switch self.decoder {
        case .events(var parser):
            // The state lets go of the parser, so that it is changed in place.
            self.decoder = .lines(LineDecoder(limit: 0))
            let event: ServerSentEvent?
            do throws(ServerSentEventOverflow) {
                event = try parser.next(bytes, at: &offset)
            } catch {
                // What the parser knows of a reconnection is still asked for.
                self.decoder = .events(parser)
                throw Overflow(message: "an event of the stream is longer than \(error.limit) bytes")
            }
            self.decoder = .events(parser)
            guard let event else { return nil }
            var piece = Piece(data: event.data, event: event.type)
            if !event.lastEventID.isEmpty { piece.id = event.lastEventID }
            if parser.retry != self.retry { piece.retry = parser.retry }
            self.retry = parser.retry
            return try self.read(piece)
        case .lines(var decoder):
            self.decoder = .lines(LineDecoder(limit: 0))
            let line: [UInt8]?
            do throws(LineOverflow) {
                line = try decoder.next(bytes, at: &offset)
            } catch {
                throw Overflow(message: "a line of the stream is longer than \(error.limit) bytes")
            }
            self.decoder = .lines(decoder)
            guard let line else { return nil }
            return try self.read(Self.piece(line))
        }
    }

    /// Takes in that the body ended; the last line need not have an end.
    mutating func finish() throws(Overflow) -> Piece? {
        guard case .lines(var decoder) = self.decoder, let line = decoder.finish() else { return nil }
        self.decoder = .lines(decoder)
        return try self.read(Self.piece(line))
    }

    private static func piece(_ line: [UInt8]) -> Piece {
        var line = line[...]
        if line.last == 0x0D { line.removeLast() }
        return Piece(data: String(decoding: line, as: UTF8.self))
    }

    // MARK: Meaning

    private mutating func read(_ found: Piece) throws(Overflow) -> Piece {
        var piece = found
        let isMark = self.done.map { !$0.isEmpty && piece.data == $0 } ?? false
        piece.isLast = isMark || piece.event != nil && piece.event == self.doneEvent
        piece.isFailure = piece.event == Self.failureEvent && !piece.isLast
        guard !isMark else { return piece }
        piece.json = try? JSONReader.readUnambiguous(piece.data.utf8)
        guard !piece.isFailure else { return piece }
        if self.readsChunks, let json = piece.json { self.readChunk(json, of: &piece) }
        let texts = self.texts(of: piece)
        if texts.allSatisfy(\.isEmpty) {
            if let told = Self.failure(in: piece) { self.toldFailure = told }
        } else {
            self.toldFailure = nil
        }
        guard !texts.isEmpty else { return piece }
        try self.add(texts.joined(), to: &piece)
        return piece
    }

    private mutating func readChunk(_ json: JSONValue, of piece: inout Piece) {
        piece.hasForeignContent = self.path.values(in: json).contains { $0.string == nil && $0 != .null }
        let reason = Self.finishReasons.values(in: json).first?.string
        if let reason, !reason.isEmpty { self.finishReason = reason }
    }

    /// Returns what a piece says of a failure: the message of its `error`, or all of it.
    private static func failure(in piece: Piece) -> String? {
        guard let problem = piece.json?["error"] else { return nil }
        let message = problem.string ?? problem["message"]?.string
        guard message?.isEmpty == false || problem.object?.isEmpty == false else { return nil }
        return String((message ?? piece.data).prefix(Self.failureLimit))
    }

    private func texts(of piece: Piece) -> [String] {
        guard self.path != Self.everything else { return [piece.json?.string ?? piece.data] }
        return piece.json.map { self.path.values(in: $0).compactMap(\.string) } ?? []
    }

    private mutating func add(_ text: String, to piece: inout Piece) throws(Overflow) {
        switch self.mode {
        case .deltas:
            guard !text.isEmpty else { return }
            piece.text = text
            self.text += text
        case .messages:
            piece.text = text
            self.text += self.text.isEmpty ? text : "\n" + text
        case .cumulative:
            guard !text.utf8.elementsEqual(self.text.utf8) else { return }
            if text.utf8.starts(with: self.text.utf8) {
                piece.text = String(Substring(text.utf8.dropFirst(self.text.utf8.count)))
            } else {
                piece.text = text
                piece.replaces = true
            }
            self.text = text
        }
        guard self.text.utf8.count <= self.limit else {
            throw Overflow(message: "the text of the stream is longer than \(self.limit) bytes")
        }
    }

    /// What is wrong with a piece, as the code of an error and in words: one that should have been JSON, or whose text
    /// is none and would be missing in the answer.
    func problem(of piece: Piece) -> (code: String, text: String)? {
        if piece.hasForeignContent {
            return ("invalid_stream", "has no text at $.choices[0].delta.content (`piece` says where texts stand)")
        }
        guard piece.json == nil, piece.text == nil, !piece.isLast, !piece.data.isEmpty else { return nil }
        let ambiguity = JSONReader.ambiguity(in: piece.data.utf8)
        return ("invalid_json", ambiguity.map { "cannot be read: \($0)" } ?? "is not JSON")
    }
}
