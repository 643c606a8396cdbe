import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// The requests of handlers and commands of systems in Lua, behind `me:request` and `desk:request`.
enum LuaRequestLibrary {
    /// All functions.
    static var functions: [HostFunction] {
        self.functions(of: "client", calledAs: "me:request", taking: OwnSystemReference.requestOptions)
            + self.functions(of: "server", calledAs: "desk:request", taking: OwnSystemReference.serverRequestOptions)
            + self.readFunctions + self.answerFunctions
    }

    /// The method and the path of a request are cut to this many characters where something waits for its answer.
    private static let nameLimit = 120

    /// The functions by which one of the two kinds of askers sends, waits for an answer or a piece of it, and goes on.
    private static func functions(
        of asker: String, calledAs name: String, taking options: [ParameterDeclaration]
    ) -> [HostFunction] {
        [
            HostFunction("\(asker)_request", calledAs: name, adding: 1, parameters: [asker, "options"]) {
                (call) throws(HostError) in
                let asker = try LuaAsker(of: call)
                let members = MemberTable(call: name, declared: options)
                let request = try asker.ask(try members.read(2, of: call), name)
                call.push(request["number"] ?? .null)
                call.push((request["name"]?.string ?? "a request").shortened(to: Self.nameLimit))
                return .returns
            },
            // It ends with the request's own time limit, or with false once nothing has come within a time.
            HostFunction(
                "\(asker)_await", calledAs: name, parameters: [asker, "name", "purpose", "within"], suspends: true
            ) { (call) throws(HostError) in
                let script = try call.script()
                let asker = try LuaAsker(of: call)
                let (name, purpose) = (try call.string(2), try call.string(3))
                let limit = try Self.limit(of: call)
                let worker = try script.playing(call.name).worker
                return try script.suspend(&call, "\(asker.name) waits for \(purpose)", for: .system(of: nil)) {
                    resume in
                    asker.answers.wait(for: name, within: limit, on: worker, resume)
                }
            },
            HostFunction("\(asker)_answered", parameters: [asker, "name"]) { (call) throws(HostError) in
                let answers = try LuaAsker(of: call).answers
                call.push(Int64(answers.wake(try call.string(2), with: .boolean(true))))
                return .returns
            },
            HostFunction("\(asker)_abandon", calledAs: "answer:close", parameters: [asker, "number"]) {
                (call) throws(HostError) in
                try LuaAsker(of: call).abandon(try call.integer(2))
                return .returns
            },
            // Of an answer that is not ok.
            HostFunction(
                "\(asker)_unread", parameters: [asker, "answer", "request", "status", "failure", "body"]
            ) { (call) throws(HostError) in
                let asker = try LuaAsker(of: call)
                let text = ArrivalLine.answer(
                    to: try call.string(3), status: try call.optionalInteger(4),
                    failure: call.isNil(5) ? nil : try call.string(5), body: call.isNil(6) ? "" : try call.string(6),
                    without: try call.script().playing(name).secrets)
                asker.add(try call.pushSealed(2), saying: text, to: call.scriptPosition)
                return .returns
            },
        ]
    }

    /// Reads how long may pass until something comes; nil for any time.
    private static func limit(of call: borrowing LuaCall) throws(HostError) -> Duration? {
        guard !call.isNil(4) else { return nil }
        guard let limit = ArgumentChecker.duration(try call.json(4)), limit > .zero else {
            throw HostError.argument("how long an answer may be silent is a duration, such as \"2s\"")
        }
        return limit
    }

    /// Those that end a function, or note why it will end, because of what an answer is.
    private static var answerFunctions: [HostFunction] {
        [
            HostFunction("no_events", parameters: ["asker", "request", "status", "type", "body"]) {
                (call) throws(HostError) in
                // Events end in an empty line, which a headline has no place for.
                let begin = call.isNil(5) ? "" : call.text(5).shortened(to: 300)
                let body = begin.isEmpty ? "" : ": " + begin.split(whereSeparator: \.isNewline).joined(separator: " ")
                let text =
                    "\(try call.string(2)) answered \(try call.integer(3)) \(try call.string(4)), which is no event stream"
                throw HostError(try LuaAsker(of: call).failure(text + body, at: call.scriptPosition))
            },
            HostFunction("event_json", parameters: ["data"]) { (call) throws(HostError) in
                try call.charge(call.byteCount(1))
                do throws(JSONSyntaxError) { try call.pushJSON(ofArgument: 1, refusingRepetition: true) } catch {
                    throw HostError("\(error)", kind: "json")
                }
                return .returns
            },
            HostFunction("no_event_json", parameters: ["asker", "request", "data"]) { (call) throws(HostError) in
                let data = call.text(3).shortened(to: 300)
                let bytes = try call.bytes(3)
                let isText = String(validating: bytes, as: UTF8.self) != nil
                throw HostError(
                    try LuaAsker(of: call).failure(
                        "\(try call.string(2)) brought an event with \(Self.fault(of: bytes)): "
                            + (data.isEmpty ? "no data" : isText ? data : "bytes that are no UTF-8: \(data)"),
                        at: call.scriptPosition))
            },
            HostFunction("no_json", parameters: ["asker", "answer"]) { (call) throws(HostError) in
                let asker = try LuaAsker(of: call)
                let answer = try call.object(2)
                let request = answer["request"]?.string ?? "a request"
                if let reason = answer["failure"]?["message"]?.string {
                    throw HostError(asker.missingAnswer(to: request, because: reason, at: call.scriptPosition))
                }
                let status = answer["status"]?.integer ?? 0
                let secrets = try call.script().playing(call.name).secrets
                let body = PageWords.shown(answer["body"]?.string ?? "", masked: { secrets.masked($0) })
                    .shortened(to: 300)
                let isText = answer["base64"] == nil
                let found =
                    "answered \(status) with \(Self.fault(of: (answer["body"]?.string ?? "").utf8)): "
                    + (!isText ? "bytes that are no UTF-8" : body.isEmpty ? "an empty body" : body)
                throw HostError(asker.failure("\(request) \(found)", at: call.scriptPosition))
            },
            HostFunction("has_no_answer", parameters: ["asker", "answer"]) { (call) throws(HostError) in
                let answer = try call.object(2)
                let request = answer["request"]?.string ?? "a request"
                let reason = answer["failure"]?["message"]?.string ?? "it did not come"
                try call.script().playing(call.name).threads.current?.missingAnswer = MissingAnswer(
                    failure: try LuaAsker(of: call).missingAnswer(
                        to: request, because: reason, at: call.scriptPosition))
                return .returns
            },
            HostFunction("server_broke", parameters: ["server", "text"]) { (call) throws(HostError) in
                let remedy = "take the second value of answer:read() to go on without the rest"
                throw HostError(
                    try LuaAsker(of: call).failure("\(try call.string(2)); \(remedy)", at: call.scriptPosition))
            },
        ]
    }

    /// What a text is that is not read as JSON.
    private static func fault(of text: some Sequence<UInt8>) -> String {
        JSONReader.ambiguity(in: text).map { "JSON in which \($0)" } ?? "what is no JSON"
    }

    /// Those behind the ways to read an answer that comes in pieces, which say how that is done.
    private static var readFunctions: [HostFunction] {
        [
            HostFunction("looped", calledAs: "answer:read") { (call) throws(HostError) in
                throw HostError.usage(
                    "answer:read takes \"piece\", \"line\" or \"event\" and a time, or nothing for a piece; a loop goes through the "
                        + "pieces with for piece in answer:pieces() do, and by lines() or events() likewise")
            },
            HostFunction("read_otherwise", calledAs: "answer:read", parameters: ["begun", "asked"]) {
                (call) throws(HostError) in
                throw HostError.usage(
                    "the body is read by answer:\(try call.string(1))() already; by answer:\(try call.string(2))() it would "
                        + "begin in the middle")
            },
            HostFunction("needs_answer", parameters: ["method"]) { (call) throws(HostError) in
                let name = try call.string(1)
                throw HostError.usage("answer:\(name) is called with a colon, on an answer that comes in pieces")
            },
            HostFunction("read_already", parameters: ["method"]) { (call) throws(HostError) in
                throw HostError.usage(
                    "answer:\(try call.string(1)) finds nothing: the body has been read to its end, which is done once")
            },
            HostFunction("in_pieces", parameters: ["name"]) { (call) throws(HostError) in
                throw HostError.usage(
                    "answer.\(try call.string(1)): the answer comes in pieces, which answer:read(), pieces(), lines() or "
                        + "events() take; without stream = true it is there as a whole")
            },
            HostFunction("returns_to_loop", calledAs: "answer:read") { (call) throws(HostError) in
                call.push(call.returnsToLoop)
                return .returns
            },
        ]
    }
}
