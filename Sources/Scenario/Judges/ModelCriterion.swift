import JSON
import Machines

/// What a script asks of a text that only a model can tell.
struct ModelCriterion: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A judge, by its name, says that the text meets a criterion.
        case judged(by: String)
        /// The text is so near in meaning to another one.
        case means(atLeast: Double)
    }

    let kind: Kind

    /// The criterion, or the other text.
    let text: String

    /// The options of `match.judged`.
    static let judgedOptions = [ParameterDeclaration("by", .string, "The judge, as `repartee.lua` names it.")]

    /// The options of `match.means`.
    static let meansOptions = [
        ParameterDeclaration("at_least", .number, optional: true, "How near, above 0 up to 1; 0.8 unless given.")
    ]

    /// Returns the question about a text.
    func question(about found: String) -> ModelQuestion {
        switch self.kind {
        case .judged: .judged(criterion: self.text, text: found)
        case .means: .means(wanted: self.text, text: found)
        }
    }

    /// What came of it.
    struct Finding {
        let isMet: Bool

        /// The verdict in one line, with how far the votes agree.
        let text: String

        /// The votes, one a line.
        let votes: [String]
    }

    /// Returns what an answer says about the criterion.
    func finding(in answer: ModelAnswer) -> Finding {
        switch (self.kind, answer) {
        case (.judged(let judge), .judged(let votes)):
            let votes = JudgeVotes(votes)
            return Finding(
                isMet: votes.isYes,
                text: "\(judge) says \(votes.isYes ? "yes" : "no") to \(JSONValue.string(self.text)), \(votes.figures)",
                votes: votes.lines)
        case (.means(let least), .similarity(let similarity)):
            return Finding(
                isMet: similarity >= least,
                text: "similarity \(JSONValue.double(similarity)) to \(JSONValue.string(self.text)), "
                    + "at least \(JSONValue.double(least)) is asked",
                votes: [])
        case (.judged, _), (.means, _):
            preconditionFailure("the key of a question holds its kind")
        }
    }
}

extension ModelCriterion: CustomStringConvertible {
    /// What is asked for, as it reads in a failure.
    var description: String {
        switch self.kind {
        case .judged(let judge): "text that \(judge) finds \(JSONValue.string(self.text))"
        case .means(let least): "text that means \(JSONValue.string(self.text)) (\(JSONValue.double(least)))"
        }
    }
}

/// A text that fits everything else, and about which a model is still to be asked.
struct AskedText {
    let criterion: ModelCriterion
    let text: String
}

extension Matcher {
    /// Returns what models are still to be asked about a value that is accepted so far.
    ///
    /// ``MatcherReader`` reads such criteria only where they are found here.
    func askedTexts(in value: JSONValue?) -> [AskedText] {
        switch (self, value) {
        case (.asked(let criterion), .string(let text)?): [AskedText(criterion: criterion, text: text)]
        case (.members(let members), .object(let object)?):
            members.flatMap { $0.matcher.askedTexts(in: $0.value(in: object)) }
        case (.elements(let matchers), .array(let elements)?):
            zip(matchers, elements).flatMap { $0.askedTexts(in: $1) }
        case (.allOf(let matchers), _): matchers.flatMap { $0.askedTexts(in: value) }
        default: []
        }
    }
}

extension EventMatcher {
    /// Returns what models are still to be asked about an event that is accepted so far.
    func askedTexts(in event: ChatEvent) -> [AskedText] {
        self.fields.flatMap { $0.matcher.askedTexts(in: $0.name == "raw" ? event.raw : event.fields[$0.name]) }
            + (self.whole?.askedTexts(in: .object(event.fields)) ?? [])
    }
}
