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
    private let path: String
    private var descriptor: Int32?

    /// Why the record is not complete.
    private(set) var error: ReportFileError?

    init(path: String) {
        self.path = path
    }

    /// Adds entries; the first call creates or empties the file.
    ///
    /// After an error nothing more is written, for a record with a gap would be worse than one that ends.
    ///
    /// - Returns: Why the file cannot be written, when that is noticed.
    mutating func append(_ entries: [RunEntry]) -> ReportFileError? {
        guard self.error == nil else { return nil }
        do throws(ReportFileError) {
            try self.write(entries.flatMap(\.line))
            return nil
        } catch {
            self.error = error
            self.close()
            return error
        }
    }

    private mutating func write(_ bytes: [UInt8]) throws(ReportFileError) {
        if let descriptor = self.descriptor {
            return try FileSystem.write(bytes, to: descriptor, path: self.path)
        }
        let descriptor = try FileSystem.create(self.path)
        self.descriptor = descriptor
        try FileSystem.write(bytes, to: descriptor, path: self.path)
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
