import Machines
import Testing

@testable import CommandLine
@testable import Reports

@Suite("The words of the page")
struct PageWordsTests {
    /// What the page calls elements of its own and fields, and one system an event, too.
    private static let otherwiseUsed: Set<String> = ["link", "screen", "suggestions"]

    @Test("the page's script names no event that only one system has; it shows what it finds in the record")
    func vendors() {
        var owners: [String: Set<String>] = [:]
        for system in Systems.all {
            for kind in system.eventKinds { owners[kind.rawValue, default: []].insert(system.name) }
        }
        #expect(owners.count > 50)
        let own = owners.filter { $0.value.count == 1 && !["http", "websocket"].contains($0.value.first) }.keys
        for kind in Set(own).subtracting(Self.otherwiseUsed).sorted() {
            #expect(!PageScript.text.contains("\"\(kind)\""), "the page names \(kind) of \(owners[kind] ?? [])")
        }
    }
}
