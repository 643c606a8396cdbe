import RunRecord

/// How much of a message a run record holds: people read no more of it, and a page that a browser opens holds all of
/// them.
enum RecordLimit {
    /// The bytes of a text of a message, or of a command's argument.
    private static let texts = TextLimit(bytes: 64 << 10)

    /// A text is cut to so many bytes before it is masked, so that no secret at the place of the cut lacks its end.
    private static let unmasked = TextLimit(bytes: Self.texts.bytes + (4 << 10))

    /// Returns what happened with so much of long texts as a record holds.
    ///
    /// - Parameter masked: Takes out what must not be seen, before anything is cut, so that no beginning of it stays.
    static func cut(_ event: RunEvent, _ masked: (String) -> String) -> RunEvent {
        func shortened(_ text: String) -> String {
            let start = masked(Self.unmasked.beginning(of: text))
            return Self.texts.beginning(of: start) + "… (\(text.utf8.count) bytes)"
        }
        switch event {
        case .commanded(let actor, let name, let arguments, let line):
            return .commanded(
                actor: actor, name: name, arguments: Self.texts.cut(arguments, shortened), line: line)
        case .observed(let actor, let number, let kind, let fields, let raw):
            return .observed(
                actor: actor, number: number, kind: kind, fields: Self.texts.cut(fields, shortened),
                raw: raw.map { Self.texts.cut($0, shortened) })
        // The wire and screens are cut where they are recorded; the rest is the script's own.
        case .actorJoined, .wire, .showed, .stepBegan, .stepEnded, .expected, .logged, .attached: return event
        }
    }
}
