import Foundation
import Processes

/// The model that `scripts/embeddings` serves, as a process of its own on a free port.
///
/// Its packages are too large to be installed by a test: they are used where `.build/embeddings` has them, as the
/// script says how, or where the variable `EMBEDDINGS_PYTHON` names an interpreter that does.
final class LocalEmbeddings {
    private static let python =
        ProcessInfo.processInfo.environment["EMBEDDINGS_PYTHON"]
        ?? Product.root + "/.build/embeddings/bin/python"

    /// Whether the model is there.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: Self.python) }

    private let process: ChildProcess

    /// Where questions are posted.
    let url: String

    init() throws {
        let script = Product.root + "/scripts/embeddings"
        self.process = try ChildProcess([Self.python, script, "--port", "0"])
        // The output ends where the process does, so a model that cannot be loaded is no wait without end.
        let words = (self.process.output.line() ?? "").split(separator: " ")
        guard words.count == 3, words[0] == "listening" else { throw POSIXError(.ECONNREFUSED) }
        self.url = String(words[2])
    }

    /// Ends the process; a second time there is nothing to end.
    func close() {
        self.process.send(SIGTERM)
    }
}
