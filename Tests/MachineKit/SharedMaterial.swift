public import Foundation

/// Material that lies beside the checkout on some machines; tests that need it are skipped elsewhere.
public enum SharedMaterial {
    /// The folder `shared` next to the package, if it is there.
    public static let folder: URL? = {
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

    /// Returns the text of a vendor's page, if it is there.
    ///
    /// - Parameter number: The digits with which the name of its file begins.
    public static func page(_ number: String) -> String? {
        guard let seeds = Self.folder?.appendingPathComponent("seeds") else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: seeds.path)) ?? []
        return names.first { $0.hasPrefix(number + "_") }
            .flatMap { try? String(contentsOf: seeds.appendingPathComponent($0), encoding: .utf8) }
    }
}
