import JSON
public import RunRecord

/// Keeps what a page shows of runs while they go, and says what has changed since somebody looked.
///
/// The page is that of ``HTMLRecorder`` with an empty index; it asks for ``changes(after:)`` and for the conversations
/// that people open. A scenario that a later run plays again replaces what the earlier one came to, and the others
/// stay.
public struct LiveRecorder: Sendable {
    /// What the run does at the moment, beside what it records.
    public struct State: Hashable, Sendable {
        /// Whether scenarios are being played.
        public var isPlaying = false

        /// Whether files are watched, and what is made from them is played when they change.
        public var isWatching = false

        /// Whether the run can be held before whatever a script does next.
        public var canStep = false

        /// Whether it waits for the button that lets the script go on.
        public var isHeld = false

        /// Why nothing could be played, if so.
        public var problem: String?

        /// A run that has not begun.
        public init() {}
    }

    /// What is known of an attempt beside what it shows.
    private struct Mark {
        /// In which run it was played.
        let run: Int
        /// Since which version it is as it is; nil if nobody is told of it.
        var version: Int?
    }

    /// What the run does at the moment.
    public var state = State() {
        didSet { if self.state != oldValue { self.version += 1 } }
    }

    /// Grows with every change.
    public private(set) var version = 0

    /// Whoever knows an older version is told everything.
    private var floor = 0
    private var runCount = 0
    private var attempts = PageAttempts(HTMLOptions())
    /// By the numbers of the attempts that are listed.
    private var marks: [Int: Mark] = [:]

    /// Creates a recorder before the first run.
    public init() {}

    /// Prepares for the entries of the next run.
    ///
    /// - Parameters:
    ///   - options: Where scripts are read, and what hides secrets in them.
    ///   - isWhole: Whether it plays all there is, so that nothing of earlier runs is left.
    public mutating func begin(_ options: HTMLOptions, isWhole: Bool) {
        self.runCount += 1
        let marks = self.marks
        func run(_ attempt: HTMLAttempt) -> Int { marks[attempt.number]?.run ?? 0 }
        let newest = Dictionary(self.attempts.list.map { ($0.start.id, run($0)) }, uniquingKeysWith: max)
        self.attempts.begin(options) { !isWhole && run($0) == newest[$0.start.id] }
        let kept = Set(self.attempts.list.map(\.number))
        self.marks = marks.filter { kept.contains($0.key) }
        self.version += 1
        self.floor = self.version
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.version += 1
        guard let number = self.attempts.take(entry) else { return }
        switch entry {
        case .scenarioStarted(let start):
            // A repetition that may be counted only is told of when it has ended otherwise.
            self.marks[number] = Mark(
                run: self.runCount, version: UnlistedRepetitions.mayTake(start) ? nil : self.version)
        case .happened: if self.marks[number]?.version != nil { self.marks[number]?.version = self.version }
        case .scenarioEnded:
            if self.attempts.attempt(ofNumber: number) == nil {
                self.marks[number] = nil
            } else {
                self.marks[number]?.version = self.version
            }
        case .runStarted, .runEnded: break
        }
    }

    /// The scenarios of attempts, as runs choose them by their ids.
    ///
    /// - Parameter numbers: The numbers of attempts; those that are not there any more are left out.
    public func scenarios(of numbers: [Int]) -> Set<String> {
        Set(
            numbers.compactMap(self.attempts.attempt(ofNumber:)).map { attempt in
                let start = attempt.start
                let asker = start.askedBy
                return "\(asker?.file ?? start.file)::\(asker?.name ?? start.declaredName)"
            })
    }
}

extension LiveRecorder {
    /// The page, which asks for everything else.
    public static let document: [UInt8] = {
        let frame = PageFrame.live
        let index = #"{"live":{},"run":null,"end":null,"started_at":null,"files":[],"unlisted":[],"attempts":[]}"#
        let block = #"<script type="application/json" id="index">"# + index + "</script>\n"
        return Array((frame.head(title: "repartee") + block + frame.body() + PageFrame.end).utf8)
    }()

    /// Renders what has changed.
    ///
    /// - Parameter version: What the page knows; everything is told to who knows a version of before the run.
    /// - Returns: JSON: `version`, `all`, what ``HTMLRecorder`` has in its index, and `attempts` as arrays of number,
    ///   number of the run, and the line of the index.
    public func changes(after version: Int) -> [UInt8] {
        let isAll = version < self.floor || version > self.version
        var members: JSONObject = [
            "version": .integer(self.version), "all": .bool(isAll), "playing": .bool(self.state.isPlaying),
            "watching": .bool(self.state.isWatching), "steps": .bool(self.state.canStep),
            "held": .bool(self.state.isHeld),
            "run": self.attempts.run?.json ?? .null,
            "end": self.attempts.end?.json ?? .null,
            "files": .array(self.attempts.fileNames.map { .string($0) }), "unlisted": self.attempts.unlisted.json,
        ]
        members["problem"] = self.state.problem.map { .string($0) }
        members["elapsed"] = self.attempts.elapsed.map { .integer($0.nanoseconds) }
        members["started_at"] = self.attempts.startedAt.map { .string($0) } ?? .null
        var output = JSONWriter.write(.object(members))
        // The lines of the index are rendered already.
        output.removeLast()
        output.append(contentsOf: ",\"attempts\":[".utf8)
        var isFirst = true
        for attempt in self.attempts.list {
            guard let mark = self.marks[attempt.number], let changed = mark.version, isAll || changed > version else {
                continue
            }
            output.append(contentsOf: "\(isFirst ? "" : ",")[\(attempt.number),\(mark.run),".utf8)
            attempt.renderSummary(run: self.attempts.run, to: &output)
            output.append(UInt8(ascii: "]"))
            isFirst = false
        }
        output.append(contentsOf: "]}".utf8)
        return output
    }

    /// Renders the conversation of an attempt as it stands; nil if there is no such attempt.
    public func conversation(of number: Int) -> [UInt8]? {
        guard let attempt = self.attempts.attempt(ofNumber: number) else { return nil }
        var output: [UInt8] = []
        attempt.renderBlock(to: &output)
        return output
    }

    /// Renders the text of a script, `null` if it is not to be had; nil if no file has that place.
    public func source(ofFile place: Int) -> [UInt8]? {
        guard self.attempts.hasFile(place) else { return nil }
        return JSONWriter.write(self.attempts.source(ofFile: place).map { .string($0) } ?? .null)
    }
}
