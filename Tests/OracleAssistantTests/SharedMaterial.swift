import Foundation
import JSON
import Testing

/// Material that lies beside the checkout on some machines; tests that need it are skipped elsewhere.
enum SharedMaterial {
    /// The folder `shared` next to the package, if it is there.
    static let folder: URL? = {
        var directory = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while directory.path != "/" {
            if FileManager.default.fileExists(atPath: directory.appendingPathComponent("Package.swift").path) {
                let shared = directory.deletingLastPathComponent().appendingPathComponent("shared")
                return FileManager.default.fileExists(atPath: shared.path) ? shared : nil
            }
            directory.deleteLastPathComponent()
        }
        return nil
    }()

    static let skipReason: String = "the folder ../shared is not on this machine"

    /// The names of the files with real messages.
    static var messageFiles: [String] {
        guard let folder = folder?.appendingPathComponent("data/oda-messages").path else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    static func message(_ name: String) throws -> JSONValue {
        let url = try #require(folder).appendingPathComponent("data/oda-messages/\(name)")
        return try JSONReader.read(Data(contentsOf: url))
    }

    /// The vendor's document on its iOS client.
    static var document: String? {
        let seeds = folder?.appendingPathComponent("seeds")
        let name = (try? FileManager.default.contentsOfDirectory(atPath: seeds?.path ?? ""))?
            .first { $0.hasPrefix("001_") }
        return name.flatMap { try? String(contentsOf: seeds!.appendingPathComponent($0), encoding: .utf8) }
    }
}
