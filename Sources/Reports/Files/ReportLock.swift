#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The right to write the reports of a folder, which one run has at a time.
///
/// It is a lock of the system on a file in the folder: who dies gives it back. Where files cannot be locked nobody is
/// kept from running.
public final class ReportLock {
    /// Why there is no right.
    public enum Refusal: Error, Hashable, Sendable {
        /// Another run has it; its process, if it says.
        case taken(process: Int32?)
        /// The folder is none, or nothing can be written to it.
        case unusable(ReportFileError)
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
    /// - Throws: ``Refusal`` if another run has it, or nobody could use it.
    public init(folder: String, name: String) throws(Refusal) {
        self.path = "\(folder)/.\(name).lock"
        var status = stat()
        self.hasMadeFolder = stat(folder, &status) != 0
        for _ in 0..<Self.attempts {
            let descriptor: Int32
            do throws(ReportFileError) { descriptor = try FileSystem.open(self.path) } catch {
                // One that another user has left behind says nothing about the reports beside it.
                guard lstat(self.path, &status) != 0 else { return }
                throw .unusable(error)
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                let owner = Self.process(in: descriptor)
                close(descriptor)
                if isTaken { throw .taken(process: owner) }
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
