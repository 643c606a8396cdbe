import Foundation

/// A folder that exists as long as this object does.
final class TemporaryFolder: Sendable {
    /// Its absolute path.
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("repartee-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.path = folder.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    /// Writes a file, with the folders above it.
    func write(_ text: String, to name: String) throws { try self.write(Data(text.utf8), to: name) }

    /// Writes a file, with the folders above it.
    func write(_ data: Data, to name: String) throws {
        let url = URL(fileURLWithPath: self.path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// Reads a file.
    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: self.path + "/" + name)) }

    /// Reads a file as text.
    func text(_ name: String) throws -> String { String(decoding: try self.data(name), as: UTF8.self) }

    /// Waits until a file is as it is wanted; gives up after two minutes, for whoever waits would then wait for ever.
    func wait(for name: String, until isWanted: (String) -> Bool) throws {
        let end = ContinuousClock.now + .seconds(120)
        while (try? isWanted(self.text(name))) != true {
            guard ContinuousClock.now < end else { throw NeverWritten(file: name) }
            usleep(10_000)
        }
    }

    /// A file that did not become what was waited for.
    struct NeverWritten: Error {
        let file: String
    }

    /// Whether there is a file.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self.path + "/" + name) }
}
