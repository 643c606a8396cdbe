import FoundationEssentials
import Secrets

/// The texts of a script and of the modules that it uses, for excerpts.
struct ScriptSources: Sendable {
    let file: ScriptFile

    /// The files that the script was made from, absolute and without links; nothing else is read, whatever a script
    /// calls the texts that it loads.
    let known: Set<String>

    /// The folders that names of files may start from.
    private let folders: [String]

    /// Takes out what must not be seen, before anything is cut.
    private let secrets: SecretMasker

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

    /// Returns what stands at a place, without indentation and what must not be seen; nil as of ``excerpt(at:)``.
    ///
    /// A call that goes on in the next lines is joined to one.
    func line(at position: ScriptPosition) -> String? {
        guard let source = self.text(of: position.file) else { return nil }
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(position.line - 1) else { return nil }
        var text = ""
        for line in lines[(position.line - 1)...].prefix(Self.joinedLines) {
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            text += text.isEmpty || text.hasSuffix("(") || words.hasPrefix(")") ? words : " \(words)"
            if text.count(where: { $0 == "(" }) <= text.count(where: { $0 == ")" }) { break }
        }
        return String(self.secrets.masked(text).prefix(Self.lineLimit))
    }

    /// No more lines than this are joined.
    private static let joinedLines = 4

    /// A name longer than this helps nobody.
    private static let lineLimit = 160

    private func text(of name: String) -> String? {
        if name == self.file.name { return self.file.source }
        let paths = (name.hasPrefix("/") ? [name] : self.folders.map { $0 + "/" + name })
            .map { URL(filePath: $0).resolvingSymlinksInPath().path }
        return paths.first { self.known.contains($0) }.flatMap { FileManager.default.contents(atPath: $0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
