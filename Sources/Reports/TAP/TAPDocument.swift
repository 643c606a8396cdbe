public import RunRecord

/// The Test Anything Protocol as a file that is whole at any time: that of a run that has not ended bails out.
public struct TAPDocument: DocumentRecorder {
    private var lines = TAPLines()

    /// Creates a document for a run that has not begun.
    public init() {}

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) { self.lines.record(entry) }

    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] { Array(self.lines.textWithEnd.utf8) }
}
