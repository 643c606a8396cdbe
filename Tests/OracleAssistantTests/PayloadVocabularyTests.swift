import Machines
import Testing

@testable import OracleAssistant

@Suite("What the reference says of tables for Oracle")
struct PayloadVocabularyTests {
    /// The names of a part of the reference, those of its tables included.
    private static func names(_ title: String) -> Set<String> {
        func names(_ members: [ParameterDeclaration]) -> [String] {
            members.flatMap { [$0.name] + names(of: $0.type) }
        }
        func names(of type: ScriptType) -> [String] {
            switch type {
            case .record(let members): names(members)
            case .list(let element), .map(let element): names(of: element)
            default: []
            }
        }
        return Set(names(PayloadVocabulary.data.first { $0.title == title }?.members ?? []))
    }

    @Test("every payload that a skill can send is there once")
    func types() {
        let described = PayloadVocabulary.payloads.map(\.type)
        #expect(Set(described).count == described.count)
        #expect(Set(described) == Set(PayloadType.allCases.filter { $0.direction != .userToSkill }))
    }

    @Test(
        "what the document says of the members of messages stands in the reference",
        arguments: [
            ("Card", "A card"), ("Action", "An action"), ("Field", "A field"),
            ("PaginationInfo", "Payload of type `table`"), ("Heading", "Payload of type `table`"),
            ("Row", "Payload of type `table`"), ("Message", "What every payload may have"),
        ])
    func members(object: String, title: String) {
        // The document writes one in capitals, and the type of a picture belongs to the message.
        let spelt = ["URL": "url"]
        let names = OracleFacts.members.first { $0.object == object }?.names.filter { $0 != "mediaType" } ?? []
        #expect(!names.isEmpty)
        #expect(Set(names.map { spelt[$0] ?? $0 }).subtracting(Self.names(title)).isEmpty)
    }

    @Test("every text and every setting of the network and the flags is there")
    func texts() {
        #expect(Self.names("Keys of `strings`") == Set(StringTable.defaults.keys))
        let settings = Self.names("Settings of a target")
        for setting in NetworkProperties.all + FeatureFlags.all where setting.name != "url" {
            #expect(settings.contains(setting.scriptName), "\(setting.scriptName)")
        }
    }
}
