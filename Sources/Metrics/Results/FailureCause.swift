import Machines
import RunRecord

/// Why users of a load run failed: failures that are alike, counted as one.
public struct FailureCause: Hashable, Sendable {
    /// What failures must have in common to be counted as one.
    public struct Key: Hashable, Sendable {
        /// Whose words the message of a failure has.
        private enum Teller {
            /// The other side's: at one place its failures may come from different troubles.
            case peer
            /// The script's own, or it tells what that did or expected beside what the other side did: of one place
            /// there may be several reasons, and a reason may name the user.
            case script
            /// It names what one user expected, and there are as many as there are users.
            case user

            init(of kind: String) {
                switch ProblemKind(rawValue: kind) {
                case .connection, .disconnected: self = .peer
                case .fail, .script, .hopeless: self = .script
                case let kind?: self = kind.blame == .mistake ? .script : .user
                case nil: self = .user
                }
            }
        }

        private let kind: String
        private let place: String?
        private let limit: String?
        private let message: String?
        private let answer: String?

        /// - Parameters:
        ///   - kind: What kind of failure it is, one word.
        ///   - place: Where in the scripts, as `file:line`.
        ///   - limit: Which time limit fired.
        ///   - message: What happened, in one line.
        public init(kind: String, place: String?, limit: String?, message: String) {
            self.kind = kind
            self.place = place
            self.limit = limit
            self.answer = Self.answer(in: message)
            self.message =
                switch Teller(of: kind) {
                case .peer: Self.withoutTimes(Self.withoutGivenPorts(message))
                case .script: Self.withoutNumbers(Self.withoutValues(message))
                case .user: nil
                }
        }

        /// The words after which a number says what the other side answered, or why it closed a connection.
        private static let answerWords: Set<String> = [
            "status", "code", "answered", "http", "connection", "closed",
        ]

        /// Returns the first status of HTTP or code of a closed WebSocket that a message tells, such as 503 of
        /// `status 503`. A server that fails in two ways has two troubles, whatever users expected of it; other numbers
        /// are as many as there are users.
        private static func answer(in message: String) -> String? {
            var isBehindWord = false
            var isBehindHTTP = false
            for part in Self.withoutOrigins(message).split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if let number = Int(part) {
                    if isBehindWord, Self.isAnswer(number) { return String(part) }
                    // The version comes between: HTTP/1.1 503.
                    isBehindWord = isBehindHTTP && number < 10
                } else if part != "with" {
                    let word = part.lowercased()
                    isBehindWord = Self.answerWords.contains { word.hasSuffix($0) }
                    isBehindHTTP = word == "http"
                }
            }
            return nil
        }

        /// Whether a number may be a status of HTTP, or a code of a closed WebSocket: of the protocol, of a library or
        /// of the server's own.
        private static func isAnswer(_ number: Int) -> Bool {
            100..<600 ~= number || 1000..<1016 ~= number || 3000..<5000 ~= number
        }

        /// Returns a message in which addresses have neither scheme nor host nor port: numbers there are no answers.
        private static func withoutOrigins(_ message: String) -> String {
            var (text, rest) = ("", message[...])
            while let mark = rest.firstRange(of: "://") {
                text += rest[..<mark.lowerBound]
                while text.last?.isLetter == true { text.removeLast() }
                text += " "
                rest = rest[mark.upperBound...].drop { $0.isLetter || $0.isNumber || ".:-_@[]".contains($0) }
            }
            return text + rest
        }

        /// From here on systems give out ports that nobody chose, such as those of each user's own simulated server;
        /// defined here as the least of those that Linux gives.
        private static let givenPorts = 32_768...65_535

        /// Returns a message in which addresses have no port that a system gave out: it says nothing of the trouble,
        /// and is another one for each user.
        private static func withoutGivenPorts(_ message: String) -> String {
            var parts = message.split(separator: ":", omittingEmptySubsequences: false)
            for index in parts.indices.dropFirst() {
                guard let last = parts[index - 1].last, last.isLetter || last.isNumber || last == "]" else { continue }
                let digits = parts[index].prefix { $0.isASCII && $0.isNumber }
                guard let port = Int(digits), Self.givenPorts.contains(port) else { continue }
                parts[index] = "#" + parts[index].dropFirst(digits.count)
            }
            return parts.joined(separator: ":")
        }

        /// Returns a message in which one time is like any other: how long ago a connection had ended is another time
        /// for each user.
        private static func withoutTimes(_ message: String) -> String {
            let words = message.split(separator: " ", omittingEmptySubsequences: false)
            return words.map { word in
                let time = word.prefix { $0.isNumber || $0.isLetter || $0 == "." }
                return Duration(scriptText: String(time)) == nil ? String(word) : "#" + word.dropFirst(time.count)
            }.joined(separator: " ")
        }

        /// Messages that say nothing of why something does not come name what came, or what was expected.
        private static let unexplained = [" cannot observe ", " and nothing else can come"]

        /// Returns a message without the texts in quotes, if it names values that came or were expected: each user may
        /// have its own.
        private static func withoutValues(_ message: String) -> String {
            guard Self.unexplained.contains(where: { message.contains($0) }) else { return message }
            let parts = message.replacing("\\\"", with: "").split(separator: "\"", omittingEmptySubsequences: false)
            return stride(from: 0, to: parts.count, by: 2).map { String(parts[$0]) }.joined(separator: "\"")
        }

        /// Returns a message in which a word with a digit, such as the number of a user or of an order, is like any
        /// other.
        private static func withoutNumbers(_ message: String) -> String {
            let words = message.split(separator: " ", omittingEmptySubsequences: false)
            return words.map { $0.utf8.contains { 0x30...0x39 ~= $0 } ? "#" : String($0) }.joined(separator: " ")
        }
    }

    /// What kind of failure it is, one word.
    public var kind: String

    /// Whether the script, the connection or the harness broke, and not what was expected of the other side.
    public var isError: Bool

    /// What happened to the first, in one line.
    public var message: String

    /// The whole text of the first for the author of the scenario.
    public var detail: String

    /// Where in the scripts, as `file:line`; nil if nowhere.
    public var place: String?

    /// Which time limit fired; nil if none.
    public var limit: String?

    /// How many had it.
    public var count: Int64

    /// The number of the user who had it first; nil for what is no user's, such as a fixture of the run that cannot be
    /// torn down. Thresholds about failures judge users only.
    public var user: Int64?

    /// When that was, in microseconds since the start of the run.
    public var firstMicroseconds: Int64

    /// When somebody had it last, in microseconds since the start of the run.
    public var lastMicroseconds: Int64

    /// Creates a cause.
    public init(
        kind: String, isError: Bool = false, message: String, detail: String, place: String?, limit: String? = nil,
        count: Int64, user: Int64?, firstMicroseconds: Int64, lastMicroseconds: Int64
    ) {
        self.kind = kind
        self.isError = isError
        self.message = message
        self.detail = detail
        self.place = place
        self.limit = limit
        self.count = count
        self.user = user
        self.firstMicroseconds = firstMicroseconds
        self.lastMicroseconds = lastMicroseconds
    }

    /// The kind of users who were broken off before they had ended an iteration, or stuck in one, and the name of the
    /// metric by which thresholds say how many iterations may be.
    public static let brokenOffKind = "broken_off"

    /// Whether something did not come in its time.
    var isTimeout: Bool { self.kind == ProblemKind.timeout.rawValue }

    /// Whether users were broken off before they had ended an iteration, or stuck in one.
    var isBrokenOff: Bool { self.kind == Self.brokenOffKind }

    /// Who is to blame for it, if it is an error.
    private var blame: ProblemKind.Blame? { ProblemKind(rawValue: self.kind)?.blame }

    /// Whether a server could not be reached, or was lost.
    var isUnreachable: Bool { self.isError && self.kind == ProblemKind.connection.rawValue }

    /// Whether neither script nor expectation is to blame.
    public var isHarness: Bool { self.isError && self.blame == .harness }

    /// Whether the script is to blame.
    public var isScript: Bool { self.isError && !self.isHarness }

    /// Whether the script uses the tool or the language wrongly, which no server can bring about; what it raises by
    /// itself may be about the other side.
    public var isMistake: Bool { self.isError && self.blame == .mistake }

    /// What it has in common with those that are counted with it.
    public var key: Key { Key(kind: self.kind, place: self.place, limit: self.limit, message: self.message) }

    /// When it came and who had it first, as people read it.
    public var when: String {
        func text(_ microseconds: Int64) -> String {
            NumberText.decimal(Double(microseconds) / 1_000_000, decimals: 3) + "s"
        }
        guard let user = self.user else { return "at \(text(self.lastMicroseconds))" }
        let first = "first user \(user) at \(text(self.firstMicroseconds))"
        return self.count > 1 ? "\(first), last at \(text(self.lastMicroseconds))" : first
    }

    /// Returns the causes of all shards together, the most frequent first.
    public static func merged(_ causes: some Sequence<FailureCause>) -> [FailureCause] {
        var sums: [Key: FailureCause] = [:]
        for cause in causes {
            guard var sum = sums[cause.key] else {
                sums[cause.key] = cause
                continue
            }
            let (count, last) = (
                sum.count.saturatingAdd(cause.count), max(sum.lastMicroseconds, cause.lastMicroseconds)
            )
            if (cause.firstMicroseconds, cause.user ?? -1) < (sum.firstMicroseconds, sum.user ?? -1) { sum = cause }
            sum.count = count
            sum.lastMicroseconds = last
            sums[cause.key] = sum
        }
        return sums.values.sorted {
            ($1.count, $0.firstMicroseconds, $0.user ?? -1, $0.message)
                < ($0.count, $1.firstMicroseconds, $1.user ?? -1, $1.message)
        }
    }
}
