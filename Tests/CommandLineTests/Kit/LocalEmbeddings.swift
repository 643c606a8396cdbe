import Foundation

/// The model that `scripts/embeddings` serves, as a process of its own on a free port.
///
/// Its packages are too large to be installed by a test: they are used where `.build/embeddings` has them, as the script
/// says how, or where the variable `EMBEDDINGS_PYTHON` names an interpreter that does.
final class LocalEmbeddings {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let python =
        ProcessInfo.processInfo.environment["EMBEDDINGS_PYTHON"]
        ?? LocalEmbeddings.root.appending(path: ".build/embeddings/bin/python").path

    /// Whether the model is there.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: Self.python) }

    private let process = Process()

    /// Where questions are posted.
    let url: String

    init() throws {
        let output = Pipe()
        self.process.executableURL = URL(filePath: Self.python)
        self.process.arguments = [Self.root.appending(path: "scripts/embeddings").path, "--port", "0"]
        self.process.standardOutput = output
        self.process.standardError = FileHandle.nullDevice
        self.process.standardInput = FileHandle.nullDevice
        try self.process.run()
        var line: [UInt8] = []
        // The pipe ends where the process does, so a model that cannot be loaded is no wait without end.
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != 0x0A { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "listening" else { throw POSIXError(.ECONNREFUSED) }
        self.url = String(words[2])
    }

    /// Ends the process; a second time there is nothing to end.
    func close() {
        if self.process.isRunning { self.process.terminate() }
    }
}
