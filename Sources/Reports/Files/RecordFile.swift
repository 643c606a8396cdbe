import JSON
import RunRecord

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file of a run record, to which entries are added at the end.
struct RecordFile {
    let path: String
    private var descriptor: Int32?

    /// Lines that are not yet in the file.
    private var pending: [UInt8] = []

    /// How many bytes the entries take so far, written or not.
    private(set) var size = 0

    /// When the file was last written to.
    private var lastWrite: ContinuousClock.Instant?

    /// Why the record is not complete.
    private(set) var error: ReportFileError?

    /// So many bytes go to the file at once, whenever the last ones did.
    private static let chunk = 1 << 16

    init(path: String) {
        self.path = path
    }

    /// Adds entries.
    mutating func append(_ entries: [RunEntry]) {
        guard self.error == nil else { return }
        let before = self.pending.count
        // The writer has the bytes for itself while it goes on with them, so that none is copied.
        var writer = JSONWriter(continuing: exchange(&self.pending, with: []))
        for entry in entries { entry.append(to: &writer) }
        self.pending = writer.bytes
        self.size += self.pending.count - before
    }

    /// When the entries are to be written, or nil if all are.
    func due(interval: Duration) -> ContinuousClock.Instant? {
        guard !self.pending.isEmpty else { return nil }
        guard let last = self.lastWrite, self.pending.count < Self.chunk else { return .now }
        return last + interval
    }

    /// Writes the entries that are not yet in the file; the first call creates or empties the file.
    ///
    /// After an error nothing more is written, for a record with a gap would be worse than one that ends.
    ///
    /// - Returns: Why the file cannot be written, when that is noticed.
    mutating func flush() -> ReportFileError? {
        guard self.error == nil, !self.pending.isEmpty else { return nil }
        defer {
            self.pending.removeAll(keepingCapacity: true)
            self.lastWrite = .now
        }
        do throws(ReportFileError) {
            let descriptor = if let open = self.descriptor { open } else { try FileSystem.create(self.path) }
            self.descriptor = descriptor
            try FileSystem.write(self.pending, to: descriptor, path: self.path)
            return nil
        } catch {
            self.error = error
            self.close()
            return error
        }
    }

    /// Closes the file.
    mutating func close() {
        guard let descriptor = self.descriptor else { return }
        self.descriptor = nil
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}
