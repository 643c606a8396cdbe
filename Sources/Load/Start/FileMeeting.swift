public import RunRecord

/// The names of the files by which shards with a common file system meet.
///
/// Each is written under another name and renamed, so that nobody reads half of a line.
public enum FileMeeting {
    /// The file in which a shard says that it is ready.
    public static func readyName(_ shard: Shard) -> String { "ready-\(shard.index)-of-\(shard.count)" }

    /// The file in which shard 1 says when all start.
    public static let startName = "start"

    /// Returns the shard whose file this is.
    ///
    /// - Returns: Nil for the name of another file.
    public static func shard(fileName: String) -> Shard? {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "ready", parts[2] == "of" else { return nil }
        return try? Shard(text: "\(parts[1])/\(parts[3])")
    }
}
