import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A small file system in memory.
struct FullDisk {
    private let path: String

    /// Why there can be none, or nil.
    static let problem: String? = {
        guard geteuid() == 0 else { return "only root may mount" }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("repartee-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let disk = try? FullDisk(folder, bytes: 4096) else { return "this machine does not let root mount" }
        disk.unmount()
        return nil
    }()

    /// Mounts one.
    init(_ path: String, bytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw POSIXError(.EPERM) }
        self.path = path
    }

    func unmount() { umount(self.path) }
}
