import Machines
import Testing

@testable import CommandLine
@testable import Reports

@Suite("The words of the page")
struct PageWordsTests {
    /// What the page calls elements of its own and fields, and one system an event, too.
    private static let otherwiseUsed: Set<String> = ["link", "screen", "suggestions"]

    @Test("the scripts of pages name no event that only one system has; they show what they find")
    func vendors() {
        var owners: [String: Set<String>] = [:]
        for system in BuiltInSystems.all {
            for kind in system.eventKinds { owners[kind.rawValue, default: []].insert(system.name) }
        }
        #expect(owners.count > 50)
        let chat = String(decoding: ChatDocument.bytes, as: UTF8.self)
        let own = owners.filter { $0.value.count == 1 && !["http", "websocket"].contains($0.value.first) }.keys
        for kind in Set(own).subtracting(Self.otherwiseUsed).sorted() {
            #expect(!PageScript.text.contains("\"\(kind)\""), "the page names \(kind) of \(owners[kind] ?? [])")
            #expect(!chat.contains("\"\(kind)\""), "the page of conversations by hand names \(kind)")
        }
    }
}
