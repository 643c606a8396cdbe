import Foundation
import Scenario

/// The scenarios of the product with BoldChat.
enum ScenarioFolder {
    /// Where they are: below the root of the package, where its manifest is.
    static let path: String = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path())
        {
            folder.deleteLastPathComponent()
        }
        return folder.appending(path: "Scenarios/boldchat").path()
    }()

    /// The names of its files, in their order.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.path).filter { $0.hasSuffix(".lua") }.sorted()
    }

    /// A file of it.
    static func file(_ name: String) throws -> ScriptFile {
        ScriptFile(name: name, source: try String(contentsOfFile: "\(self.path)/\(name)", encoding: .utf8))
    }
}
