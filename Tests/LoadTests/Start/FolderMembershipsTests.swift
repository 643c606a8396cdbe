import RunRecord
import Testing

@testable import Load

@Suite("The memberships of shards that share a folder")
struct FolderMembershipsTests {
    /// Looks at files twice a second.
    private struct Watch {
        var memberships = FolderMemberships(leader: 1, patience: .seconds(15))
        var now = EpochTime(nanoseconds: 0)
        var beats: [String: Int] = [:]
        var log: [String] = []

        /// Lets time pass in which some processes write and the files of others rest.
        ///
        /// - Parameters:
        ///   - writing: The names of files that change, such as `2-a`.
        ///   - gone: The names of files that are removed at the beginning.
        mutating func pass(_ seconds: Double, writing: [String] = [], gone: [String] = []) {
            for name in gone { self.beats[name] = nil }
            for _ in 0..<Int(seconds * 2) {
                for name in writing { self.beats[name, default: -1] += 1 }
                var files: [ReadyFile: ReadyFile.Content] = [:]
                for (name, beat) in self.beats {
                    guard let file = ReadyFile(name: "ready-" + name) else {
                        Issue.record("\(name)")
                        continue
                    }
                    files[file] = ReadyFile.Content(
                        line: "", since: EpochTime(nanoseconds: 0), beat: beat, writer: "writer \(name)")
                }
                for change in self.memberships.look(files, at: self.now) {
                    switch change {
                    case .came(let writer): self.log.append("+\(Self.name(writer))")
                    case .left(let writer): self.log.append("-\(Self.name(writer))")
                    case .refused(let writer, let holder):
                        self.log.append("!\(Self.name(writer)) for \(Self.name(holder))")
                    }
                }
                self.now = self.now + .milliseconds(500)
            }
        }

        private static func name(_ writer: FolderMemberships.Writer) -> String {
            "\(writer.file.index)-\(writer.file.token)"
        }

        var holders: [String] { self.memberships.holders.map { "\($0.index)-\($0.token)" }.sorted() }
    }

    @Test("are had by who writes, and not by files that lie there")
    func alive() {
        var watch = Watch()
        watch.beats = ["2-a": 5, "3-b": 7]
        watch.pass(3, writing: ["3-b", "4-c"])
        #expect(watch.log == ["+3-b", "+4-c"])
        #expect(watch.holders == ["3-b", "4-c"])
    }

    @Test("stay with the first of two that live, and the second is refused for good")
    func twins() {
        var watch = Watch()
        watch.pass(2, writing: ["2-b"])
        watch.pass(20, writing: ["2-b", "2-a"])
        #expect(watch.log == ["+2-b", "-2-b", "!2-a for 2-b", "+2-b"])
        #expect(watch.holders == ["2-b"])
    }

    @Test("stay with one of several that begin together")
    func triplets() {
        var watch = Watch()
        watch.pass(5, writing: ["2-a", "2-b", "2-c"])
        #expect(watch.log == ["+2-a", "-2-a", "!2-b for 2-a", "!2-c for 2-a", "+2-a"])
    }

    @Test("go to who is started again after it died, but only once it is clear that the first one rests")
    func retry() {
        var watch = Watch()
        watch.pass(2, writing: ["2-a"])
        watch.pass(5, writing: ["2-b"])
        #expect(watch.log == ["+2-a", "-2-a"])
        #expect(watch.holders.isEmpty)
        watch.pass(15, writing: ["2-b"])
        #expect(watch.log == ["+2-a", "-2-a", "+2-b"])
        #expect(watch.holders == ["2-b"])
        // The first one was only slow: now it is the second.
        watch.pass(5, writing: ["2-a", "2-b"])
        #expect(watch.log.suffix(3) == ["-2-b", "!2-a for 2-b", "+2-b"])
    }

    @Test("go at once to who comes after one that has taken its file away")
    func removed() {
        var watch = Watch()
        watch.pass(2, writing: ["2-a"])
        watch.pass(1.5, writing: ["2-b"], gone: ["2-a"])
        #expect(watch.log == ["+2-a", "-2-a", "+2-b"])
    }

    @Test("stay with who has them when the other one goes while they are in dispute, or was seen late")
    func disputed() {
        var watch = Watch()
        watch.pass(2, writing: ["2-a"])
        watch.pass(1, writing: ["2-b"])
        // The last change that the first one made is seen late; it proves nothing.
        watch.pass(0.5, writing: ["2-a", "2-b"])
        watch.pass(2, writing: ["2-b"])
        #expect(watch.log == ["+2-a", "-2-a"])
        watch.pass(1, writing: ["2-a"], gone: ["2-b"])
        #expect(watch.log == ["+2-a", "-2-a", "+2-a"])
    }

    @Test("are free when a process rests, and taken again when it goes on")
    func rests() {
        var watch = Watch()
        watch.pass(2, writing: ["2-a", "3-b"])
        watch.pass(17, writing: ["2-a"])
        #expect(watch.log == ["+2-a", "+3-b", "-3-b"])
        watch.pass(1, writing: ["2-a", "3-b"])
        #expect(watch.log.last == "+3-b")
    }

    @Test("say first who has left, so that nobody is taken for ready who is not")
    func order() {
        var watch = Watch()
        watch.pass(2, writing: ["3-a"])
        watch.pass(1, writing: ["3-a", "2-b", "3-c"])
        #expect(watch.log == ["+3-a", "-3-a", "+2-b"])
    }

    @Test("have rivals of the shard that looks, which has no membership to give")
    func rivals() {
        var watch = Watch()
        watch.beats = ["1-e": 3]
        watch.pass(2, writing: ["1-a", "1-b"])
        #expect(watch.log.isEmpty)
        let rivals = watch.memberships.rivals(of: ReadyFile(index: 1, token: "a"), at: watch.now)
        #expect(rivals.map(\.file.token) == ["b"])
        watch.pass(20)
        #expect(watch.memberships.rivals(of: ReadyFile(index: 1, token: "a"), at: watch.now).isEmpty)
    }

    @Test(
        "are wanted by files of a certain name only",
        arguments: [
            "ready-2", "ready-2-", "ready-0-a", "ready-x-a", "ready-2-a-b", "ready-2-../a", "start", "ready-2-a.tmp",
        ])
    func names(name: String) {
        #expect(ReadyFile(name: name) == nil)
        #expect(ReadyFile(name: "ready-2-0aF")?.name == "ready-2-0aF")
    }

    @Test(
        "are wanted by files with three lines only",
        arguments: ["", "a", "a\n", "a\n1 2\n", "a\nx 2\nb\n", "a\n1\nb\n"])
    func contents(text: String) {
        #expect(ReadyFile.Content(text: text) == nil)
        let content = ReadyFile.Content(line: "a", since: EpochTime(nanoseconds: 7), beat: 3, writer: "b\nc")
        #expect(ReadyFile.Content(text: content.text)?.writer == "b c")
    }
}
