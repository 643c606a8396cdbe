public import RunRecord

/// Writes a run record as it goes: one line per entry, in the format of ``RunRecord/RunEntry``.
public struct JSONLinesRecorder {
    private let write: ([UInt8]) -> Void

    /// Creates a recorder.
    ///
    /// - Parameter write: Takes the bytes of each line, line feed included.
    public init(write: @escaping ([UInt8]) -> Void) {
        self.write = write
    }

    /// Takes the next entry of the record.
    public func record(_ entry: RunEntry) {
        self.write(entry.line)
    }
}
