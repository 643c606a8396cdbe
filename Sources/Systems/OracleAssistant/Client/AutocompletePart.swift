import JSON
import Machines

/// The completions of what the user types (chapter "Autocomplete").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `asked` with three characters or more, connected | asked | sends the request; sets the timer |
/// | any | `asked` while polling | unchanged | |
/// | any | `asked` otherwise | unchanged | `error` |
/// | asked | `arrived`, the last answer | idle | cancels the timer; `suggestions` |
/// | asked | `arrived`, more to come | asked | `suggestions` |
/// | idle | `arrived` | idle | |
/// | asked | `timedOut` | idle | `error` |
/// | any | `stopped` | idle | cancels the timer |
struct AutocompletePart: Sendable {
    /// What happens to completions.
    enum Input: Sendable {
        case asked(String, ClientMoment)
        case arrived([String], raw: JSONValue)
        case timedOut
        /// The connection over which an answer would come is given up.
        case stopped
    }

    /// How long the server may take.
    private static let patience = Duration.seconds(10)

    /// How many completions the vendor's client shows.
    private static let limit = 5

    /// Whether completions are switched on.
    let isEnabled: Bool
    private var openRequests = 0

    /// Whether an answer is awaited.
    var isAsked: Bool { self.openRequests > 0 }

    /// Creates a part that has asked for nothing.
    init(_ settings: ClientSettings) { self.isEnabled = settings.flag("enableAutocomplete") }

    /// Whether a text is long enough to ask for completions.
    static func isEnough(_ text: String) -> Bool { text.count >= 3 }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .asked(let query, let moment): return self.ask(query, moment)
        case .arrived(let texts, let raw):
            guard self.isAsked else { return [] }
            self.openRequests -= 1
            let timer: [ClientAction] = self.isAsked ? [] : [.perform(.cancelTimer(.suggestions))]
            let shown = texts.prefix(Self.limit).map { JSONValue.string($0) }
            return timer + [.emit(.suggestions, ["texts": .array(shown)], raw: raw)]
        case .timedOut:
            self.openRequests = 0
            return [.fail("SuggestionsTimeout", "The server sent no completions within ten seconds.")]
        case .stopped:
            self.openRequests = 0
            return [.perform(.cancelTimer(.suggestions))]
        }
    }

    private mutating func ask(_ query: String, _ moment: ClientMoment) -> [ClientAction] {
        guard self.isEnabled else {
            return [.fail("SuggestionsInvalidRequest", "Completions are switched off (enable_autocomplete).")]
        }
        guard !query.isEmpty else { return [.fail("SuggestionsEmptyRequest", "There is nothing to complete.")] }
        guard Self.isEnough(query) else {
            return [.fail("SuggestionsInvalidRequest", "Completions are asked for from three characters on.")]
        }
        guard !moment.isPolling else { return [] }
        guard moment.isOpen else {
            return [.fail("ConnectionNone", "Completions can be asked for only while connected.")]
        }
        self.openRequests += 1
        let payload: JSONObject = ["type": "suggest", "query": .string(query), "threshold": 30]
        return [
            .transmit(["messagePayload": .object(payload), "userId": .string(moment.address.userID)]),
            .perform(.setTimer(.suggestions, Self.patience)),
        ]
    }
}
