import JSON
import RunRecord

extension TranscriptComparison {
    /// At most this many lines stand in a report.
    private static let mostDifferences = 120

    /// Values are cut to this many characters.
    private static let valueLimit = 2_000

    /// The lines of both conversations beside each other, for reports.
    var differences: [ConversationDifference] {
        let all = self.shown.map(Self.difference)
        guard all.count > Self.mostDifferences else { return all }
        let rest = all[Self.mostDifferences...].reduce(0) { $0 + $1.count }
        return all.prefix(Self.mostDifferences) + [ConversationDifference(.hidden, count: rest)]
    }

    /// A conversation that is stored nowhere yet.
    static func differences(of found: [TranscriptEntry]) -> [ConversationDifference] {
        found.prefix(Self.mostDifferences).map { Self.unexpected($0) }
    }

    private static func difference(_ shown: Shown) -> ConversationDifference {
        switch shown {
        case .hidden(let count): ConversationDifference(.hidden, count: count)
        case .step(.comment): ConversationDifference(.hidden, count: 0)
        case .step(.gap(_, let count)): ConversationDifference(.gap, count: count)
        case .step(.same(let stored, _, let found)): Self.line(.same, stored, beside: found)
        case .step(.changed(let stored, _, let found)): Self.line(.changed, stored, beside: found)
        case .step(.missing(let stored, _)): Self.line(.missing, stored, beside: nil)
        case .step(.unexpected(let found)): Self.unexpected(found)
        }
    }

    /// Fields that nobody stored are left out: the stored line is not about them.
    private static func line(
        _ kind: ConversationDifference.Kind, _ stored: TranscriptEntry, beside found: TranscriptEntry?
    ) -> ConversationDifference {
        ConversationDifference(
            kind, actor: stored.actor, isDone: stored.direction == .did, name: stored.name,
            fields: stored.fields.map { name, value in
                .init(
                    name: name, stored: Self.text(value), found: found?.shownFields[name].map(Self.text),
                    fits: found.map { TranscriptTemplate.fits(value, name, of: $0) } ?? value.isNull)
            })
    }

    private static func unexpected(_ found: TranscriptEntry) -> ConversationDifference {
        let entry = found.stored
        return ConversationDifference(
            .unexpected, actor: entry.actor, isDone: entry.direction == .did, name: entry.name,
            fields: entry.fields.map { name, value in
                .init(name: name, stored: nil, found: Self.text(value), fits: false)
            })
    }

    private static func text(_ value: JSONValue) -> String {
        let text = value.description
        return text.count > Self.valueLimit ? text.prefix(Self.valueLimit) + " …" : text
    }
}
