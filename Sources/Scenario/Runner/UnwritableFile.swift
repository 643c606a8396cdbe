import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that could not be written, for people.
enum UnwritableFile {
    /// Returns why a file could not be written, and what to do about it.
    ///
    /// - Parameter error: What Foundation threw; the system's own error stands in it.
    static func reason(_ error: any Error) -> String {
        let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError ?? error as? POSIXError
        guard let number = cause?.code.rawValue else { return "the system does not say why; choose another folder" }
        let remedy =
            switch number {
            case ENOSPC, EDQUOT: "free some space on the disk, or choose another one"
            case EACCES, EPERM, EROFS: "choose a folder that this user may write to, or change its permissions"
            case ENAMETOOLONG: "give it a shorter name"
            case EISDIR: "there is a folder of that name; take it away"
            case ENOTDIR, EEXIST: "a part of the path is a file and not a folder; take it away"
            default: "choose another folder"
            }
        return "\(String(cString: strerror(number))); \(remedy)"
    }
}
