import JSON
import Machines

/// A text that comes in pieces (payload `textStream`).
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle | `received`, the start | receiving | counts as unread; `message_updated`; sets the timer |
/// | idle | `received`, the end | idle | the same, then shows the text |
/// | idle | `received`, a late piece, of a text that has ended | idle | `frame` |
/// | idle | `received`, another piece, of a text that never began | idle | `error` |
/// | receiving | `received`, a piece | receiving | `message_updated`; sets the timer |
/// | receiving | `received`, the start once more | receiving | shows the text so far; the same as the start |
/// | receiving | `received`, a late piece of another text | receiving | `frame` |
/// | receiving | `received`, the end | idle | `message_updated`; shows the text |
/// | receiving | `received`, a piece of another text | receiving | shows the former text; the same as the start |
/// | receiving | `received`, the end of another text | idle | shows the former text; the same, then shows this one |
/// | receiving | `silenceElapsed` | idle | shows the text as it is, as if it ended the turn |
/// | receiving | `stopped` | idle | |
struct TextStreamPart: Sendable {
    /// What happens to the text.
    enum Input: Sendable {
        case received(TextStreamPayload, Envelope)
        /// No piece has come for a while.
        case silenceElapsed
        case stopped
    }

    private struct Stream {
        /// The number of the text.
        let id: String?
        /// All that has come.
        var text: String
        /// What the last piece came in.
        var envelope: Envelope
    }

    /// After how long without a piece the text is taken as it is.
    private static let patience = Duration.seconds(5)

    /// Why a piece of a text that has ended, or was taken as it was, is ignored.
    static let late = "it is a late piece of a text that has ended"

    /// At most this many bytes of one text are kept.
    private static let sizeLimit = 1 << 20

    private var stream: Stream?
    /// The latest texts that ended, or were taken as they were, of which pieces that come late or twice are ignored.
    private var ended = RecentNames(limit: 16)

    /// Whether a text is coming in.
    var isReceiving: Bool { self.stream != nil }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .received(let piece, let envelope): return self.received(piece, envelope)
        case .silenceElapsed:
            guard var stream else { return [] }
            stream.envelope.members["endOfTurn"] = true
            return self.end(stream)
        case .stopped:
            self.stream = nil
            return [.perform(.cancelTimer(.stream))]
        }
    }

    private mutating func received(_ piece: TextStreamPayload, _ envelope: Envelope) -> [ClientAction] {
        var actions: [ClientAction] = []
        let isOther = piece.streamID != nil && piece.streamID != self.stream?.id
        let isNew = self.stream == nil || isOther || self.beginsAgain(piece, envelope)
        if isNew {
            if let id = piece.streamID, self.ended.contains(id), piece.state != .start {
                return [ReceivedMessage.ignored(Self.late, raw: envelope.json)]
            }
            guard piece.state == .start || piece.state == .end || self.stream != nil else {
                return [.defect("MessageMalformed", "the piece is of a text that has not begun", envelope)]
            }
            // Nothing more comes of a text that another one follows; the user has read it so far.
            if let former = self.stream { actions += self.end(former) }
            self.stream = Stream(id: piece.streamID, text: "", envelope: envelope)
            actions.append(.streamBegan)
        }
        guard var stream else { return actions }
        let whole = piece.aggregateText ?? stream.text + (piece.words ?? "")
        stream.text = String(decoding: whole.utf8.prefix(Self.sizeLimit), as: UTF8.self)
        stream.envelope = envelope
        self.stream = stream
        var fields: JSONObject = ["state": piece.members["streamState"] ?? .null, "text": .string(stream.text)]
        fields["piece"] = piece.words.map { .string($0) }
        fields["id"] = piece.streamID.map { .string($0) }
        actions.append(.emit(.messageUpdated, fields, raw: envelope.json))
        if piece.state == .end { return actions + self.end(stream) }
        return actions + [.perform(.setTimer(.stream, Self.patience)), .turnWent(envelope)]
    }

    /// Whether a piece begins a text under the name of the one that is coming; the same start once more does not.
    private func beginsAgain(_ piece: TextStreamPayload, _ envelope: Envelope) -> Bool {
        piece.state == .start && self.stream?.envelope.members["messagePayload"] != envelope.members["messagePayload"]
    }

    private mutating func end(_ stream: Stream) -> [ClientAction] {
        if let id = stream.id { _ = self.ended.insert(id) }
        self.stream = nil
        var envelope = stream.envelope
        var payload = envelope.object("messagePayload") ?? [:]
        payload["type"] = "text"
        payload["text"] = .string(stream.text)
        for name in ["streamState", "aggregateText", "streamId"] { payload[name] = nil }
        envelope.members["messagePayload"] = .object(payload)
        return [.perform(.cancelTimer(.stream)), .display(envelope, isCounted: true), .turnWent(stream.envelope)]
    }
}
