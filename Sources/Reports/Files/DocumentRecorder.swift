public import RunRecord

/// Makes a report that is a document as a whole, so that it can be rendered after any entry.
public protocol DocumentRecorder: Sendable {
    /// Takes the next entry of the record.
    mutating func record(_ entry: RunEntry)

    /// Renders the whole document as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    func document() -> [UInt8]
}
