import RunRecord

/// What a page shows of a run, taken from the entries of its record: the attempts with their conversations, and the
/// scripts.
///
/// The file that is whole each time (``HTMLRecorder``) and the page that follows a run (``LiveRecorder``) own one each.
struct PageAttempts: Sendable {
    /// A script that was played.
    private struct File {
        let name: String
        let source: String?
    }

    /// Where scripts are read, and what hides secrets in them.
    private(set) var options: HTMLOptions

    private(set) var run: RunStart?
    private(set) var end: RunEnd?

    /// How long the run took by the clock of the machine, if that is known and it has ended.
    private(set) var elapsed: Duration?

    /// Those that are listed, in the order in which they began: by their numbers, which grow over all runs.
    private(set) var list: [HTMLAttempt] = []
    private(set) var unlisted = UnlistedRepetitions()
    private var begun = 0

    /// The numbers of the attempts that have not ended, by the scenarios' indices.
    private var running: [Int: Int] = [:]

    private var files: [File] = []
    private var placeOfFile: [String: Int] = [:]

    /// The places of the files that were read for this run.
    private var read: Set<Int> = []

    /// A script longer than this many bytes is not shown.
    private static let sourceLimit = 1 << 20

    /// Creates what is known before a run.
    init(_ options: HTMLOptions) {
        self.options = options
    }

    /// Prepares for the entries of the next run; attempts that have not ended are not there any more.
    ///
    /// - Parameter isKept: Whether an attempt of the runs before stays.
    mutating func begin(_ options: HTMLOptions, keeping isKept: (HTMLAttempt) -> Bool) {
        let open = Set(self.running.values)
        self.options = options
        self.list.removeAll { open.contains($0.number) || !isKept($0) }
        self.running = [:]
        self.read = []
        self.unlisted = UnlistedRepetitions()
        (self.run, self.end, self.elapsed) = (nil, nil, nil)
    }

    /// Takes the next entry of the record.
    ///
    /// - Returns: The number of the attempt that it is about, which is not listed any more if it is only counted; nil
    ///   if it is about none.
    @discardableResult
    mutating func take(_ entry: RunEntry) -> Int? {
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            let number = self.begun
            self.begun += 1
            self.running[start.index] = number
            self.list.append(HTMLAttempt(start, number: number, file: self.place(ofFile: start.file)))
            return number
        case .happened(let scenario, let nanoseconds, let runEvent):
            guard let number = self.running[scenario], let place = self.place(ofNumber: number) else { return nil }
            self.list[place].add(runEvent, atNanoseconds: nanoseconds)
            return number
        case .scenarioEnded(let end):
            guard let number = self.running.removeValue(forKey: end.index), let place = self.place(ofNumber: number)
            else { return nil }
            self.finish(end, at: place)
            return number
        case .runEnded(let end):
            self.end = end
            self.elapsed = self.options.elapsed?()
        }
        return nil
    }

    private mutating func finish(_ end: ScenarioEnd, at place: Int) {
        let attempt = self.list[place]
        if self.unlisted.take(attempt.start, end, file: attempt.file) {
            self.list.remove(at: place)
        } else {
            self.list[place].finish(end, run: self.run)
        }
    }

    /// Adds the run itself as a scenario that broke, for it has not come to its end.
    ///
    /// - Parameter problem: Why not.
    mutating func appendEnd(_ problem: String) {
        self.files.append(File(name: "repartee", source: nil))
        var attempt = HTMLAttempt(
            ScenarioStart(
                index: -1, file: "repartee", line: 1, titlePath: [RunCompleteness.caseName], seed: 0, atNanoseconds: 0),
            number: self.begun, file: self.files.count - 1)
        attempt.finish(
            ScenarioEnd(
                index: -1, atNanoseconds: 0, outcome: .error,
                problems: [Problem(category: .error, kind: RunCompleteness.problemKind, message: problem)]),
            run: nil)
        self.list.append(attempt)
    }

    /// Returns the attempt of a number; nil if it is not listed.
    func attempt(ofNumber number: Int) -> HTMLAttempt? { self.place(ofNumber: number).map { self.list[$0] } }

    /// When the run began, as the record or whoever started it says.
    var startedAt: String? { self.run?.startedAt ?? self.options.startedAt }

    /// The names of the scripts, by their places.
    var fileNames: [String] { self.files.map(\.name) }

    /// The texts of the scripts without secrets, by their places; nil where one is not to be had, or too long.
    var sources: [String?] { self.files.indices.map(self.source(ofFile:)) }

    /// Whether there is a script at a place.
    func hasFile(_ place: Int) -> Bool { self.files.indices.contains(place) }

    /// Returns the text of a script without secrets; nil where it is not to be had, or too long.
    func source(ofFile place: Int) -> String? { self.files[place].source.map(self.options.masked) }

    /// Where an attempt stands; those that are not listed leave gaps between the numbers.
    private func place(ofNumber number: Int) -> Int? {
        self.list.indices.place(ofNumber: number) { self.list[$0].number }
    }

    /// Returns the place of a script, which is read anew for each run.
    private mutating func place(ofFile name: String) -> Int {
        let place = self.placeOfFile[name] ?? self.files.count
        guard self.read.insert(place).inserted else { return place }
        let source = self.options.source(name).flatMap { $0.utf8.count <= Self.sourceLimit ? $0 : nil }
        let file = File(name: name, source: source)
        if place == self.files.count { self.files.append(file) } else { self.files[place] = file }
        self.placeOfFile[name] = place
        return place
    }
}
