#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The few file operations that reports need, with errors that say what to do.
public enum FileSystem {
    /// Creates an empty file, or empties it, and the folders above it.
    ///
    /// - Returns: A descriptor that the caller closes.
    static func create(_ path: String) throws(ReportFileError) -> Int32 {
        try Self.createFolders(above: path)
        return try Self.create(path, for: path)
    }

    /// - Parameter name: The file that people know of.
    private static func create(_ path: String, for name: String) throws(ReportFileError) -> Int32 {
        let descriptor = Self.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(name, "cannot be created") }
        return descriptor
    }

    /// Opens a file to read and write, which is created empty if it is missing, and so are the folders above it.
    ///
    /// - Returns: A descriptor that the caller closes.
    static func open(_ path: String) throws(ReportFileError) -> Int32 {
        try Self.createFolders(above: path)
        let descriptor = Self.open(path, O_RDWR | O_CREAT | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(path, "cannot be created") }
        return descriptor
    }

    /// Adds to the end of a file, which is created if it is missing: what others add meanwhile stays.
    ///
    /// - Throws: ``ReportFileError`` with what to do about it.
    public static func append(_ bytes: [UInt8], to path: String) throws(ReportFileError) {
        let descriptor = Self.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(path, "cannot be opened") }
        defer { close(descriptor) }
        try Self.write(bytes, to: descriptor, path: path)
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, flags, 0o644)
        #elseif canImport(Musl)
            Musl.open(path, flags, 0o644)
        #else
            Glibc.open(path, flags, 0o644)
        #endif
    }

    /// Takes away what an earlier run has written, so that nobody takes it for what this one will write.
    ///
    /// What is no plain file, such as a pipe, is left alone, and a link stays and leads to an empty file.
    public static func removeReport(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: unlink(path)
        case S_IFLNK where stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG: truncate(path, 0)
        default: break
        }
    }

    /// Writes all bytes to a descriptor.
    static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(ReportFileError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                #elseif canImport(Musl)
                    Musl.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                #else
                    Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.error(path, "cannot be written") }
            written += count
        }
    }

    /// Replaces a file as a whole: whoever reads it finds the old text or the new one, never a part.
    ///
    /// The new text goes to a file beside it, which then takes its name. What is not a plain file (a pipe, a terminal)
    /// is written in place, and a link keeps pointing where it points.
    ///
    /// - Throws: ``ReportFileError`` with what to do about it.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(ReportFileError) {
        try Self.createFolders(above: path)
        guard Self.isReplaceable(path) else {
            let descriptor = try Self.create(path)
            defer { close(descriptor) }
            return try Self.write(bytes, to: descriptor, path: path)
        }
        let target = Self.resolved(path)
        let temporary = "\(target).\(getpid()).part"
        do throws(ReportFileError) {
            let descriptor = try Self.create(temporary, for: path)
            do throws(ReportFileError) {
                try Self.write(bytes, to: descriptor, path: path)
            } catch {
                close(descriptor)
                throw error
            }
            // Some file systems say only now that the disk is full.
            guard close(descriptor) == 0, rename(temporary, target) == 0 else {
                throw Self.error(path, "cannot be written")
            }
        } catch {
            unlink(temporary)
            throw ReportFileError(path: path, message: error.message)
        }
    }

    /// Reads the first bytes of a file.
    ///
    /// - Returns: Fewer if it is shorter; nil if it cannot be read.
    public static func beginning(of path: String, length: Int) -> [UInt8]? {
        let descriptor = Self.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: length)
        var count = 0
        while count < length {
            let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, length - count) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { return nil }
            guard more > 0 else { break }
            count += more
        }
        return Array(bytes[..<count])
    }

    /// Finds out whether a file can be written, and leaves everything as it is.
    ///
    /// - Throws: ``ReportFileError`` with what to do about it.
    public static func tryToWrite(_ path: String) throws(ReportFileError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            errno = EISDIR
            guard status.st_mode & S_IFMT != S_IFDIR, access(path, W_OK) == 0 else {
                throw Self.error(path, "cannot be written")
            }
            return
        }
        // The nearest folder that is there: those below it are made when the file is.
        var folder = Self.resolved(path)
        repeat {
            guard let end = folder.lastIndex(of: "/"), end > folder.startIndex else {
                folder = "/"
                break
            }
            folder = String(folder[..<end])
        } while stat(folder, &status) != 0 && errno == ENOENT
        // What the system allows only shows when it is done.
        let probe = "\(folder)/.\(getpid()).part"
        let descriptor = Self.open(probe, O_WRONLY | O_CREAT | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(path, "cannot be written") }
        close(descriptor)
        unlink(probe)
    }

    /// Whether a path names a plain file or nothing yet.
    static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func createFolders(above path: String) throws(ReportFileError) {
        guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return }
        let folder = String(path[..<end])
        if mkdir(folder, 0o755) == 0 || errno == EEXIST { return }
        if errno == ENOENT {
            try Self.createFolders(above: folder)
            if mkdir(folder, 0o755) == 0 || errno == EEXIST { return }
        }
        throw Self.error(folder, "cannot be created")
    }

    /// An error from the number that the system left.
    private static func error(_ path: String, _ what: String) -> ReportFileError {
        let number = errno
        let remedy: String =
            switch number {
            case ENOSPC, EDQUOT: "free some space on the disk, or write to another one"
            case EACCES, EPERM, EROFS: "choose a folder that this user may write to, or change its permissions"
            case EISDIR: "name a file in the folder instead of the folder"
            case ENOTDIR, EEXIST: "a part of the path is a file and not a folder; choose another path"
            default: "choose another path"
            }
        return ReportFileError(path: path, message: "\(path) \(what): \(String(cString: strerror(number))); \(remedy)")
    }
}
