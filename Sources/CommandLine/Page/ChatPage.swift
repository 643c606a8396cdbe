import JSON
import Machines
import NIOCore
import Reports
import Scenario
import Transport

/// Serves the page of `repartee serve --ui`, on which a person plays visitors and agents by hand.
///
/// There is one conversation at a time, which all windows show. Confined to its event loop.
///
/// | request | body | |
/// |---|---|---|
/// | `GET systems` | | which systems there are |
/// | `GET forms` | | what the conversation's system declares |
/// | `GET changes?after=7` | | waits until something has happened after the 7th |
/// | `GET scenario` | | the conversation as a scenario in Lua |
/// | `POST begin` | `{"system":"boldchat","options":{…}}` | begins another conversation |
/// | `POST join` | `{"name":"Sam","kind":"agent","options":{…}}` | lets a client come, or a party of this kind |
/// | `POST perform` | `{"actor":"Sam","command":"say","arguments":{…}}` | lets somebody do something |
final class ChatPage {
    private let settings: ExecutionSettings
    private let loop: any EventLoop
    private let port: PagePort

    /// The systems that can be chosen, and the one that is chosen unless a person says otherwise.
    private let choices: (names: [String], first: String?)
    private var play: HandPlay?

    /// What the windows knew when the conversation began; versions grow over all conversations.
    private var base = 0

    /// Opens a port; to be called on the loop.
    ///
    /// - Parameter files: The names of systems, or files that have one, that are offered first.
    /// - Throws: ``TransportFailure`` if none can be had.
    init(
        _ settings: ExecutionSettings, offering files: [String], on loop: any EventLoop
    ) throws(TransportFailure) {
        self.settings = settings
        self.loop = loop
        let simulated = settings.systems.values.filter { $0.server.make != nil }.map(\.name)
        let known = (simulated + ShippedSystems.names).sorted()
        self.choices = (known + files.filter { !known.contains($0) }, files.first)
        self.port = try PagePort(on: loop)
        self.port.onQuestion = { [weak self] in self?.asked($0) }
    }

    /// The URL of the page.
    var url: String { self.port.url }

    /// Ends the conversation and drops all windows.
    func close() {
        self.play?.close()
        self.play = nil
        self.port.close()
    }

    private var version: Int { self.base + (self.play?.version ?? 0) }

    private func tell() {
        self.port.tell(version: self.version) { self.changes(after: $0) }
    }

    /// What a window is told that knows a version; one that knows another conversation is told everything.
    private func changes(after version: Int) -> [UInt8] {
        let isAll = version <= self.base || version > self.version
        var members = self.play?.changes(after: isAll ? 0 : version - self.base) ?? [:]
        members["version"] = .integer(Int64(self.version))
        members["all"] = .bool(isAll)
        return JSONWriter.write(.object(members))
    }

    // MARK: Requests

    private func asked(_ question: PageQuestion) {
        if let body = question.body { return self.told(question, body) }
        switch question.path {
        case "": self.port.answer(question, ChatDocument.bytes, type: "text/html; charset=utf-8")
        case "systems":
            var members: JSONObject = ["systems": .array(self.choices.names.map { .string($0) })]
            members["first"] = self.choices.first.map { .string($0) }
            self.port.answer(question, JSONWriter.write(.object(members)))
        case "forms": self.port.answer(question, self.play.map { JSONWriter.write(.object($0.forms)) })
        case "changes":
            self.port.wait(question)
            self.tell()
        case "scenario":
            self.port.answer(question, self.play.map { Array($0.scenario.utf8) }, type: "text/plain; charset=utf-8")
        default: self.port.answer(question, nil)
        }
    }

    /// What the body of each request may have: strings, and tables.
    private static let members: [String: (strings: [String], tables: [String])] = [
        "begin": (["system"], ["options"]), "join": (["name", "kind"], ["options"]),
        "perform": (["actor", "command"], ["arguments"]),
    ]

    /// What is wrong with the members of a body, if anything is: what is of another type is not taken for missing.
    private static func problem(
        _ body: JSONObject, of request: String, _ members: (strings: [String], tables: [String])
    ) -> String? {
        for (name, value) in body where !value.isNull {
            if members.strings.contains(name) {
                if value.string == nil { return "\(request): \(name) is a string, not \(value)" }
            } else if members.tables.contains(name) {
                if value.object == nil { return "\(request): \(name) is a table, not \(value)" }
            } else {
                return UnknownMember.text(name, of: request, as: "member", among: members.strings + members.tables)
            }
        }
        return nil
    }

    private func told(_ question: PageQuestion, _ body: JSONObject) {
        func refuse(_ text: String, _ reason: PagePort.Refusal.Reason = .malformed) {
            self.port.answer(question, doneUnless: PagePort.Refusal(reason, text))
        }
        guard let known = Self.members[question.path] else {
            return refuse("There is nothing to ask for but begin, join and perform.", .absent)
        }
        if let problem = Self.problem(body, of: question.path, known) { return refuse(problem) }
        if question.path == "begin" {
            do throws(ConfigurationError) {
                try self.begin(body["system"]?.string ?? "", options: body["options"]?.object ?? [:])
                return self.port.answer(question, doneUnless: nil)
            } catch {
                return refuse(error.message)
            }
        }
        guard let play = self.play else { return refuse("There is no conversation yet; begin one.", .untimely) }
        let name = body[question.path == "join" ? "name" : "actor"]?.string ?? ""
        if question.path == "join" {
            play.join(name, kind: body["kind"]?.string, options: body["options"]?.object ?? [:]) { [port] error in
                port.answer(question, doneUnless: error.map { PagePort.Refusal(.malformed, $0.message) })
            }
        } else {
            let arguments = body["arguments"]?.object ?? [:]
            play.perform(name, body["command"]?.string ?? "", arguments) { [port] result in
                switch result {
                case .success(let value):
                    port.answer(question, JSONWriter.write(.object(["value": value])))
                case .failure(let error):
                    port.answer(question, doneUnless: PagePort.Refusal(.malformed, error.message))
                }
            }
        }
    }

    private func begin(_ system: String, options: JSONObject) throws(ConfigurationError) {
        guard self.choices.names.contains(system) else {
            throw ConfigurationError(
                "there is no simulated server \"\(system)\"" + TextDistance.hint(system, among: self.choices.names))
        }
        let play = try HandPlay(system, options: options, settings: self.settings, loop: self.loop)
        self.base = self.version
        self.play?.close()
        self.play = play
        play.onChange = { [weak self] in self?.tell() }
        self.tell()
    }
}
