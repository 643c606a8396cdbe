/// What kind of problem the engine tells of: all the words that it uses as a ``Problem/typeName``.
///
/// Records of other versions, and reports made of other things, may have further words.
public enum ProblemKind: String, Hashable, Sendable, CaseIterable {
    // MARK: What was tested did not do what the scenario expects

    /// An event came that is not the expected one.
    case expectation
    /// Something did not come within its time.
    case timeout
    /// Nothing could bring any more what was waited for.
    case hopeless
    /// Something came that nothing expected.
    case leftover
    /// `assert` failed.
    case assertion
    /// `expect` of a value failed.
    case expect
    /// `check` of a value failed.
    case check
    /// An event came that must never happen.
    case never
    /// An event came that is not what each must be.
    case always
    /// An event that must come before the end did not.
    case eventually
    /// An event that must come within some turns did not.
    case withinTurns = "within_turns"
    /// The script said so.
    case fail
    /// A client did not end its conversation as it should.
    case goodbye
    /// The scenario asserted nothing.
    case empty
    /// A scenario that is known to fail passed.
    case unexpectedPass = "unexpected_pass"
    /// A later try was skipped.
    case skippedRetry = "skipped_retry"
    /// Too few tries passed.
    case passRate = "pass_rate"
    /// The tries did not decide.
    case inconclusive
    /// Fewer tries passed than earlier ones.
    case baseline
    /// The other side broke its protocol.
    case violation = "protocol"
    /// What was to be JSON is none.
    case notJSON = "not_json"
    /// An answer that is no success was not looked at.
    case unread
    /// The conversation is not the stored one.
    case transcript
    /// The conversation does not offer what the script wants to use.
    case notOffered = "not_offered"
    /// A client or a party in Lua could not do what it was called for (`me:fail`, `party:fail`).
    case gaveUp = "gave_up"
    /// An answer that a client in Lua reads as JSON did not come, or is none.
    case answer
    /// The script uses a connection that has ended by itself.
    case disconnected
    /// Failures of further kinds, of which there are too many to tell apart.
    case other

    // MARK: The script broke

    /// What a script raises itself, or cannot be played with.
    case script
    /// A function of the tool was called wrongly.
    case usage
    /// A function of the tool was called with a wrong argument.
    case argument
    /// Lua does not allow what the script did.
    case runtime
    /// The script is no Lua.
    case syntax
    /// The script took too much memory.
    case memory
    /// The script runs without end.
    case runaway
    /// A fixture could not be made.
    case fixture
    /// A fault could not be brought about.
    case fault
    /// A model was not asked, for the cassette has no answer of it or its budget is used up.
    case unasked
    /// A scenario wants to be skipped.
    case skip
    /// A thread was broken off because its part had ended.
    case canceled
    /// A user was ended before its scenario was.
    case stopped
    /// Somebody interrupted the run.
    case interrupted
    /// A scenario never came to its end.
    case hang
    /// A baseline is of something else than what is under test.
    case fingerprint
    /// The run did not come to its end.
    case unfinished

    // MARK: The connection or the harness broke

    /// A server could not be reached, or was lost.
    case connection
    /// The tool itself could not do what it has to.
    case harness
    /// Time cannot move any more.
    case deadlock
    /// Something is larger or more than the tool takes.
    case limit
    /// A model did not answer, or its answer cannot be used.
    case model

    /// Who is to blame, if it is an error.
    public enum Blame: Hashable, Sendable {
        /// The script uses the tool or the language wrongly, which no server can bring about.
        case mistake
        /// The script, or what it told of the other side.
        case script
        /// Neither script nor expectation.
        case harness
    }

    /// Who is to blame for it, if it is an error.
    public var blame: Blame {
        switch self {
        case .usage, .argument, .runtime, .syntax: .mistake
        case .connection, .harness, .deadlock, .limit, .model: .harness
        case .expectation, .timeout, .hopeless, .leftover, .assertion, .expect, .check, .never, .always, .eventually,
            .withinTurns, .fail, .goodbye, .empty, .unexpectedPass, .skippedRetry, .passRate, .inconclusive, .baseline,
            .violation, .notJSON, .unread, .transcript, .notOffered, .gaveUp, .answer, .disconnected, .other, .script,
            .memory, .runaway, .fixture, .fault, .unasked, .skip, .canceled, .stopped, .interrupted, .hang,
            .fingerprint, .unfinished:
            .script
        }
    }
}
