import RunRecord
import Scenario
import Secrets

/// The scripts that a run record is about: those that it names, and the modules that they require.
///
/// No others are looked for: the working directory may be anything, such as one with a million files.
struct RecordScripts {
    /// More scripts are not read: a record may name any number.
    private static let limit = 1_000

    /// Their texts.
    let texts: [String]

    /// Reads the scripts of records, as far as they lie below the working directory.
    init(of entries: [RunEntry], in environment: CommandEnvironment) {
        let scripts = ScriptTexts(below: environment)
        var names: [String] = []
        var known: Set<String> = []
        func add(_ name: String) {
            if known.count < Self.limit, known.insert(name).inserted { names.append(name) }
        }
        for entry in entries { Self.names(in: entry).forEach(add) }
        var texts: [String] = []
        var place = 0
        while place < names.count {
            let name = names[place]
            place += 1
            guard let text = scripts.text(name), text.utf8.count <= ScriptFile.limit else { continue }
            texts.append(text)
            let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
            for module in SecretVault.texts(givenTo: "require", in: text) {
                let file = module.replacing(".", with: "/") + ".lua"
                add(folder + file)
                add(file)
            }
        }
        self.texts = texts
    }

    private static func names(in entry: RunEntry) -> [String] {
        switch entry {
        case .scenarioStarted(let start): [start.file]
        case .scenarioEnded(let end):
            end.problems.flatMap { problem in
                [problem.file].compactMap(\.self) + (problem.evidence?.frames ?? []).map(\.file)
            }
        case .runStarted, .happened, .runEnded: []
        }
    }
}
