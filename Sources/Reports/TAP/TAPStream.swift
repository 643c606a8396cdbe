public import RunRecord

/// Writes the lines of a ``TAPRecorder`` as the run goes.
public struct TAPStream {
    private let write: (String) -> Void
    private var recorder = TAPRecorder()

    /// Creates a stream for a run that has not begun.
    ///
    /// - Parameter write: Takes the text of whole lines, each with its line feed.
    public init(write: @escaping (String) -> Void) {
        self.write = write
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.recorder.record(entry)
        guard !self.recorder.text.isEmpty else { return }
        self.write(self.recorder.text)
        self.recorder.text = ""
    }
}
