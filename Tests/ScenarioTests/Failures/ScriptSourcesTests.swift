import FoundationEssentials
import Secrets
import Testing

@testable import Scenario

@Suite("The texts that excerpts are taken from")
struct ScriptSourcesTests {
    @Test("are the script itself and the files that it was made from, and no other file of the disk")
    func known() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UInt64.random(in: 0 ... .max))")
            .resolvingSymlinksInPath().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["module.lua", "other.lua"] {
            try Data("print \"\(name)\"\n".utf8).write(to: URL(filePath: folder + "/" + name))
        }
        let settings = ExecutionSettings(
            systems: [], projectRoot: folder, workingDirectory: folder, project: ProjectConfiguration(), seed: 1)
        let sources = ScriptSources(
            ScriptFile(name: "a.lua", source: "error \"a\""), known: [folder + "/module.lua"], settings: settings)
        func excerpt(_ name: String) -> [String] { sources.excerpt(at: ScriptPosition(file: name, line: 1)) }
        #expect(excerpt("a.lua").first == "> 1 | error \"a\"")
        #expect(excerpt("module.lua").first == "> 1 | print \"module.lua\"")
        #expect(excerpt(folder + "/module.lua").first == "> 1 | print \"module.lua\"")
        #expect(excerpt("./module.lua").first == "> 1 | print \"module.lua\"")
        for name in ["other.lua", folder + "/other.lua", "/etc/passwd", "../../etc/passwd", "missing.lua", ""] {
            #expect(excerpt(name) == [], "\(name)")
        }
        #expect(sources.excerpt(at: ScriptPosition(file: "a.lua", line: 9)) == [])
    }

    @Test("do not show what is a secret")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1, vault: vault
        )
        let sources = ScriptSources(ScriptFile(name: "a.lua", source: "say \"swordfish\""), settings: settings)
        #expect(sources.excerpt(at: ScriptPosition(file: "a.lua", line: 1)).first == "> 1 | say \"***\"")
    }
}
