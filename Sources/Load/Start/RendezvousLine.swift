public import RunRecord

/// What shards say to each other before a run: one line of text each, over a connection or in a file (defined here).
///
/// ```
/// repartee 1 ready 2/4 9f86d081884c7d65 nightly-17
/// repartee 1 start 1795262400000000000
/// repartee 1 failed shard 3/4 did not come
/// ```
///
/// The number after the name is the version. A ready shard tells which part it is, the digest of its plan, and the name
/// of the run. Lines are at most 512 bytes.
public enum RendezvousLine: Hashable, Sendable {
    /// A shard has prepared everything and waits for the start.
    case ready(Shard, plan: UInt64, run: String)
    /// All shards are ready, and this is when they start.
    case start(EpochTime)
    /// There will be no start.
    case failed(String)

    /// The longest line in bytes.
    public static let limit = 512

    private static let opening = "repartee 1 "

    /// Reads a line.
    ///
    /// - Parameter text: The line without its end; whatever another process may have sent.
    /// - Returns: Nil if it is no line of this protocol.
    public init?(text: String) {
        guard text.utf8.count <= Self.limit, text.hasPrefix(Self.opening) else { return nil }
        let rest = text.dropFirst(Self.opening.count)
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "ready":
            let fields = words[1].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let shard = try? Shard(text: String(fields[0])),
                let plan = UInt64(fields[1], radix: 16), !fields[2].isEmpty
            else { return nil }
            self = .ready(shard, plan: plan, run: String(fields[2]))
        case "start":
            guard let nanoseconds = Int64(words[1]) else { return nil }
            self = .start(EpochTime(nanoseconds: nanoseconds))
        case "failed": self = .failed(String(words[1]))
        default: return nil
        }
    }

    /// The line without its end.
    public var text: String {
        let text =
            switch self {
            case .ready(let shard, let plan, let run):
                "ready \(shard) \(String(plan, radix: 16)) \(run)"
            case .start(let time): "start \(time.nanoseconds)"
            case .failed(let reason): "failed \(reason)"
            }
        // A run's name with a line end in it, or an endless one, must not become two lines or one that is refused.
        let line = (Self.opening + text).split(whereSeparator: \.isNewline).joined(separator: " ")
        return String(decoding: line.utf8.prefix(Self.limit - 3), as: UTF8.self)
    }
}
