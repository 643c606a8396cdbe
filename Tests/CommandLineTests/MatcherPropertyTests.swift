import CommandLine
import JSON
import RunRecord
import Testing

@Suite("Every type of Lua against every matcher")
struct MatcherPropertyTests {
    /// Values that can be compared, and values that cannot, by name.
    private static let values = #"""
        local plain = {
            { "nil", nil }, { "true", true }, { "false", false }, { "one", 1 }, { "half", 1.5 }, { "text", "text" },
            { "empty", "" }, { "table", {} }, { "list", { 1, 2 } }, { "record", { a = 1 } }, { "null", json.null },
        }
        local cyclic, holes = {}, { 1, 2, 3, 4 }
        cyclic.inner, holes[2] = cyclic, nil
        local _, fault = pcall(date.epoch, "x")
        local odd = {
            { "nan", 0 / 0 }, { "infinite", math.huge }, { "bytes", "\xff" }, { "cyclic", cyclic },
            { "function", function() end }, { "host function", now }, { "library function", string.upper },
            { "method", client.connect }, { "coroutine", coroutine.create(function() end) }, { "server", server },
            { "fault", fault }, { "context", t }, { "mixed", { 1, a = 2 } }, { "keyed", { [true] = 1 } },
            { "nested function", { a = { now } } }, { "nested nan", { 0 / 0 } }, { "nested server", { server } },
            { "holes", { [1] = 1, [4] = 4 } },
        }
        """#

    /// Matchers with the names of the plain values that they accept; `*` stands for all that are something.
    private static let matchers: [(String, String)] = [
        ("nil", "nil"), ("json.null", "null"), ("true", "true"), ("false", "false"), ("1", "one"),
        ("1.5", "half"), ("\"text\"", "text"), ("\"\"", "empty"), ("{}", "table"), ("{ 1, 2 }", "list"),
        ("{ a = 1 }", "record"), ("{ a = match.any }", "record"), ("{ b = match.absent }", "table record"),
        ("{ b = match.is_not \"x\" }", ""), ("match.any", "*"), ("match.absent", "nil"),
        ("match.is_not \"zzz\"", "*"), ("match.is_not(match.absent)", "*"), ("match.contains \"ex\"", "text"),
        ("match.glob \"t*t\"", "text"), ("match.regex \"t[a-z]+\"", "text"), ("match.pattern \"t%a+\"", "text"),
        ("match.fuzzy \"text\"", "text"), ("match.word_error_rate \"text\"", "text"),
        ("match.token_set \"text\"", "text"), ("match.one_of { 1, \"text\" }", "one text"),
        ("match.one_of { match.absent, 1 }", "nil one"), ("match.all_of { match.any, match.is_not(1) }", "* -one"),
        ("match.has(1)", "list"), ("match.has(match.any)", "list"), ("match.count(2)", "list"),
        ("match.equals \"text\"", "text"), ("match.near(1, 0.25)", "one"), ("match.between(0, 1.2)", "one"),
        ("match.type \"string\"", "text empty"), ("match.type \"number\"", "one half"),
        ("match.type \"integer\"", "one"),
        ("match.type \"boolean\"", "true false"), ("match.type \"list\"", "list"),
        ("match.type \"table\"", "table record"), ("match.path(\"$.a\", 1)", "record"),
        ("match.path(\"$.a\", match.absent)", "* -record"), ("match.where(function() return true end)", "*"),
        ("match.where(function() return nil end)", ""), ("match.capture(\"x\", 1)", "one"),
        ("match.capture(\"x\", match.any)", "*"), ("match.uuid", ""), ("match.date", ""), ("match.money", ""),
        ("match.template \"te<rest:word>\"", "text"), ("match.button \"Yes\"", ""), ("match.buttons { \"Yes\" }", ""),
        ("match.card { title = \"x\" }", ""), ("match.form { title = \"x\" }", ""),
        ("match.table { headings = { \"x\" } }", ""),
    ]

    private static let something = "true false one half text empty table list record null"

    /// The names of the plain values that a matcher accepts.
    private static func accepted(_ text: String) -> Set<String> {
        var names: Set<String> = []
        for word in text.split(separator: " ") {
            if word == "*" {
                names.formUnion(Self.something.split(separator: " ").map(String.init))
            } else if word.hasPrefix("-") {
                names.remove(String(word.dropFirst()))
            } else {
                names.insert(String(word))
            }
        }
        return names
    }

    private static let script: String = {
        let list = Self.matchers.map { "function() return \($0.0) end" }.joined(separator: ",\n")
        return """
            local websocket = require "websocket"
            scenario("it", function(t)
                local server = t:server(websocket)
                local client = t:actor(websocket)
                \(Self.values)
                local matchers = { \(list) }
                local function try(value, matcher)
                    local done, passed = pcall(check, value, matcher)
                    return done and (passed and "accepted" or "refused") or "mistake: " .. tostring(passed)
                end
                for index, make in ipairs(matchers) do
                    for _, entry in ipairs(plain) do
                        log.info(json.encode { index, entry[1], try(entry[2], make()) })
                    end
                    for _, entry in ipairs(odd) do log.info(json.encode { index, entry[1], try(entry[2], make()) }) end
                end
                for _, wanted in ipairs(odd) do
                    for _, list in ipairs { plain, odd } do
                        for _, entry in ipairs(list) do
                            log.info(json.encode { 0, entry[1], try(entry[2], wanted[2]), wanted[1] })
                            log.info(json.encode { 0, entry[1], try(entry[2], { a = wanted[2] }), wanted[1] })
                        end
                    end
                end
            end)
            """
    }()

    @Test("what should not pass does not, nothing traps, and each message can be read")
    func all() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1", "--capture", "none"], in: folder.path)
        let record = try run.record
        var (count, equalBytes) = (0, 0)
        for entry in record {
            guard case .happened(_, _, .logged(_, let text)) = entry, let line = try JSONReader.read(text).array else {
                continue
            }
            count += 1
            let (index, value, outcome) = (line[0].integer ?? 0, line[1].string ?? "", line[2].string ?? "")
            let plain = Self.something.split(separator: " ").map(String.init) + ["nil"]
            guard index > 0, plain.contains(value) else {
                // What a peer may have sent can be wanted, although no value is like it: `1e999`, bytes not in UTF-8.
                let isWanted = line.count > 3 && ["infinite", "bytes"].contains(line[3].string)
                if isWanted, plain.contains(value), outcome == "refused" { continue }
                // Bytes that are no text are compared with texts, and with bytes.
                if value == "bytes", index > 0, Self.matchers[Int(index) - 1].0.hasPrefix("\"") {
                    #expect(outcome == "refused", "\(text)")
                    continue
                }
                if value == "bytes", line.count > 3, line[3].string == "bytes", outcome == "accepted" {
                    equalBytes += 1
                    continue
                }
                #expect(outcome.hasPrefix("mistake: "), "\(text)")
                #expect(!outcome.contains("@"), "\(text)")
                continue
            }
            let (source, names) = Self.matchers[Int(index) - 1]
            if source == "{}", value == "record" {
                #expect(outcome.contains("mistake: ") && outcome.contains("{} asks nothing"), "\(text)")
                continue
            }
            let wanted = Self.accepted(names).contains(value) ? "accepted" : "refused"
            #expect(outcome == wanted, "\(value) against \(source)")
        }
        #expect(equalBytes == 1)
        let (plain, odd) = (11, 18)
        #expect(count == Self.matchers.count * (plain + odd) + 2 * odd * (plain + odd))
        let ends = record.compactMap { if case .scenarioEnded(let end) = $0 { end } else { nil } }
        let problems = try #require(ends.first).problems
        #expect(problems.allSatisfy { $0.category == .failure && $0.isSoft }, "\(problems.filter { !$0.isSoft })")
        for problem in problems {
            #expect(problem.message.hasPrefix("expected ") && problem.message.contains(", got "), "\(problem.message)")
            #expect(!problem.message.contains("@"), "\(problem.message)")
        }
    }
}
