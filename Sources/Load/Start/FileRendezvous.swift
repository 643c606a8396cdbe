private import FoundationEssentials
internal import Machines
public import RunRecord

/// The rendezvous of shards that have a folder in common: one file for each, and one that says when all start.
///
/// Each shard writes its line and a number that grows, again and again. Only a file whose number changes counts, so
/// what an earlier run left is not taken for a shard, and a shard that died is missing. Files are renamed into their
/// place, so that nobody reads half of one.
///
/// A shard that was started twice plays once: each process writes a file of its own, shard 1 gives the membership to
/// the first that lives, and the word of the start names the processes that it is for. One that comes again after it
/// died has the membership of the one that rests. Of two processes that are shard 1 the later one gives up, and only
/// one of them can make the folder that lets it speak.
public struct FileRendezvous: Sendable {
    /// What the rendezvous needs of the outside.
    public struct World: Sendable {
        /// Reads the wall clock.
        public var now: @Sendable () -> EpochTime
        /// Lets time pass.
        public var pause: @Sendable (Duration) -> Void
        /// Whether the user wants no more of it.
        public var isCancelled: @Sendable () -> Bool

        /// Creates a world.
        ///
        /// - Parameters:
        ///   - now: Reads the wall clock.
        ///   - pause: Lets time pass.
        ///   - isCancelled: Whether the user wants no more of it.
        public init(
            now: @escaping @Sendable () -> EpochTime, pause: @escaping @Sendable (Duration) -> Void,
            isCancelled: @escaping @Sendable () -> Bool
        ) {
            self.now = now
            self.pause = pause
            self.isCancelled = isCancelled
        }
    }

    /// How often a shard looks, and writes its file anew.
    static let interval = Duration.milliseconds(200)

    /// How long a file may stay as it is before its shard counts as gone; caches of network file systems keep old
    /// contents for seconds.
    static let patience = Duration.seconds(15)

    private let folder: String
    private let run: String
    private let plan: UInt64
    private let shard: Shard
    private let wait: Duration
    private let margin: Duration
    private let file: ReadyFile
    private let writer: String

    /// Creates a rendezvous.
    ///
    /// - Parameters:
    ///   - folder: The folder that all shards see; it is made if it is not there.
    ///   - run: The name of the run.
    ///   - plan: The digest of the plan.
    ///   - shard: The shard of this process.
    ///   - wait: How long to wait for the others.
    ///   - margin: How long after the last shard is ready the run starts; longer than a file takes to be seen by all.
    ///   - token: A number that no other process has.
    ///   - writer: The machine and the process, for people who look for one that is there twice.
    public init(
        folder: String, run: String, plan: UInt64, shard: Shard, wait: Duration, margin: Duration, token: UInt64,
        writer: String
    ) {
        self.folder = folder
        self.run = run
        self.plan = plan
        self.shard = shard
        self.wait = wait
        self.margin = margin
        self.file = ReadyFile(index: shard.index, token: String(token, radix: 16))
        self.writer = writer
    }

    /// The folder of this run in the common one; its name holds nothing that a path could make of a run's name.
    private var runFolder: String {
        "\(self.folder)/run-\(String(RandomSource.seed(0, for: self.run), radix: 16))"
    }

    /// Meets the other shards; blocks until the instant is known.
    ///
    /// - Parameters:
    ///   - earliest: The time before which the run does not start, if one was given.
    ///   - world: The clock.
    /// - Returns: When all start.
    /// - Throws: ``StartError``; the run is invalid then.
    public func meet(earliest: EpochTime? = nil, world: World) throws(StartError) -> EpochTime {
        do {
            try FileManager.default.createDirectory(atPath: self.runFolder, withIntermediateDirectories: true)
        } catch {
            throw StartError(message: "cannot make the folder \(self.runFolder) to meet in: \(error); see --rendezvous")
        }
        do throws(StartError) {
            return self.shard.index == 1
                ? try self.lead(earliest: earliest, world: world) : try self.follow(world: world)
        } catch {
            // Who leaves says so; whoever is started in its place need not wait until it counts as gone.
            try? FileManager.default.removeItem(atPath: "\(self.runFolder)/\(self.file.name)")
            throw error
        }
    }

    private func lead(earliest: EpochTime?, world: World) throws(StartError) -> EpochTime {
        if self.read(Self.word) != nil || self.isClaimed {
            throw StartError(
                message:
                    "\(self.runFolder) holds the start of an earlier run; remove it, or give this run a name of its own"
            )
        }
        let since = world.now()
        var leader = RendezvousLeader(
            run: self.run, plan: self.plan, shard: self.shard, deadline: since + self.wait, margin: self.margin,
            earliest: earliest)
        var memberships = FolderMemberships(leader: self.shard.index, patience: Self.patience)
        var peers: [Int: ReadyFile] = [:]
        var actions = leader.begin(at: since)
        var beat = 0
        while true {
            for action in actions {
                switch action {
                case .announce(let line): try self.announce(line, to: memberships.holders)
                case .refuse(let peer, let line):
                    guard let file = peers[peer] else { continue }
                    memberships.refuse(file)
                    try self.write(file.refusalName, line.text)
                case .agree(let time): return time
                case .fail(let error): throw error
                }
            }
            guard !world.isCancelled() else {
                try self.announce(.failed("shard 1 was interrupted"), to: [])
                throw StartError(message: "the rendezvous was interrupted")
            }
            try self.beat(&beat, RendezvousLine.ready(self.shard, plan: self.plan, run: self.run), since: since)
            let now = world.now()
            actions = []
            let changes = memberships.look(self.readyFiles, at: now)
            try self.giveWay(to: memberships.rivals(of: self.file, at: now), since: since)
            for change in changes {
                switch change {
                case .came(let writer):
                    peers[writer.number] = writer.file
                    actions += leader.received(writer.content.line, from: writer.number, at: now)
                case .left(let writer): leader.closed(peer: writer.number)
                case .refused(let writer, let holder):
                    let reason = Self.twice(
                        Shard(index: writer.file.index, count: self.shard.count),
                        first: holder.content.writer, second: writer.content.writer)
                    try self.write(writer.file.refusalName, RendezvousLine.failed(reason).text)
                }
            }
            actions += leader.wait(until: now)
            if actions.isEmpty { world.pause(Self.interval) }
        }
    }

    /// Leaves the membership of shard 1 to another process that has been there for longer.
    private func giveWay(to rivals: [FolderMemberships.Writer], since: EpochTime) throws(StartError) {
        for rival in rivals
        where (rival.content.since.nanoseconds, rival.file.token) < (since.nanoseconds, self.file.token) {
            throw StartError(message: Self.twice(self.shard, first: rival.content.writer, second: self.writer))
        }
    }

    /// Says the one word that all read.
    ///
    /// - Parameter files: Those that a start is for; who is not among them may be there twice.
    private func announce(_ line: RendezvousLine, to files: [ReadyFile]) throws(StartError) {
        do {
            try FileManager.default.createDirectory(
                atPath: "\(self.runFolder)/\(Self.claim)", withIntermediateDirectories: false)
        } catch {
            guard self.isClaimed else {
                throw StartError(message: "cannot write in \(self.runFolder): \(error); see whether there is room")
            }
            // Another process has spoken; that there is no start need not be said a second time.
            guard case .start = line else { return }
            throw StartError(
                message: Self.twice(self.shard, first: "another process", second: self.writer))
        }
        try self.write(Self.word, ([line.text] + files.map(\.token)).joined(separator: "\n") + "\n")
    }

    private func follow(world: World) throws(StartError) -> EpochTime {
        let since = world.now()
        // Shard 1 gives up first, so that the others learn its reason.
        let member = RendezvousMember(
            run: self.run, plan: self.plan, shard: self.shard, deadline: since + self.wait + .seconds(30))
        if let lines = self.read(Self.word) {
            var reason = "an earlier run has started there"
            if case .failed(let text)? = lines.first.flatMap({ RendezvousLine(text: $0) }) { reason = text }
            throw StartError(
                message: "\(self.runFolder) holds the word of an earlier run, or shard \(self.shard) comes too late "
                    + "(\(reason)): remove the folder, or give this run a name of its own")
        }
        var beat = 0
        while true {
            try self.beat(&beat, member.greeting, since: since)
            world.pause(Self.interval)
            let now = world.now()
            switch self.word().map({ member.received($0, at: now) }) ?? member.wait(until: now) {
            case .waiting: break
            case .agreed(let time): return time
            case .failed(let error): throw error
            }
            guard !world.isCancelled() else { throw StartError(message: "the rendezvous was interrupted") }
        }
    }

    /// What shard 1 has said to this process; nil if nothing yet.
    private func word() -> String? {
        if let refusal = self.read(self.file.refusalName)?.first { return refusal }
        guard let lines = self.read(Self.word), let line = lines.first else { return nil }
        guard case .start? = RendezvousLine(text: line), !lines.dropFirst().contains(self.file.token) else {
            return line
        }
        return RendezvousLine.failed(Self.twice(self.shard, first: "another process", second: self.writer)).text
    }

    private static func twice(_ shard: Shard, first: String, second: String) -> String {
        "shard \(shard) is there twice: \(first) was first, and \(second) came as well; start each shard once, and end an "
            + "earlier try of it first"
    }

    /// The file with the one word that all read.
    private static let word = "start"

    /// The folder that is made before the word is said; only one process can make it.
    private static let claim = "starting"

    private var isClaimed: Bool { FileManager.default.fileExists(atPath: "\(self.runFolder)/\(Self.claim)") }

    /// Shows that this process is ready and alive.
    private func beat(_ beat: inout Int, _ line: RendezvousLine, since: EpochTime) throws(StartError) {
        let content = ReadyFile.Content(line: line.text, since: since, beat: beat, writer: self.writer)
        try self.write(self.file.name, content.text)
        beat += 1
    }

    /// The files of all processes that were ready at some time.
    private var readyFiles: [ReadyFile: ReadyFile.Content] {
        var files: [ReadyFile: ReadyFile.Content] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: self.runFolder)) ?? [] {
            guard let file = ReadyFile(name: name),
                let bytes = FileManager.default.contents(atPath: "\(self.runFolder)/\(name)")
            else { continue }
            let text = String(decoding: bytes.prefix(ReadyFile.limit), as: UTF8.self)
            if let content = ReadyFile.Content(text: text) { files[file] = content }
        }
        return files
    }

    /// Reads the lines of a word of shard 1; nil if it is not there.
    private func read(_ name: String) -> [String]? {
        guard let bytes = FileManager.default.contents(atPath: "\(self.runFolder)/\(name)") else { return nil }
        // A line for all, and a token for each.
        let text = String(decoding: bytes.prefix(RendezvousLine.limit + 40 * Shard.most), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    private func write(_ name: String, _ text: String) throws(StartError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: "\(self.runFolder)/\(name)"), options: .atomic)
        } catch {
            throw StartError(message: "cannot write \(self.runFolder)/\(name): \(error); see whether there is room")
        }
    }
}
