public import RunRecord

extension Shard {
    /// The most shards that a run may have, as AWS Batch allows array children.
    public static let most = 10_000

    /// Reads a shard as the command line writes it: `2/4` is the second of four.
    ///
    /// - Throws: ``ShardError`` that says what to write.
    public init(text: String) throws(ShardError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else {
            throw ShardError(message: "--shard \"\(text)\" is not a shard; write 2/4 for the second of four, or auto")
        }
        guard 1...Self.most ~= count else {
            throw ShardError(message: "--shard \(text): a run has from 1 to \(Self.most) shards")
        }
        guard 1...count ~= index else {
            throw ShardError(message: "--shard \(text): there are shards 1/\(count) to \(count)/\(count)")
        }
        self.init(index: index, count: count)
    }

    /// Whether the shard is one of its own count; a value made by hand may not be.
    var isSound: Bool { self.count >= 1 && self.count <= Self.most && self.index >= 1 && self.index <= self.count }
}
