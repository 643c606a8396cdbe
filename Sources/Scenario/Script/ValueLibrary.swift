import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// Assertions about values: the globals `expect` and `check`.
enum ValueLibrary {
    /// Both.
    static var functions: [HostFunction] {
        [
            HostFunction("expect", parameters: ["value", "matcher", "message"]) {
                (call) throws(HostError) in
                let script = try call.script()
                var captures: NamedMembers?
                var asked: [AskedText]? = []
                if let failure = try Self.failure(.expect, in: call, of: script, &captures, &asked) {
                    throw HostError(failure)
                }
                if let asked, !asked.isEmpty {
                    return try ModelConsultation(by: script).wait(
                        &call, for: asked, then: captures.map { LuaValue.source($0) } ?? .nil)
                }
                if let captures { call.push(LuaValue.source(captures)) }
                return .returns
            },
            HostFunction("check", parameters: ["value", "matcher", "message"]) {
                (call) throws(HostError) in
                let script = try call.script()
                var captures: NamedMembers?
                var asked: [AskedText]?
                var failure = try Self.failure(.check, in: call, of: script, &captures, &asked)
                failure?.isSoft = true
                script.execution?.noteCheck(at: call.scriptPosition, holds: failure == nil)
                if let failure { try script.playing("check").note(failure) }
                call.push(failure == nil)
                if let captures { call.push(LuaValue.source(captures)) }
                return .returns
            },
        ]
    }

    /// Compares a value with a matcher; returns the failure, or nil if the value is as wanted.
    ///
    /// - Parameters:
    ///   - captures: Gets what the matcher captured.
    ///   - asked: Gets what models are still to be asked about a value that fits; nil where none are.
    private static func failure(
        _ kind: ProblemKind, in call: borrowing LuaCall, of script: Script, _ captures: inout NamedMembers?,
        _ asked: inout [AskedText]?
    ) throws(HostError) -> ScenarioFailure? {
        let name = kind.rawValue
        script.execution?.countAssertion()
        if case .reference(let function) = call.value(1), function.kind == .function {
            throw script.uncalled(function, name)
        }
        guard call.count >= 2 else { return try Self.failure(kind, ofConditionIn: call) }
        // What cannot be said is a mistake also where there is nothing to say.
        let message = try SaidText.ifGiven(3, in: call)
        // What is nil is not there; json.null is a value.
        let value: JSONValue?
        let wanted: JSONValue?
        do throws(HostError) {
            // By its type, for a JSON value could be nil, too, which is null.
            value = call.isNil(1) ? JSONValue?.none : try call.compared(1, of: script)
            wanted = call.isNil(2) ? JSONValue?.none : try call.wanted(2, of: script)
        } catch {
            guard error.message.contains("is not valid UTF-8") else { throw error }
            return try Self.failure(kind, comparingBytesIn: call, message, refusing: error)
        }
        let matcher: Matcher
        if let wanted {
            var reader = script.expressions.matchers
            reader.asksModels = asked != nil
            matcher = try asFault { () throws(UsageError) in try reader.matcher(wanted) }
        } else {
            matcher = .absent
        }
        if case .empty = matcher, value?.object?.isEmpty == false {
            throw HostError.usage(
                "\(name): {} asks nothing of a table, and this one has members; ask for an empty one by match.equals {}"
            )
        }
        let search = MismatchSearch()
        let mismatches = matcher.mismatches(value, for: .explanation(search))
        guard !mismatches.isEmpty else {
            var found = JSONObject()
            matcher.capture(value, into: &found)
            captures = NamedMembers.captured(found, by: matcher, in: script.engine)
            asked = asked.map { _ in matcher.askedTexts(in: value) }
            return nil
        }
        return Self.failure(
            kind, of: value, against: matcher, mismatches, search, message, call: call, without: script.secrets)
    }

    /// Looks at a value that is to be true, where nothing is said to compare it with; returns the failure, or nil.
    private static func failure(
        _ kind: ProblemKind, ofConditionIn call: borrowing LuaCall
    ) throws(HostError) -> ScenarioFailure? {
        let name = kind.rawValue
        // Zero is true in Lua, so that a count would always hold.
        guard ![.integer, .number].contains(call.kind(1)) else {
            throw HostError.usage(
                "\(name)(\(call.text(1))) holds for every number: say what it shall be, as in "
                    + "\(name)(n, \(call.text(1))) or \(name)(n > 0), or that there is one: \(name)(n ~= nil)")
        }
        guard let text = Self.nothing(in: call) else { return nil }
        return ScenarioFailure(
            category: .failure, kind: kind, message: "\(name) got \(text)", position: call.scriptPosition)
    }

    /// Returns the failure of a value that is not as wanted.
    ///
    /// - Parameter message: What the script says of it, if it says something.
    private static func failure(
        _ kind: ProblemKind, of value: JSONValue?, against matcher: Matcher, _ mismatches: [Mismatch],
        _ search: MismatchSearch, _ message: String?, call: borrowing LuaCall, without secrets: SecretMasker
    ) -> ScenarioFailure {
        let differences = mismatches.prefix(8).map { $0.difference(upTo: 4_000, without: secrets) }
        var expected = matcher.description
        var got = value.map { secrets.masked($0).description.shortened(to: 120) } ?? "nothing"
        if mismatches.count == 1, case .remark? = mismatches[0].clue,
            let remark = mismatches[0].remark(on: value.map(secrets.masked))
        {
            got += " (\(remark))"
        }
        if expected.utf8.count > Self.longestText, mismatches.count == 1, mismatches[0].wantedText != nil {
            // Where long texts differ says more than how they begin.
            (expected, got) = (differences[0].expected.text, differences[0].found.text)
        }
        return ScenarioFailure(
            category: .failure, kind: kind,
            message: message
                ?? "expected \(expected.shown(without: secrets)), got \(got)" + Self.hint(kind.rawValue, call, matcher),
            position: call.scriptPosition,
            sections: [
                .init(heading: "difference", lines: DifferenceText(differences).lines + search.remarks(on: mismatches))
            ],
            valueDifferences: differences)
    }

    /// How a failure calls what stands for nothing where a value is to be there; nil if it is something.
    ///
    /// The null of JSON and what is empty are true in Lua, so that a member that a server left empty, and a list of
    /// what has come to which nothing came, would always hold.
    private static func nothing(in call: borrowing LuaCall) -> String? {
        if call.kind(1) == .null { return "null" }
        guard call.isTruthy(1) else { return call.text(1) }
        // What is no plain data is something, such as an object of a class.
        guard [.string, .table].contains(call.kind(1)), let value = try? call.json(1),
            value.string?.isEmpty ?? value.array?.isEmpty ?? value.object?.isEmpty ?? false
        else { return nil }
        let (text, sort) = value.string == nil ? ("{}", "table") : ("\"\"", "text")
        return "\(text), an empty \(sort); that there is a \(sort), empty or not, is \(call.name)(value ~= nil)"
    }

    /// Compares bytes that are no text with others; returns the failure, or nil if they are the same.
    ///
    /// - Parameter fault: What is thrown if one of the two is something else.
    private static func failure(
        _ kind: ProblemKind, comparingBytesIn call: borrowing LuaCall, _ message: String?, refusing fault: HostError
    ) throws(HostError) -> ScenarioFailure? {
        guard call.kind(1) == .string, call.kind(2) == .string else {
            var fault = fault
            fault.message +=
                "; bytes are compared with bytes alone, by their length (#bytes) or as text: base64.encode(bytes), "
                + "hash.sha256(bytes, \"hex\")"
            throw fault
        }
        let (found, wanted) = (try call.bytes(1), try call.bytes(2))
        guard found != wanted else { return nil }
        let place = zip(found, wanted).prefix { $0 == $1 }.count
        return ScenarioFailure(
            category: .failure, kind: kind,
            message: message
                ?? "expected \(wanted.count == 1 ? "1 byte" : "\(wanted.count) bytes"), got \(found.count), which differ "
                + "from number \(place + 1) on",
            position: call.scriptPosition)
    }

    /// A text with more bytes is shown where it differs.
    private static let longestText = 1_000

    /// What a comparison of a condition with a text says besides: the text was perhaps meant as the message, and to
    /// take it for one would let a value pass that is true where a text was wanted. A text of which members are asked
    /// is perhaps the name of an event.
    private static func hint(_ name: String, _ call: borrowing LuaCall, _ matcher: Matcher) -> String {
        let asksOfTable =
            switch matcher {
            case .members, .empty: true
            default: false
            }
        if asksOfTable, case .string(let text) = call.value(1), text.wholeMatch(of: /[a-z_]+/) != nil {
            return "; an event is expected of who is to observe it: actor:\(name)(event, { … })"
        }
        guard call.count == 2, case (.boolean, .string) = (call.value(1), call.value(2)) else { return "" }
        return "; a condition with a message is \(name)(value, true, message)"
    }
}
