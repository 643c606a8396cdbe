/// How far a conversation has come with a rule that holds for all of it.
///
/// A value: whoever plays tells what has happened, and hears whether the rule is broken by that.
///
/// | kind | state | input | if | → state |
/// |---|---|---|---|---|
/// | never | open | `observed` | fits | broken |
/// | always | open, kept | `observed` | fits | kept |
/// | always | open, kept | `observed` | does not fit | broken |
/// | eventually, within turns | open | `observed` | fits | kept |
/// | within turns | open | `turnBegan` | it is one too many | broken |
/// | any other | any other | any other | | the same |
struct RuleProgress: Hashable {
    /// What is asked of the conversation.
    enum Kind: Hashable {
        /// No such event comes.
        case never
        /// Events of these kinds have such fields, and there is one.
        case always
        /// Such an event comes before the end.
        case eventually
        /// Such an event comes before the client begins another turn after so many.
        case withinTurns(Int)
    }

    /// What has happened.
    enum Input: Hashable {
        /// An event came of a kind that the rule names.
        case observed(fits: Bool)
        /// A client did something after it was answered, or for the first time.
        case turnBegan
    }

    private enum State: Hashable { case open, kept, broken }

    let kind: Kind
    private var state = State.open

    /// How many turns there were so far.
    private(set) var turns = 0

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Whether the rule fails where the conversation ends now.
    var isUnmet: Bool { self.state == .open && self.kind != .never }

    /// Takes in what has happened.
    ///
    /// - Returns: Whether that breaks the rule; it is told once.
    mutating func handle(_ input: Input) -> Bool {
        if input == .turnBegan { self.turns += 1 }
        switch (self.kind, self.state, input) {
        case (.never, .open, .observed(fits: true)), (.always, .open, .observed(fits: false)),
            (.always, .kept, .observed(fits: false)):
            self.state = .broken
        case (.withinTurns(let most), .open, .turnBegan) where self.turns > most: self.state = .broken
        case (.always, .open, .observed(fits: true)), (.eventually, .open, .observed(fits: true)),
            (.withinTurns, .open, .observed(fits: true)):
            self.state = .kept
            return false
        default: return false
        }
        return true
    }
}
