import Foundation
import JSON
import MachineKit
import Testing

extension SharedMaterial {
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
    static var document: String? { Self.page("001") }
}
