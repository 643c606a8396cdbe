import Foundation
import Metrics

extension ToolRun {
    /// Runs `repartee load`, with the seed 7 unless another is given.
    ///
    /// - Parameters:
    ///   - source: The script.
    ///   - arguments: What follows the script and the seed; in virtual time unless given.
    ///   - folder: Where to run it; a new folder unless given.
    static func load(
        _ source: String, _ arguments: [String] = ["--clock", "virtual"], in folder: TemporaryFolder? = nil
    ) async throws -> (run: ToolRun, folder: TemporaryFolder) {
        let folder = try folder ?? TemporaryFolder()
        try folder.write(source, to: "load.lua")
        let seed = arguments.contains("--seed") ? [] : ["--seed", "7"]
        return (try await ToolRun(["load", "load.lua"] + seed + arguments, in: folder.path), folder)
    }
}

extension TemporaryFolder {
    /// The result that a load run has left.
    func loadResult(_ name: String = "Reports/load.json") throws -> LoadResult { try LoadResult(try self.data(name)) }
}
