import LuaRuntime
import Machines

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A script as it was read from disk.
public struct ScriptFile: Sendable {
    /// The file as it is named in reports, relative to the project where possible.
    public let name: String

    /// Its whole text.
    public let source: String

    /// The compiled form, once it has been loaded.
    var chunk: LuaChunk?

    /// Whether it asks actors for what they have observed so far.
    let readsHistory: Bool

    /// Whether it may expect the pieces of streamed answers, one by one.
    let namesPieces: Bool

    /// Why there is no text, if there is none; the source is empty then.
    @Boxed private(set) var defect: Defect?

    /// What is wrong with a file that is no text of Lua.
    struct Defect: Error, Hashable, Sendable {
        let message: String

        /// The line, counted from one, if it is one.
        var line: Int?
    }

    /// Creates a file of what was read from disk; one that is no text of Lua cannot be loaded.
    ///
    /// - Parameter bytes: What is in it; nil if it cannot be read.
    public init(name: String, bytes: (some Collection<UInt8>)?) {
        do throws(Defect) {
            guard let bytes else {
                throw Defect(
                    message: "\(name) cannot be read; check its permissions, and where it leads if it is a link")
            }
            self.init(name: name, source: try Self.read(bytes, name: name))
        } catch {
            self.init(name: name, source: "")
            self.defect = error
        }
    }

    /// Creates a file.
    public init(name: String, source: String) {
        self.name = name
        self.source = source
        self.readsHistory = Self.readsHistory(source)
        self.namesPieces = Self.namesPieces(source)
    }

    /// Whether a source calls `actor:events(…)` or `expect_transcript`, so that actors must keep what expectations have
    /// taken, and what they were told to do.
    ///
    /// One that writes the call in another way is told so once something was let go (``EventLog/forget(by:)``).
    static func readsHistory(_ source: String) -> Bool {
        Self.stands(":events", in: source) || Self.stands("expect_transcript", in: source)
    }

    /// Whether a source names the events of pieces, or any event, so that actors must keep each piece.
    static func namesPieces(_ source: String) -> Bool {
        let words: [StaticString] = ["token", "chunk", "\"*\"", "'*'"]
        return words.contains { Self.stands($0, in: source) }
    }

    /// Whether a source may read files while a scenario plays: by a function that reads them, as a transcript, as what
    /// is sent, or by requiring a module in a function.
    static func mayReadFiles(_ source: String) -> Bool {
        let words: [StaticString] = ["require", "read_text", "read_bytes", "expect_transcript", "file"]
        return words.contains { Self.stands($0, in: source) }
    }

    /// Whether a source gives something to who requires it: a line of it begins with `return`, as none of a function or
    /// a block does.
    static func isModule(_ source: String) -> Bool {
        source.split(whereSeparator: \.isNewline).contains { line in
            line.hasPrefix("return")
                && line.dropFirst(6).first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
        }
    }

    /// Whether a word stands in a source. It is looked for in memory: all files of a folder are read for one scenario,
    /// and the library's own search takes as long for a file as the rest of the start does.
    private static func stands(_ word: StaticString, in source: String) -> Bool {
        var source = source
        return source.withUTF8 { text in
            guard let start = text.baseAddress else { return false }
            let end = start + text.count
            var place = start
            while end - place >= word.utf8CodeUnitCount,
                let found = memchr(place, Int32(word.utf8Start.pointee), end - place - word.utf8CodeUnitCount + 1)
            {
                if memcmp(found, word.utf8Start, word.utf8CodeUnitCount) == 0 { return true }
                place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
            }
            return false
        }
    }

    /// The most bytes that a script may have; whoever has more gave the wrong file.
    public static let limit = 16 << 20

    /// Reads the text of a script from the bytes of its file; a byte-order mark is no part of it.
    ///
    /// - Throws: ``ScriptProblem`` that says what is wrong with the file, for Lua would take any bytes and fail later.
    public static func text(_ bytes: some Collection<UInt8>, name: String) throws(ScriptProblem) -> String {
        do throws(Defect) { return try Self.read(bytes, name: name) } catch {
            throw ScriptProblem((error.line.map { "\(name):\($0): " } ?? "") + error.message)
        }
    }

    private static func read(_ bytes: some Collection<UInt8>, name: String) throws(Defect) -> String {
        guard bytes.count <= Self.limit else {
            throw Defect(
                message:
                    "\(name) has \(bytes.count >> 20) MB; a script has at most \(Self.limit >> 20) MB. Is this the right file?"
            )
        }
        guard bytes.first != 0x1B else {
            throw Defect(message: "\(name) is compiled Lua, which is not loaded; give the source")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw Defect(message: "line \(line + 1) is not UTF-8; save the file as UTF-8", line: line + 1)
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
