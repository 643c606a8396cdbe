import LuaRuntime
import Testing

@testable import Scenario

@Suite("Functions of the language")
struct HostLibraryTests {
    @Test("no two functions have the same name")
    func names() {
        var names = HostLibraries.globals.map(\.name)
        for table in HostLibraries.tables { names += table.functions.map(\.name) + [table.name] }
        #expect(Set(names).count == names.count)
        let prelude = HostLibraries.prelude.map(\.name)
        #expect(Set(prelude).count == prelude.count)
        let systems = HostLibraries.systemsPrelude.map(\.name)
        #expect(Set(systems).count == systems.count)
    }

    @Test("the name of a function begins with that of its table")
    func tables() {
        for table in HostLibraries.tables {
            for function in table.functions {
                #expect(function.name.hasPrefix(table.name + "."), "\(function.name) is in the table \(table.name)")
            }
        }
    }
}
