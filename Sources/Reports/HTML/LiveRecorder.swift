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

    private struct Member {
        var attempt: HTMLAttempt
        /// In which run it was played.
        let run: Int
        /// Since which version it is as it is; nil if nobody is told of it.
        var version: Int?
    }

    private struct File {
        let name: String
        var source: String?
        /// The run that read it.
        var run: Int
    }

    /// What the run does at the moment.
    public var state = State() {
        didSet { if self.state != oldValue { self.version += 1 } }
    }

    /// Grows with every change.
    public private(set) var version = 0

    /// Whoever knows an older version is told everything.
    private var floor = 0
    private var options = HTMLOptions()
    private var runCount = 0
    private var run: RunStart?
    private var end: RunEnd?
    private var elapsed: Duration?
    /// By their numbers, which grow over all runs.
    private var members: [Member] = []
    private var begun = 0
    private var unlisted = UnlistedRepetitions()
    /// The numbers of the attempts that have not ended, by the scenarios' indices.
    private var running: [Int: Int] = [:]
    private var files: [File] = []
    private var placeOfFile: [String: Int] = [:]

    /// Creates a recorder before the first run.
    public init() {}

    /// Prepares for the entries of the next run.
    ///
    /// - Parameters:
    ///   - options: Where scripts are read, and what hides secrets in them.
    ///   - isWhole: Whether it plays all there is, so that nothing of earlier runs is left.
    public mutating func begin(_ options: HTMLOptions, isWhole: Bool) {
        self.options = options
        self.runCount += 1
        let newest = Dictionary(self.members.map { ($0.attempt.start.id, $0.run) }, uniquingKeysWith: max)
        let open = Set(self.running.values)
        self.members.removeAll { member in
            isWhole || member.run != newest[member.attempt.start.id] || open.contains(member.attempt.number)
        }
        self.running = [:]
        self.unlisted = UnlistedRepetitions()
        self.run = nil
        self.end = nil
        self.elapsed = nil
        self.version += 1
        self.floor = self.version
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.version += 1
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            self.running[start.index] = self.begun
            let attempt = HTMLAttempt(start, number: self.begun, file: self.place(ofFile: start.file))
            // A repetition that may be counted only is told of when it has ended otherwise.
            self.members.append(
                Member(
                    attempt: attempt, run: self.runCount,
                    version: UnlistedRepetitions.mayTake(start) ? nil : self.version))
            self.begun += 1
        case .happened(let scenario, let nanoseconds, let event):
            guard let place = self.running[scenario].flatMap(self.place(ofNumber:)) else { return }
            self.members[place].attempt.add(event, atNanoseconds: nanoseconds)
            if self.members[place].version != nil { self.members[place].version = self.version }
        case .scenarioEnded(let end):
            guard let place = self.running.removeValue(forKey: end.index).flatMap(self.place(ofNumber:)) else { return }
            let attempt = self.members[place].attempt
            if self.unlisted.take(attempt.start, end, file: attempt.file) {
                self.members.remove(at: place)
            } else {
                self.members[place].attempt.finish(end, run: self.run)
                self.members[place].version = self.version
            }
        case .runEnded(let end):
            self.end = end
            self.elapsed = self.options.elapsed?()
        }
    }

    /// The scenarios of attempts, as runs choose them by their ids.
    ///
    /// - Parameter numbers: The numbers of attempts; those that are not there any more are left out.
    public func scenarios(of numbers: [Int]) -> Set<String> {
        Set(
            numbers.compactMap(self.place(ofNumber:)).map { place in
                let start = self.members[place].attempt.start
                let asker = start.askedBy
                return "\(asker?.file ?? start.file)::\(asker?.name ?? start.declaredName)"
            })
    }

    private func place(ofNumber number: Int) -> Int? {
        self.members.indices.place(ofNumber: number) { self.members[$0].attempt.number }
    }

    private mutating func place(ofFile name: String) -> Int {
        let known = self.placeOfFile[name]
        if let known, self.files[known].run == self.runCount { return known }
        let file = File(name: name, source: HTMLRecorder.source(of: name, self.options), run: self.runCount)
        guard let known else {
            self.placeOfFile[name] = self.files.count
            self.files.append(file)
            return self.files.count - 1
        }
        self.files[known] = file
        return known
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
            "run": self.run?.json ?? .null,
            "end": self.end?.json ?? .null,
            "files": .array(self.files.map { .string($0.name) }), "unlisted": self.unlisted.json,
        ]
        members["problem"] = self.state.problem.map { .string($0) }
        members["elapsed"] = self.elapsed.map { .integer($0.nanoseconds) }
        members["started_at"] = (self.run?.startedAt ?? self.options.startedAt).map { .string($0) } ?? .null
        var output = JSONWriter.write(.object(members))
        // The lines of the index are rendered already.
        output.removeLast()
        output.append(contentsOf: ",\"attempts\":[".utf8)
        var isFirst = true
        for member in self.members {
            guard let changed = member.version, isAll || changed > version else { continue }
            output.append(contentsOf: "\(isFirst ? "" : ",")[\(member.attempt.number),\(member.run),".utf8)
            member.attempt.renderSummary(run: self.run, to: &output)
            output.append(UInt8(ascii: "]"))
            isFirst = false
        }
        output.append(contentsOf: "]}".utf8)
        return output
    }

    /// Renders the conversation of an attempt as it stands; nil if there is no such attempt.
    public func conversation(of number: Int) -> [UInt8]? {
        guard let place = self.place(ofNumber: number) else { return nil }
        var output: [UInt8] = []
        self.members[place].attempt.renderBlock(to: &output)
        return output
    }

    /// Renders the text of a script, `null` if it is not to be had; nil if no file has that place.
    public func source(ofFile place: Int) -> [UInt8]? {
        guard self.files.indices.contains(place) else { return nil }
        return JSONWriter.write(self.files[place].source.map { .string(self.options.masked($0)) } ?? .null)
    }
}
