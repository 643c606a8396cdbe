public import RunRecord

/// Writes the Test Anything Protocol, version 14, as the run goes; see ``TAPLines``.
public struct TAPRecorder {
    private let write: (String) -> Void
    private var lines = TAPLines()

    /// Creates a recorder for a run that has not begun.
    ///
    /// - Parameter write: Takes the text of whole lines, each with its line feed.
    public init(write: @escaping (String) -> Void) {
        self.write = write
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.lines.record(entry)
        guard !self.lines.text.isEmpty else { return }
        self.write(self.lines.text)
        self.lines.text = ""
    }
}
