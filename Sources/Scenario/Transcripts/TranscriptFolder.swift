import FoundationEssentials

/// The folder `transcripts` beside a script; nothing outside of the project is read or written.
struct TranscriptFolder {
    /// The folder of the script as it is named in reports.
    let scriptFolder: String
    let workingDirectory: String
    let projectRoot: String
    let project: ProjectConfiguration

    /// Returns the file of a transcript as it is named in messages.
    ///
    /// - Throws: ``UsageError`` if the name could lead elsewhere.
    func name(of transcript: String) throws(UsageError) -> String {
        let parts = transcript.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = transcript.allSatisfy { $0.isLetter || $0.isNumber || " _-./".contains($0) }
        guard isPlain, transcript.utf8.count <= 120,
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix(" ") })
        else {
            throw UsageError(
                "the name of a transcript has letters, digits, spaces, _ - and . only, and / between folders; not \"\(transcript)\""
            )
        }
        let folder = self.scriptFolder == "." ? "" : self.scriptFolder + "/"
        return folder + "transcripts/" + transcript + ".txt"
    }

    /// Returns the text of a file, or nil if there is none.
    func text(_ name: String) throws(UsageError) -> String? {
        let path = self.path(name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try self.requireInside(path, name)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError("\(name) cannot be read; check its permissions")
        }
        do throws(ScriptProblem) { return try ScriptFile.text(data, name: name) } catch {
            throw UsageError(error.message)
        }
    }

    /// Returns a stored transcript, or nil if there is none.
    func transcript(_ name: String) throws(UsageError) -> StoredTranscript? {
        guard let text = try self.text(name) else { return nil }
        return try StoredTranscript(text, name: name)
    }

    /// Writes a file and the folders that it lies in.
    ///
    /// - Throws: ``UsageError`` if it lies outside of the project or cannot be written.
    func write(_ text: String, _ name: String) throws(UsageError) {
        let path = self.path(name)
        // The nearest folder that is there tells where the file would come to lie.
        var folder = URL(filePath: path).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.path), folder.path.count > 1 {
            folder = folder.deletingLastPathComponent()
        }
        try self.requireInside(folder.path, name)
        if FileManager.default.fileExists(atPath: path) { try self.requireInside(path, name) }
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw UsageError("the transcript \(name) cannot be written: \(UnwritableFile.reason(error))")
        }
    }

    /// Returns where a file lies.
    func path(_ name: String) -> String { name.hasPrefix("/") ? name : self.workingDirectory + "/" + name }

    private func requireInside(_ path: String, _ name: String) throws(UsageError) {
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        let root = URL(filePath: self.projectRoot).resolvingSymlinksInPath().path
        guard real != root else { return }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        guard real.hasPrefix(prefix) else {
            throw UsageError("the transcript \(name) lies outside of the project, by a link")
        }
        try self.project.requireAllowed(file: String(real.dropFirst(prefix.count)))
    }
}
