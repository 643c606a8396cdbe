import FoundationEssentials
import RunRecord
import Secrets
import Testing

@testable import Scenario

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Files that a scenario attaches")
struct AttachmentsTests {
    private static func added(_ name: String, _ bytes: [UInt8] = [1]) throws(UsageError) -> String {
        var attachments = Attachments()
        return try attachments.add(bytes, named: name, scenario: 7)
    }

    @Test(
        "the name of a file cannot lead out of its folder, whatever the script calls it",
        arguments: [
            ("screen.png", "7-1-screen.png"), ("../../etc/passwd", "7-1-..-..-etc-passwd"),
            ("/etc/passwd", "7-1--etc-passwd"),
            ("a b\u{0}c\n", "7-1-a-b-c-"), ("..", "7-1-.."), ("né.txt", "7-1-n--.txt"), ("C:\\a", "7-1-C--a"),
            ("-rf", "7-1--rf"),
        ])
    func names(name: String, file: String) throws {
        #expect(try Self.added(name) == file)
    }

    @Test("two of one name are told apart by their number")
    func numbers() throws {
        var attachments = Attachments()
        let files = try (0..<3).map { _ in try attachments.add([], named: "a", scenario: 2) }
        #expect(files == ["2-1-a", "2-2-a", "2-3-a"])
    }

    @Test("a name is from 1 to 200 bytes")
    func lengths() {
        #expect(throws: UsageError.self) { try Self.added("") }
        #expect(throws: Never.self) { try Self.added(String(repeating: "a", count: 200)) }
        #expect(throws: UsageError.self) { try Self.added(String(repeating: "a", count: 201)) }
        #expect(throws: UsageError.self) { try Self.added(String(repeating: "é", count: 101)) }
    }

    @Test("there is a limit to the bytes of one and to their number, which the message names")
    func limits() throws {
        var attachments = Attachments()
        let large = [UInt8](repeating: 0, count: Attachments.sizeLimit + 1)
        let size = #expect(throws: UsageError.self) { try attachments.add(large, named: "a", scenario: 1) }
        #expect(size?.message == "t:attach: a has 10 MB; at most 10 MB can be attached")
        _ = try attachments.add(Array(large.dropLast()), named: "a", scenario: 1)
        for _ in 1..<Attachments.countLimit { _ = try attachments.add([], named: "a", scenario: 1) }
        let count = #expect(throws: UsageError.self) { try attachments.add([], named: "a", scenario: 1) }
        #expect(count?.message == "t:attach: a scenario attaches at most 100 files")
    }

    @Test(
        "a type that a script gives has the form of a media type",
        arguments: [
            ("text/plain", true), ("application/vnd.api+json", true), ("text/plain; charset=utf-8", true),
            ("nonsense", false), ("", false), ("text/", false), ("/plain", false), ("text/plain\n", false),
            ("a/b/c", false), ("text /plain", false),
        ])
    func givenTypes(type: String, isOne: Bool) {
        #expect(((try? Attachments.check(mediaType: type)) != nil) == isOne)
    }

    @Test(
        "the type is told by the end of the name, or by whether it is text",
        arguments: [
            ("a.png", [], "image/png"), ("a.PNG", [], "image/png"), ("a.tar.zip", [], "application/zip"),
            ("a.unknown", Array("text".utf8), "text/plain"), ("a", [0xFF, 0xFE], "application/octet-stream"),
            ("a.", [], "text/plain"), (".json", [], "application/json"), ("", [], "text/plain"),
        ] as [(String, [UInt8], String)])
    func mediaTypes(name: String, bytes: [UInt8], type: String) {
        #expect(Attachments.mediaType(of: name, bytes) == type)
    }

    @Test("files are written without secrets, and only what a run has left is taken away")
    func folder() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "attached-\(UInt64.random(in: 0 ... .max))")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = AttachmentFolder(path: path, named: "attachments")
        folder.removeLeftovers()
        let vault = SecretVault()
        vault.add("swordfish")
        var attachments = Attachments()
        let file = try attachments.add(Array("it is swordfish".utf8), named: "note.txt", scenario: 3)
        let failure = attachments.leave(in: folder, without: vault.current)
        #expect(failure == nil)
        #expect(folder.name(of: file) == "attachments/3-1-note.txt")
        #expect(FileManager.default.contents(atPath: path + "/" + file) == Data("it is ***".utf8))
        for other in ["own.txt", "12", "x-1-a", "4 people.txt"] {
            try Data().write(to: URL(filePath: path + "/" + other))
        }
        folder.removeLeftovers()
        let left = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(left == ["12", "4 people.txt", "own.txt", "x-1-a"])
    }

    @Test("a folder that cannot be made is an error of the run, not a failure of the conversation")
    func unwritable() throws {
        var attachments = Attachments()
        _ = try attachments.add([1], named: "a", scenario: 1)
        let folder = AttachmentFolder(path: "/dev/null/attachments", named: "attachments")
        let failure = attachments.leave(in: folder, without: SecretVault().current)
        #expect(failure?.category == .error)
        #expect(
            failure?.message
                == "what was attached cannot be written: attachments/1-1-a: Not a directory; a part of the path is a "
                + "file and not a folder; take it away")
        let again = attachments.leave(in: folder, without: SecretVault().current)
        #expect(again == nil)
    }

    @Test("a file that cannot be written is told with what to do, and those beside it are kept")
    func unwritableFiles() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("repartee-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var attachments = Attachments()
        for name in ["a", "b", "c", "d"] { _ = try attachments.add(Array(name.utf8), named: name, scenario: 1) }
        // A folder in the place of a file is in the way of root, too.
        for taken in ["1-2-b", "1-3-c"] {
            try FileManager.default.createDirectory(atPath: path + "/" + taken, withIntermediateDirectories: true)
        }
        let folder = AttachmentFolder(path: path, named: "Reports/attachments")
        let failure = attachments.leave(in: folder, without: SecretVault().current)
        #expect(failure?.category == .error && failure?.kind == .harness)
        #expect(
            failure?.message
                == "what was attached cannot be written: 2 files, such as Reports/attachments/1-2-b: Is a directory; "
                + "there is a folder of that name; take it away")
        for name in ["1-1-a", "1-4-d"] { #expect(FileManager.default.contents(atPath: path + "/" + name) != nil) }
    }

    @Test("a name that is too long for the system, or a full disk, is told with what to do")
    func writeReasons() {
        let long = AttachmentFolder(path: FileManager.default.temporaryDirectory.path, named: "attachments")
        #expect { try long.write([1], to: String(repeating: "n", count: 300)) } throws: {
            UnwritableFile.reason($0) == "File name too long; give it a shorter name"
        }
        #expect(
            UnwritableFile.reason(POSIXError(.ENOSPC))
                == "No space left on device; free some space on the disk, or choose another one")
        #expect(UnwritableFile.reason(CocoaError(.fileWriteUnknown)).hasPrefix("the system does not say why; "))
    }
}
