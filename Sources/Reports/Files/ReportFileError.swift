/// Why a report could not be written.
public struct ReportFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String

    /// What happened and what to do, as a sentence without a full stop.
    public let message: String

    public var description: String { self.message }

    /// Returns the error with what it means in front, such as `the summary of the job is not written`.
    public func after(_ meaning: String) -> ReportFileError {
        ReportFileError(path: self.path, message: "\(meaning): \(self.message)")
    }
}
