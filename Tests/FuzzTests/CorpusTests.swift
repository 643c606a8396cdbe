import Foundation
import Machines
import Testing

@Suite("Decoders and the inputs that were kept")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// How many inputs that are like a kept one are tried beside it.
    private static let neighbors = 30

    /// The inputs of a decoder: those that show it what its format is, and those that broke it once.
    private static func inputs(_ decoder: Decoder) throws -> [[UInt8]] {
        try ["Corpora", "Crashes"].flatMap { kind in
            let folder = Self.folder.appendingPathComponent(kind).appendingPathComponent(decoder.rawValue)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return try names.sorted().map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
        }
    }

    @Test("Every input that was kept is read without a trap, and so are its neighbors", arguments: Decoder.allCases)
    func kept(decoder: Decoder) throws {
        let inputs = try Self.inputs(decoder)
        #expect(!inputs.isEmpty, "Tests/FuzzTests/Corpora/\(decoder.rawValue) has no input")
        var random = RandomSource(seed: 1)
        for input in inputs {
            decoder.read(input)
            for _ in 0..<Self.neighbors { decoder.read(Mutation.mutated(input, using: &random)) }
        }
        print("corpus: \(decoder.rawValue), \(inputs.count * (1 + Self.neighbors)) inputs")
    }
}
