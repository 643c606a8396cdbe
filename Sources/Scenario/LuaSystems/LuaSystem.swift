import JSON
import LuaRuntime
import Machines

/// A chat system that a script has declared: its vocabulary, and the functions of the script behind it.
///
/// It belongs to the script, as all its functions do: each execution has one of its own.
final class LuaSystem {
    /// The tables of functions that a script fills: `S.commands`, `S.on`, `S.server`, `S.parties`, `S.json`.
    struct Parts {
        let commands: LuaReference
        let handlers: LuaReference
        let server: LuaReference
        let parties: LuaReference
        let messages: LuaReference
    }

    /// What all scripts have in common that declare it.
    private let outline: LuaSystemOutline

    /// What the script says of it.
    var declaration: LuaSystemDeclaration { self.outline.declaration }

    /// The system as actors, reports and vocabularies see it.
    var system: ChatSystem { self.outline.system }

    /// The system that it extends, if it does.
    private let base: LuaSystem?

    /// Where another script finds it.
    let source: LuaSystemSource

    /// The tables of functions; there once the declaration is complete, and as long as its script is.
    var parts: Parts?

    private var commands: [Part: [String: LuaCommand]] = [:]
    private var handlers: [Part: Set<String>] = [:]

    /// What scripts call for a command: a function of the prelude around the script's own.
    private var methods: [Part: [String: LuaReference]] = [:]

    /// Whether it is one that comes with the program, and no copy of a project.
    private let isShipped: Bool

    /// Whether a scenario declared it while it played, so that no other process can load it.
    let isDeclaredInPlay: Bool

    init(
        _ outline: LuaSystemOutline, extending base: LuaSystem?, from source: LuaSystemSource, isShipped: Bool,
        isDeclaredInPlay: Bool
    ) {
        self.isShipped = isShipped
        self.outline = outline
        self.base = base
        self.isDeclaredInPlay = isDeclaredInPlay
        self.source = source
    }

    /// Takes in a function that the script puts into one of the tables.
    ///
    /// - Parameters:
    ///   - part: The table.
    ///   - name: The member.
    ///   - options: What is declared beside the function.
    /// - Throws: ``UsageError`` if the name is unknown or taken, or the options are wrong.
    func declare(
        _ name: String, in part: Part, _ options: JSONObject, taking names: [String]?
    ) throws(UsageError) {
        if let known = try self.handlers(of: part) {
            try self.declareHandler(name, in: part, options, among: known)
        } else {
            try self.checkCommandName(name, in: part)
            let command = try LuaCommand(options, name: name, taking: names)
            try self.check(command, named: name, in: part)
            try self.checkForm(of: command, named: name, in: part)
            self.commands[part, default: [:]][name] = command
        }
    }

    private func declareHandler(
        _ name: String, in part: Part, _ options: JSONObject, among known: [String]
    ) throws(UsageError) {
        guard known.contains(name) else {
            throw UsageError(
                UnknownMember.text(
                    name, of: "\(self.declaration.name).\(part.text)",
                    as: part.names == nil ? "message" : "handler", among: known))
        }
        guard options.isEmpty else {
            throw UsageError("\(self.declaration.name).\(part.text).\(name) is a function alone")
        }
        try self.checkUse(of: name, in: part)
        self.handlers[part, default: []].insert(name)
    }

    /// Refuses names of commands that scripts could not call, or that something else has already.
    private func checkCommandName(_ name: String, in part: Part) throws(UsageError) {
        let place = "\(self.declaration.name).\(part.text)"
        guard LuaSystemDeclaration.isName(name) else {
            throw UsageError("\(place): a command's name is lower-case letters, digits and _, not \"\(name)\"")
        }
        guard !Self.reservedNames.contains(name) else {
            throw UsageError("\(place): every actor has a method \"\(name)\" already; choose another name")
        }
        guard part != .commands || !self.declaration.properties.contains(where: { $0.name == name }) else {
            throw UsageError(
                "\(place): the system declares a property \"\(name)\" already, which the command would hide; choose "
                    + "another name")
        }
        let isParty = self.declaration.parties.contains { $0.name == name }
        guard part != .serverCommands || !isParty && name != "url" else {
            throw UsageError(
                "\(place): every server of the system has a member \"\(name)\" already, "
                    + (isParty ? "which makes a party" : "its place") + "; choose another name")
        }
    }

    /// Refuses what nothing could follow: texts of a server, and acknowledgements that are no events.
    private func check(_ command: LuaCommand, named name: String, in part: Part) throws(UsageError) {
        guard part != .serverCommands || command.sends == nil else {
            throw UsageError(
                "command \(name): texts are followed from somebody to somebody, and the server is nobody; leave out "
                    + "sends, or let a party say it: function \(self.declaration.name).parties.NAME.\(name)(party, …)"
            )
        }
        guard let event = command.acknowledgement else { return }
        let known = self.vocabularyEvents(of: part).map(\.kind.rawValue)
        guard known.contains(event.rawValue) else {
            throw UsageError(
                "command \(name): acknowledged_by names an event, and \"\(event.rawValue)\" is not declared"
                    + TextDistance.hint(event.rawValue, among: known, otherwise: ""))
        }
    }

    /// Takes in which form a command submits.
    ///
    /// - Throws: ``UsageError`` if no client observes that form, or another command submits it.
    private func checkForm(of command: LuaCommand, named name: String, in part: Part) throws(UsageError) {
        guard let event = command.submits else { return }
        guard part == .commands else {
            throw UsageError(
                "command \(name): clients submit forms, and this is a command of \(part.text); leave out submits")
        }
        let forms = self.declaration.forms.map(\.rawValue).sorted()
        guard self.declaration.forms.contains(event) else {
            throw UsageError(
                "command \(name): submits names an event that brings a form, and \"\(event.rawValue)\" brings none"
                    + TextDistance.hint(
                        event.rawValue, among: forms,
                        otherwise: "declare it in system { events = { \(event.rawValue) = { form = \"form\" } } }"))
        }
        if let other = self.submission(of: event), other != name {
            throw UsageError(
                "command \(name): \"\(other)\" submits the form of \"\(event.rawValue)\" already; one command does")
        }
    }

    /// The command that submits the form of an event; nil if none does.
    private func submission(of event: EventKind) -> String? {
        self.commands[.commands]?.first { $0.value.submits == event }?.key
    }

    /// Makes sure that each form can be submitted, once all functions are there.
    ///
    /// - Throws: ``UsageError`` with what to write for the first that cannot.
    func checkForms() throws(UsageError) {
        let missing = self.declaration.forms.filter { self.submission(of: $0) == nil }.map(\.rawValue).min()
        guard let missing else { return }
        throw UsageError(
            "\(self.declaration.name): nothing submits the form of the event \"\(missing)\"; write "
                + "\(self.declaration.name).commands.NAME = { submits = \"\(missing)\", function(me, values) … end }")
    }

    /// What the fields of an event must be like so that they may stay a text; nil if they may not.
    func shape(ofEvent name: String) -> EventShape? { self.outline.shapes[name] }

    /// Returns an event of a client whose form, if it brings one, scripts can fill and submit.
    func completed(_ event: ChatEvent) -> ChatEvent {
        guard self.declaration.forms.contains(event.kind), let command = self.submission(of: event.kind),
            let form = event.fields[DeclaredForm.field]?.object
        else { return event }
        var event = event
        event.fields[DeclaredForm.field] = DeclaredForm.completed(form, of: event.kind, submittedBy: command)
        return event
    }

    /// The handlers that a table may have; nil for commands.
    ///
    /// - Throws: ``UsageError`` if they are those of messages, and the script declares none.
    private func handlers(of part: Part) throws(UsageError) -> [String]? {
        guard part == .messages || part == .serverMessages else { return part.names }
        guard let messages = self.messages(of: part) else {
            throw UsageError(
                "\(self.declaration.name).\(part.text): the system declares no messages of JSON; say which there are in "
                    + "system { json = { from_server = { … }, from_client = { … } } }")
        }
        return messages.kinds
    }

    /// The messages that the handlers of a table are for, if the script declares some.
    private func messages(of part: Part) -> DeclaredMessages? {
        part == .messages ? self.declaration.json?.fromServer : self.declaration.json?.fromClients
    }

    /// Refuses a handler of texts where all texts are messages that have handlers of their own.
    private func checkUse(of handler: String, in part: Part) throws(UsageError) {
        guard self.declaration.json != nil, handler == "text", part == .handlers || part == .server else { return }
        let name = self.declaration.name
        let written = part == .handlers ? "json.KIND(me, message, link)" : "server.json.KIND(desk, client, message)"
        throw UsageError(
            "\(name).\(part.text).text would get nothing: the system declares its messages in json, and each kind has a "
                + "handler of its own; write function \(name).\(written)")
    }

    /// Makes sure that something is done with each message that may come, once all functions are there.
    ///
    /// - Parameter part: The table of its handlers.
    /// - Throws: ``UsageError`` with what to write for the first that has neither a handler nor an event of its name.
    func checkMessages(of part: Part) throws(UsageError) {
        guard let messages = self.messages(of: part),
            let idle = messages.all.first(where: { $0.event == nil && !self.has($0.kind, in: part) })
        else { return }
        let isClient = part == .messages
        let handler = "\(self.declaration.name).\(part.text)\(idle.index)"
        let parameters = isClient ? "me, message, link" : "desk, client, message"
        let written =
            idle.index.hasPrefix(".")
            ? "function \(handler)(\(parameters)) … end" : "\(handler) = function(\(parameters)) … end"
        let canBeEvent = isClient && LuaSystemDeclaration.isName(idle.kind)
        throw UsageError(
            "\(self.declaration.name): nothing is done with the message \"\(idle.kind)\" from "
                + "\(isClient ? "the server" : "clients"); write \(written)"
                + (canBeEvent ? ", or declare an event \"\(idle.kind)\"" : ""))
    }

    /// What those observe who call the commands of a table.
    private func vocabularyEvents(of part: Part) -> [EventDeclaration] {
        guard case .party(let name) = part else { return self.declaration.events }
        return self.declaration.parties.first { $0.name == name }?.events ?? []
    }

    /// What acknowledges the texts of clients, besides `message_sent`.
    var acknowledgements: DeclaredAcknowledgements {
        let declared = (self.commands[.commands] ?? [:]).compactMapValues(\.acknowledgement)
        return DeclaredAcknowledgements(
            events: Set(declared.values).subtracting([.messageSent]), commands: Set(declared.keys),
            isUsual: self.isAcknowledgementUsual)
    }

    /// Whether a text without `message_sent` is worth a word. Systems that come with the program acknowledge texts
    /// where their protocol does, as MQTT with a QoS above 0, and so do those that extend them.
    private var isAcknowledgementUsual: Bool {
        self.declaration.events.contains { $0.kind == .messageSent }
            && !ShippedSystems.names.contains(self.declaration.name) && self.base?.isAcknowledgementUsual != false
    }

    /// What every actor has: no command and no property can have one of these names.
    static let reservedNames = Set(LanguageReference.actor.map(\.name) + ["name"])

    /// Whether the script has given a handler.
    func has(_ name: String, in part: Part) -> Bool { self.handlers[part]?.contains(name) ?? false }

    /// Whether the script plays a server.
    var hasServer: Bool { self.handlers[.server] != nil || self.handlers[.serverMessages] != nil }

    /// Returns a command.
    func command(_ name: String, in part: Part) -> LuaCommand? { self.commands[part]?[name] }

    /// Returns a command as the method that asks another script to run it.
    func declaration(of name: String, in part: Part) -> MethodDeclaration? {
        self.command(name, in: part).map {
            MethodDeclaration(
                name, $0.parameters ?? [], returns: .json, isFault: $0.isFault, sends: $0.sends, $0.summary)
        }
    }

    /// The commands of a table, in the order of the alphabet.
    func commandNames(in part: Part) -> [String] { (self.commands[part].map { Array($0.keys) } ?? []).sorted() }

    /// The system with all that its script has declared by now, for references and for those who ask what it can do.
    var described: ChatSystem {
        let declaration = self.declaration
        func methods(_ part: Part) -> [MethodDeclaration] {
            self.commandNames(in: part).compactMap { name in
                self.command(name, in: part)?.described(as: name)
            }
        }
        let system = ChatSystem(
            name: declaration.name, title: declaration.title,
            client: ClientDeclaration(
                name: declaration.clientName, methods: methods(.commands),
                properties: declaration.properties.map {
                    PropertyDeclaration($0.name, $0.type, optional: $0.isOptional, $0.summary)
                },
                options: declaration.options, make: self.system.client.make),
            server: ServerDeclaration(methods: methods(.serverCommands), options: declaration.serverOptions),
            parties: declaration.parties.map {
                PartyDeclaration(
                    name: $0.name, summary: $0.summary, methods: methods(.party($0.name)), events: $0.events,
                    noise: $0.noise)
            },
            events: declaration.events, noise: declaration.noise, absences: declaration.absences,
            troubles: declaration.troubles)
        return self.isShipped ? ShippedSystems.withItsPage(system) : system
    }

    /// Returns what the actors of a role observe: the clients, or a kind of party.
    func vocabulary(of role: String) -> ActorVocabulary { self.outline.vocabulary(of: role) }

    /// Lets go of all functions of the script.
    ///
    /// They hold the system in turn, where the collector of the script cannot see that nobody else does.
    func forget() {
        self.parts = nil
        self.methods = [:]
    }

    /// Returns what scripts call for a command, made when it is first asked for.
    func method(_ name: String, in part: Part, of script: Script) throws(HostError) -> LuaReference? {
        if let method = self.methods[part]?[name] { return method }
        guard let command = self.command(name, in: part), let parts = self.parts,
            let makers = script.engine.luaSystems
        else { return nil }
        let (maker, table): (LuaReference, LuaReference)
        var arguments: [LuaValue] = []
        switch part {
        case .commands: (maker, table) = (makers.command, parts.commands)
        case .serverCommands: (maker, table) = (makers.serverCommand, parts.server)
        case .party(let party): (maker, table, arguments) = (makers.partyCommand, parts.parties, [.string(party)])
        case .handlers, .server, .messages, .serverMessages: return nil
        }
        arguments.append(command.namedParameters.map { .list($0.map { .string($0) }) } ?? .nil)
        let made = try script.callMaker(maker, [.reference(table), .string(name)] + arguments).first?.reference
        self.methods[part, default: [:]][name] = made
        return made
    }
}
