import Synchronization

/// Which files scripts have read or looked for, by who read them: absolute paths without links.
public final class FileReads: Sendable {
    private let paths = Mutex<[String: Set<String>]>([:])

    /// Notes a file.
    ///
    /// - Parameters:
    ///   - path: The file; it need not be there, for one that comes changes what is read.
    ///   - reader: The id of a scenario, or the name of a script for what its scenarios share.
    func note(_ path: String, by reader: String) {
        _ = self.paths.withLock { $0[reader, default: []].insert(path) }
    }

    /// Returns what a scenario, or a script by its name, has read.
    public func files(of reader: String) -> Set<String> { self.paths.withLock { $0[reader] ?? [] } }

    /// All that was read.
    public var all: Set<String> { self.paths.withLock { $0.values.reduce(into: []) { $0.formUnion($1) } } }
}
