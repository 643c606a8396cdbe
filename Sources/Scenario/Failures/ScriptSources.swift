import FoundationEssentials
import Secrets

/// The texts of a script and of the modules that it uses, for excerpts.
struct ScriptSources {
    let file: ScriptFile

    /// The files that the script was made from, absolute and without links; nothing else is read, whatever a script
    /// calls the texts that it loads.
    let known: Set<String>

    /// The folders that names of files may start from.
    private let folders: [String]

    /// Takes out what must not be seen, before anything is cut.
    private let secrets: Secrets

    /// Creates the sources of a script.
    ///
    /// - Parameters:
    ///   - file: The script itself.
    ///   - known: The files that it has read, absolute and without links.
    ///   - settings: Where names of files start from, and what must not be seen.
    init(_ file: ScriptFile, known: Set<String> = [], settings: ExecutionSettings) {
        self.file = file
        self.known = known
        self.folders = [settings.workingDirectory, settings.projectRoot]
        self.secrets = settings.vault.current
    }

    /// Returns the lines around a place; none if its file is not one of the script's or cannot be read any more.
    func excerpt(at position: ScriptPosition) -> [String] {
        self.text(of: position.file).map { source in
            SourceExcerpt(source: source, line: position.line, masked: self.secrets.masked).rendered
        } ?? []
    }

    private func text(of name: String) -> String? {
        if name == self.file.name { return self.file.source }
        let paths = (name.hasPrefix("/") ? [name] : self.folders.map { $0 + "/" + name })
            .map { URL(filePath: $0).resolvingSymlinksInPath().path }
        return paths.first { self.known.contains($0) }.flatMap { FileManager.default.contents(atPath: $0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
