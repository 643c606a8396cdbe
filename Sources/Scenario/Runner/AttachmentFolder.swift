import FoundationEssentials

/// The folder beside the reports in which files lie that scenarios attach.
public struct AttachmentFolder: Sendable {
    /// The absolute path.
    private let path: String

    /// The folder as reports name it.
    private let name: String

    /// Names the folder; it is made with its first file.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - name: The folder as reports name it.
    public init(path: String, named name: String) {
        self.path = path
        self.name = name
    }

    /// Returns how reports name a file.
    func name(of file: String) -> String { self.name + "/" + file }

    /// Writes a file.
    ///
    /// - Throws: What the file system says.
    func write(_ bytes: [UInt8], to file: String) throws {
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        // Of one that does not fit on the disk, no part is left.
        try Data(bytes).write(to: URL(filePath: self.path + "/" + file), options: .atomic)
    }

    /// Takes away what an earlier run has left; files that no run has made stay.
    public func removeLeftovers() {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? []
        for file in files where file.prefix(while: \.isNumber).count < file.count && file.first?.isNumber == true {
            guard file.drop(while: \.isNumber).hasPrefix("-") else { continue }
            try? FileManager.default.removeItem(atPath: self.path + "/" + file)
        }
    }
}
