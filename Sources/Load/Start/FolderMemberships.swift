/// Which of the processes that write into a folder plays which shard: of several with one number, the first that lives.
///
/// Nobody can ask the writer of a file whether it is still there; it shows by changing the file again. So an old file
/// is nobody, and a process is gone when its file is, or when it has not changed for a while.
///
/// | membership | what is seen                                 | what happens                                         |
/// |------------|----------------------------------------------|------------------------------------------------------|
/// | free       | a file changes                               | its writer has the membership                        |
/// | taken      | the file is gone, or rests for too long      | the membership is free; who waits for it has it      |
/// | taken      | another file for it changes                  | disputed: until it is clear who lives, nobody has it |
/// | disputed   | its writer goes on writing                   | that one keeps it, and the others are refused        |
/// | disputed   | its writer's file is gone, or rests too long | the next one has it, as one that was started again   |
struct FolderMemberships: Sendable {
    /// A process that writes a file.
    struct Writer: Hashable, Sendable {
        let file: ReadyFile
        /// The number by which the leader knows it.
        let number: Int
        fileprivate(set) var content: ReadyFile.Content
        fileprivate var changedAt: EpochTime
        fileprivate var changes = 0
        fileprivate var isRefused = false
    }

    /// What is new about the memberships.
    enum Change: Hashable, Sendable {
        /// A process has its membership.
        case came(Writer)
        /// A process has its membership no more.
        case left(Writer)
        /// A process is not part of the run, because another one has its membership.
        case refused(Writer, holder: Writer)
    }

    private struct Membership {
        let holder: ReadyFile
        /// How often the holder had written when somebody else wanted the membership.
        var disputedAt: Int?
    }

    /// So many changes after a dispute began show that the holder lives: a single one may have been made before and be
    /// seen late, because network file systems keep old contents for seconds.
    private static let proof = 2

    /// The number of the shard that looks; it has no membership to give.
    private let leader: Int
    private let patience: Duration
    private var writers: [ReadyFile: Writer] = [:]
    private var memberships: [Int: Membership] = [:]
    private var nextNumber = 0

    /// Creates memberships that are all free.
    ///
    /// - Parameters:
    ///   - leader: The number of the shard that looks.
    ///   - patience: How long a file may stay as it is before its writer counts as gone.
    init(leader: Int, patience: Duration) {
        self.leader = leader
        self.patience = patience
    }

    /// The files of those who have a membership now.
    var holders: [ReadyFile] { self.memberships.values.filter { $0.disputedAt == nil }.map(\.holder) }

    /// Returns the other processes that are alive and take themselves for the shard that looks.
    func rivals(of own: ReadyFile, at now: EpochTime) -> [Writer] {
        self.writers.values.filter { $0.file.index == self.leader && $0.file != own && self.isAlive($0, at: now) }
    }

    /// Takes a look at all files.
    ///
    /// - Returns: What is new: who left, then all else, by the numbers of shards. So nobody starts with one who left.
    mutating func look(_ files: [ReadyFile: ReadyFile.Content], at now: EpochTime) -> [Change] {
        var changes: [Change] = []
        for (file, writer) in self.writers where files[file] == nil {
            if self.memberships[file.index]?.holder == file {
                if self.memberships[file.index]?.disputedAt == nil { changes.append(.left(writer)) }
                self.memberships[file.index] = nil
            }
            self.writers[file] = nil
        }
        for (file, content) in files.sorted(by: { ($0.key.index, $0.key.token) < ($1.key.index, $1.key.token) }) {
            guard var writer = self.writers[file] else {
                // The first sight may be of an old file; a change is made by somebody who is alive.
                self.writers[file] = Writer(file: file, number: self.nextNumber, content: content, changedAt: now)
                self.nextNumber += 1
                continue
            }
            guard writer.content != content else { continue }
            writer.content = content
            writer.changedAt = now
            writer.changes += 1
            self.writers[file] = writer
        }
        let living = self.writers.values.filter { $0.file.index != self.leader && self.isAlive($0, at: now) }
        let candidates = Dictionary(grouping: living) { $0.file.index }
        for index in Set(candidates.keys).union(self.memberships.keys).sorted() {
            changes += self.settle(index, (candidates[index] ?? []).sorted { $0.number < $1.number })
        }
        let left = changes.filter { if case .left = $0 { true } else { false } }
        return left + changes.filter { if case .left = $0 { false } else { true } }
    }

    /// Notes that a process was refused for another reason, so that its membership is free for a better one.
    mutating func refuse(_ file: ReadyFile) {
        self.writers[file]?.isRefused = true
        if self.memberships[file.index]?.holder == file { self.memberships[file.index] = nil }
    }

    private func isAlive(_ writer: Writer, at now: EpochTime) -> Bool {
        writer.changes > 0 && !writer.isRefused && now - writer.changedAt <= self.patience
    }

    /// Says who has a membership.
    ///
    /// - Parameter living: Those who are alive and want it, in the order in which they were seen.
    private mutating func settle(_ index: Int, _ living: [Writer]) -> [Change] {
        var changes: [Change] = []
        if let membership = self.memberships[index], !living.contains(where: { $0.file == membership.holder }) {
            if membership.disputedAt == nil, let holder = self.writers[membership.holder] {
                changes.append(.left(holder))
            }
            self.memberships[index] = nil
        }
        guard let membership = self.memberships[index],
            let holder = living.first(where: { $0.file == membership.holder })
        else {
            // If several ask for the membership, the next look finds that it is disputed.
            if let first = living.first {
                self.memberships[index] = Membership(holder: first.file)
                changes.append(.came(first))
            }
            return changes
        }
        let others = living.filter { $0.file != holder.file }
        switch membership.disputedAt {
        case nil where !others.isEmpty:
            self.memberships[index]?.disputedAt = holder.changes
            changes.append(.left(holder))
        case .some where others.isEmpty:
            self.memberships[index]?.disputedAt = nil
            changes.append(.came(holder))
        case .some(let before) where holder.changes >= before + Self.proof:
            for other in others {
                self.writers[other.file]?.isRefused = true
                changes.append(.refused(other, holder: holder))
            }
            self.memberships[index]?.disputedAt = nil
            changes.append(.came(holder))
        default: break
        }
        return changes
    }
}
