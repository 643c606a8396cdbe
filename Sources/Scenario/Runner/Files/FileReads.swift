public import FoundationEssentials
import Synchronization

/// Which files scripts have read or looked for, by who read them, and when each was last written by then: absolute
/// paths without links.
public final class FileReads: Sendable {
    private struct Notes {
        var paths: [String: Set<String>] = [:]
        var dates: [String: Date] = [:]
        var written: Set<String> = []
    }

    private let notes = Mutex(Notes())

    /// Notes a file that is about to be read.
    ///
    /// - Parameters:
    ///   - path: The file; it need not be there, for one that comes changes what is read.
    ///   - reader: The id of a scenario, or the name of a script for what its scenarios share.
    func note(_ path: String, by reader: String) {
        let isFirst = self.notes.withLock { notes in
            notes.paths[reader, default: []].insert(path)
            return notes.dates[path] == nil
        }
        guard isFirst else { return }
        let date = Self.lastWrite(of: path)
        self.notes.withLock { notes in
            if notes.dates[path] == nil { notes.dates[path] = date }
        }
    }

    /// Notes that a play has written a file, which is no change that somebody made meanwhile.
    func noteWrite(of path: String) {
        _ = self.notes.withLock { $0.written.insert(URL(filePath: path).resolvingSymlinksInPath().path) }
    }

    /// Returns what a scenario, or a script by its name, has read.
    public func files(of reader: String) -> Set<String> { self.notes.withLock { $0.paths[reader] ?? [] } }

    /// All that was read or looked for, and when it had been written before anybody did, as ``lastWrite(of:)`` says.
    public var dates: [String: Date] { self.notes.withLock { $0.dates } }

    /// What plays have written.
    public var written: Set<String> { self.notes.withLock { $0.written } }

    /// When a file was last written; the distant past if there is none.
    public static func lastWrite(of path: String) -> Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }
}
