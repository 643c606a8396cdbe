import CommandLine
import Foundation
import Testing

@Suite("Files that scenarios attach")
struct AttachmentTests {
    @Test("a secret in the name of an attachment is on no disk, and the link leads to the file")
    func secretNames() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("attaches", function(t)
                t:attach("screen of " .. secret "PASSWORD" .. ".txt", "a")
                t:attach("later-" .. "t0ken-of-later" .. ".txt", "b")
                keep_secret "t0ken-of-later"
                t:attach("with blanks " .. "l4ter of bl4nks" .. ".txt", "c")
                keep_secret "l4ter of bl4nks"
                expect(1, 1)
            end)
            """, to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--reports", "Reports"], in: folder.path, variables: ["PASSWORD": "hunter2 hunter2-xyz"])
        #expect(run.status == .success, "\(run.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Reports/attachments").sorted()
        #expect(names.count == 3)
        let pieces = ["hunter2", "t0ken", "l4ter", "bl4nks"]
        #expect(!names.contains { name in pieces.contains { name.contains($0) } }, "\(names)")
        let record = try folder.text("Reports/run.jsonl").replacingOccurrences(of: "\\/", with: "/")
        for name in names { #expect(record.contains("\"Reports/attachments/\(name)\""), "\(name) \(record)") }
    }

    @Test("what a scenario attaches lies beside the reports without secrets, and every report names it")
    func attach() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("attaches", function(t)
                local token = keep_secret "s3cr3t-token"
                t:attach("notes of the day.txt", "the token is " .. token)
                t:attach("pixel.png", string.char(0x89, 0x50, 0, 255))
                t:attach("page", "<p>", "text/html")
                t:fail "on purpose"
            end)
            scenario("too much", function(t)
                local ok, problem = pcall(t.attach, t, "x", ("x"):rep(11 * 1024 * 1024))
                expect(ok, false)
                expect(tostring(problem), match.contains "at most 10 MB")
                expect(pcall(t.attach, t, "", "x"), false)
                for _ = 1, 100 do t:attach("../evil", "x") end
                expect(pcall(t.attach, t, "y", "x"), false)
            end)
            """, to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--reports", "Reports", "--ctrf", "ctrf.json", "--tap", "tap.txt"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("1 passed"), "\(run.output)")
        let notes = "Reports/attachments/0-1-notes-of-the-day.txt"
        #expect(try folder.text(notes) == "the token is ***")
        #expect(Array(try folder.data("Reports/attachments/0-2-pixel.png")) == [0x89, 0x50, 0, 255])
        for report in ["Reports/junit.xml", "ctrf.json", "tap.txt", "Reports/run.jsonl"] {
            let text = try folder.text(report).replacingOccurrences(of: "\\/", with: "/")
            #expect(text.contains(notes), "\(report)")
        }
        #expect(try folder.text("ctrf.json").contains("image"))
        #expect(!folder.has("Reports/evil"))
        // The next run takes away what this one has left, and nothing else.
        try folder.write("mine", to: "Reports/attachments/mine.txt")
        try folder.write("scenario(\"nothing\", function() expect(1, 1) end)", to: "a.lua")
        _ = try await ToolRun(["test", "a.lua", "--reports", "Reports"], in: folder.path)
        #expect(!folder.has(notes))
        #expect(folder.has("Reports/attachments/mine.txt"))
    }
}
