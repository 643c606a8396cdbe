import Machines
import RunRecord
import Secrets

/// What a scenario has attached to its reports so far; it is written when the scenario has ended, for a secret may
/// become known after it was attached.
struct Attachments {
    /// The most that a scenario may attach.
    static let countLimit = 100

    /// The most bytes that one may have.
    static let sizeLimit = 10 << 20

    private var files: [(number: String, name: String, bytes: [UInt8])] = []

    /// Takes in what a script attaches.
    ///
    /// - Parameters:
    ///   - name: How the script names it.
    ///   - number: The number of the scenario in the run, which no other has.
    /// - Returns: The name of the file.
    /// - Throws: ``UsageError`` if it is too much, or has no name.
    mutating func add(_ bytes: [UInt8], named name: String, scenario number: Int) throws(UsageError) -> String {
        guard !name.isEmpty, name.utf8.count <= 200 else {
            throw UsageError("t:attach: the name has from 1 to 200 bytes, such as \"screen.png\"")
        }
        guard bytes.count <= Self.sizeLimit else {
            throw UsageError(
                "t:attach: \(name) has \(bytes.count >> 20) MB; at most \(Self.sizeLimit >> 20) MB can be attached")
        }
        guard self.files.count < Self.countLimit else {
            throw UsageError("t:attach: a scenario attaches at most \(Self.countLimit) files")
        }
        let number = "\(number)-\(self.files.count + 1)-"
        self.files.append((number, name, bytes))
        return number + AttachmentFile.name(of: name)
    }

    /// Writes everything that can be written, without what must not be seen, and lets go of it.
    ///
    /// - Parameter folder: Where to; without one nothing was taken in.
    /// - Returns: Why the scenario does not pass, if a file cannot be written.
    mutating func leave(in folder: AttachmentFolder?, without secrets: SecretMasker) -> ScenarioFailure? {
        defer { self.files = [] }
        guard let folder else { return nil }
        var lost: [String] = []
        for file in self.files {
            // What has become a secret since is hidden in the record of the name, too.
            let name = file.number + AttachmentFile.name(of: secrets.masked(file.name))
            do { try folder.write(secrets.masked(file.bytes), to: name) } catch {
                lost.append("\(folder.name(of: name)): \(UnwritableFile.reason(error))")
            }
        }
        guard let first = lost.first else { return nil }
        return ScenarioFailure(
            category: .error, kind: .harness,
            message: "what was attached cannot be written: " + (lost.count > 1 ? "\(lost.count) files, such as " : "")
                + first)
    }

    /// Checks a type that a script gives: readers of reports choose by it how to show a file (RFC 6838, section 4.2).
    ///
    /// - Throws: ``UsageError`` that says how one is written.
    static func check(mediaType type: String) throws(UsageError) {
        let form = /[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}( *;[ -~]{1,200})?/
        guard type.wholeMatch(of: form) == nil else { return }
        throw UsageError(
            "t:attach: a media type has the form type/subtype, such as \"text/plain\", not "
                + "\"\(type.shortened(to: 60))\"; without one the name of the file tells it")
    }

    /// The type of a file whose script does not give one: by the end of its name, or by whether it is text.
    static func mediaType(of name: String, _ bytes: [UInt8]) -> String {
        let known = [
            "csv": "text/csv", "gif": "image/gif", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg",
            "jpg": "image/jpeg", "json": "application/json", "log": "text/plain", "md": "text/markdown",
            "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain",
            "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
        ]
        let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
        if let type = end.flatMap({ known[$0] }) { return type }
        return String(validating: bytes, as: UTF8.self) == nil ? "application/octet-stream" : "text/plain"
    }
}
