#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The right to write the reports of a folder, which one run has at a time.
///
/// It is a lock of the system on a file in the folder: who dies gives it back. Where a file cannot be made or locked
/// nobody is kept from running; the reports themselves will tell what is wrong with the folder.
public final class ReportLock {
    /// That another run has the right.
    public struct Taken: Error, Hashable, Sendable {
        /// The process that has it, if it says.
        public let process: Int32?
    }

    private let path: String
    private var descriptor: Int32?

    /// Whether the folder was made for the lock, so that it is not to stay behind empty.
    private let hasMadeFolder: Bool

    /// How often a file that its last owner takes away meanwhile is opened anew.
    private static let attempts = 100

    /// Takes the right.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is made if it is missing.
    ///   - name: What the right is about; those of several names are independent.
    /// - Throws: ``Taken`` if another run has it.
    public init(folder: String, name: String) throws(Taken) {
        self.path = "\(folder)/.\(name).lock"
        var status = stat()
        self.hasMadeFolder = stat(folder, &status) != 0
        for _ in 0..<Self.attempts {
            guard let descriptor = try? FileSystem.open(self.path) else { return }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                let owner = Self.process(in: descriptor)
                close(descriptor)
                if isTaken { throw Taken(process: owner) }
                return
            }
            // The last owner may have taken the file away between the two calls; then the lock is on nothing.
            guard Self.isSame(descriptor, self.path) else {
                close(descriptor)
                continue
            }
            ftruncate(descriptor, 0)
            try? FileSystem.write(Array("\(getpid())\n".utf8), to: descriptor, path: self.path)
            self.descriptor = descriptor
            return
        }
    }

    deinit { self.release() }

    /// Gives the right back.
    public func release() {
        guard let descriptor = self.descriptor else { return }
        self.descriptor = nil
        unlink(self.path)
        close(descriptor)
        // A folder with anything in it stays.
        if self.hasMadeFolder, let end = self.path.lastIndex(of: "/") { rmdir(String(self.path[..<end])) }
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (mine, theirs) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(path, &theirs) == 0 && mine.st_ino == theirs.st_ino
            && mine.st_dev == theirs.st_dev
    }

    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
