import JSON
import Machines
import Metrics

extension ChatEvent {
    /// Takes the envelope of a text out of the event, wherever it shows, and returns it; nil if there is none.
    ///
    /// - Parameter isPlain: Whether the text may stand in a request or an answer of any form.
    mutating func takeEnvelope(isPlain: Bool) -> LedgerEnvelope? {
        if let packed = self.packed {
            guard packed.values.withBytes(LedgerEnvelope.mayStand) else { return nil }
            self.decode()
        }
        let isMessage = self.kind == .message || self.kind == .messageSent || self.kind == .frame
        guard isMessage || isPlain else {
            if !Self.kindsOfPlainHTTP.contains(self.kind) { self.removeEnvelopes() }
            return nil
        }
        var envelope: LedgerEnvelope?
        if let text = self.text, let found = LedgerEnvelope.extract(from: text) {
            self.fields["text"] = .string(found.message)
            if self.fields["size"] == .integer(Int64(text.utf8.count)) {
                self.fields["size"] = .integer(Int64(found.message.utf8.count))
            }
            envelope = found.envelope
        }
        if isPlain, let found = self.fields["body"]?.string.flatMap(LedgerEnvelope.extract) {
            self.fields["body"] = .string(found.message)
            envelope = envelope ?? found.envelope
        }
        guard envelope != nil else { return nil }
        self.removeEnvelopes()
        if isPlain, let raw = self.raw { self.raw = Self.withoutEnvelopes(raw) }
        return envelope
    }

    /// Answers of plain HTTP can be long, and show no text of others unless the option `ledger` says so.
    static let kindsOfPlainHTTP: Set<EventKind> = [.response, .token, .chunk, .streamStarted, .streamEnded]

    /// Takes envelopes out of all fields: a label may repeat the text, and a history has earlier ones.
    private mutating func removeEnvelopes() {
        // What consists of a text alone has been looked at.
        guard self.document == nil else { return }
        for (name, value) in self.fields where Self.hasEnvelope(value) {
            self.fields[name] = Self.withoutEnvelopes(value)
        }
    }

    private static func hasEnvelope(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): LedgerEnvelope.extract(from: text) != nil
        case .array(let elements): elements.contains(where: Self.hasEnvelope)
        case .object(let members): members.contains { Self.hasEnvelope($0.1) }
        default: false
        }
    }

    private static func withoutEnvelopes(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): LedgerEnvelope.extract(from: text).map { .string($0.message) } ?? value
        case .array(let elements): .array(elements.map(Self.withoutEnvelopes))
        case .object(let members): .object(JSONObject(members.map { ($0.0, Self.withoutEnvelopes($0.1)) }))
        default: value
        }
    }
}
