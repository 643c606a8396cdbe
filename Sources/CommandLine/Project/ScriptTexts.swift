import FoundationEssentials

/// The texts of scripts for reports, by the names that records give them.
struct ScriptTexts: Sendable {
    private let environment: CommandEnvironment

    /// The names to answer; nil stands for all scripts below the working directory.
    private let names: Set<String>?

    /// Creates the texts of the scripts that this run plays itself.
    init(of names: Set<String>, in environment: CommandEnvironment) {
        self.environment = environment
        self.names = names
    }

    /// Creates the texts for a record that anybody may have written: it must not lead out of the working directory.
    init(below environment: CommandEnvironment) {
        self.environment = environment
        self.names = nil
    }

    /// Returns the text of a script, or nil if there is none to show.
    func text(_ name: String) -> String? {
        guard name.hasSuffix(".lua") else { return nil }
        let path = self.environment.path(name)
        if let names = self.names {
            guard names.contains(name) else { return nil }
        } else {
            let root = URL(filePath: self.environment.workingDirectory).resolvingSymlinksInPath().path + "/"
            guard URL(filePath: path).resolvingSymlinksInPath().path.hasPrefix(root) else { return nil }
        }
        return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
