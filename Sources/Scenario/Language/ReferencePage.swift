public import Machines

/// The reference of the language and of the chat systems as a page of Markdown, made from the declarations of the
/// bindings.
public struct ReferencePage {
    private let systems: [ChatSystem]
    private let sections: [String]

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - systems: The chat systems.
    ///   - sections: What other modules have to say, as Markdown, each with its heading; before the systems.
    public init(systems: [ChatSystem], sections: [String] = []) {
        self.systems = systems
        self.sections = sections
    }

    /// The page.
    public var markdown: String {
        var parts = [
            "# The language of scenarios\n",
            "Made by `repartee types --reference`. A duration is a string with a unit (`\"250ms\"`, `\"2s\"`, `\"5m\"`, "
                + "`\"1m30s\"`) or a number of seconds; `?` marks what may be left out. A method of a system whose first "
                + "parameter is no table takes its arguments in one table by their names, too: "
                + "`sam:join { consumer = ada }`.\n",
            "## Functions of every script\n", Self.section(LanguageReference.globals, prefix: ""),
        ]
        for (name, functions) in LanguageReference.tables {
            parts += ["## `\(name)`\n", Self.section(functions, prefix: name + ".")]
        }
        parts += ["## The context `t`\n", Self.fields(LanguageReference.testContextFields)]
        parts += [Self.section(LanguageReference.testContext, prefix: "t:")]
        parts += ["## Every actor\n", Self.section(LanguageReference.actor, prefix: "actor:")]
        parts += ["## Forms\n", Self.section(LanguageReference.form, prefix: "form:")]
        parts += ["## Readers of XML\n", Self.section(ToolboxReference.xmlReader, prefix: "reader:")]
        parts += ["## Chat systems of one's own\n", Self.ownSystems]
        for table in LanguageReference.ownTables {
            parts += ["### `\(table.name)`\n", table.summary + "\n", Self.fields(table.fields)]
            parts += [Self.section(table.methods, prefix: table.name + ":")]
        }
        parts += self.sections
        for system in self.systems { parts += Self.parts(of: system) }
        return parts.joined(separator: "\n")
    }

    private static let ownSystems = """
        A module that returns what `system { … }` returned is a chat system like a built-in one. Types are texts: `string`,
        `number`, `integer`, `boolean`, `duration`, `any`, `table`, `list`, `function`, `functions`,
        `actor`, `file`, `form`, words such as `open|ended`, each with `?` where it may be missing.

        - **`S.commands.NAME(me, …)`**: a method of the client; it runs in the scenario's thread and may wait. Declared as
          `{ parameters = { "text: string" }, sends = "text", function(me, text) … end }`, its arguments are checked, and
          load tests follow the text to where it arrives; `acknowledged_by` names the event that tells that the server has
          it, if that is not `message_sent`. With `submits = "pre_chat"` it sends what was entered into the form of that
          event, which has a field `form = "form"`; its function gets the values, and the form's `id`. `about` is what people
          read of it, as is what stands behind two dashes in a type: `"room: string? -- The lobby unless given."`;
          `fault = true` says that it makes something fail.
        - **`S.on.text(me, text, link)`**, `bytes`, `open(me, link)`, `failed(me, failure, link)`, `closed(me, closure, link)`,
          `timer(me, name)`, `ending(me)`: what arrives, whether or not the scenario waits. A handler may wait itself; those
          that come after it do not wait for it.
        - **`S.json.KIND(me, message, link)`**: what arrives in place of a text where `system { json = … }` declares
          messages; a kind without one is the event of its name. **`S.server.json.KIND(desk, client, message)`**: the
          same of the simulated server, where each kind has one.
        - **`S.server.text(desk, client, text)`**, `bytes`, `started(desk)` (before all others), `upgrade(desk, request)`
          (returns true, a sub-protocol, or an answer that refuses), `connected(desk, client, request)`,
          `closed(desk, client, closure)`, `request(desk, request)` (returns a status, a text, or
          `{ status, headers, json, body or base64 }`), `timer(desk, name)`: the simulated server.
          `S.server.commands.NAME(desk, …)`: a method of it.
        - **`S.parties.KIND.NAME(party, …)`**: a method of who plays on its side.

        """

    private static func parts(of system: ChatSystem) -> [String] {
        var parts = ["## `require \"\(system.name)\"`: \(system.title)\n"]
        func add(_ title: String, _ text: String) {
            if !text.isEmpty { parts += ["### \(title)\n", text] }
        }
        // What has no members is a text of several paragraphs, by which one gets to know the system.
        for text in system.data where text.members.isEmpty { add(text.title, text.summary + "\n") }
        add("Options of `t:actor(\(system.name), …)`", Self.fields(system.client.options))
        add("Methods of a \(system.client.name)", Self.section(system.client.methods, prefix: "\(system.client.name):"))
        add("Properties of a \(system.client.name)", Self.properties(system.client.properties))
        add("Events of a \(system.client.name)", Self.events(system.events, noise: system.noise))
        add("Options of `t:server(\(system.name), …)`", Self.fields(system.server.options))
        add("Methods of the simulated server", Self.section(system.server.methods, prefix: "server:"))
        add("Properties of the simulated server", Self.properties(system.server.properties))
        for party in system.parties {
            add(
                "`server:\(party.name) \"Name\"`",
                Self.cell(party.summary) + "\n\n" + Self.section(party.methods, prefix: "\(party.name):"))
            add(
                "Events of a party `\(party.name)`",
                Self.events(party.events, noise: party.noise, strictKinds: party.strictKinds))
        }
        for data in system.data where !data.members.isEmpty {
            add(data.title, Self.cell(data.summary) + "\n\n" + Self.fields(data.members))
        }
        return parts
    }

    private static func section(_ functions: [MethodDeclaration], prefix: String) -> String {
        functions.map { function in
            let list = function.parameters.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ")
            let signature = LuaStubWriter.isValue(function) ? "" : "(\(list))"
            let result = function.result == .nothing ? "" : " → \(Self.type(function.result))"
            let head = "- **`\(prefix)\(function.name)\(signature)`**\(result): \(Self.cell(function.summary))\n"
            return head + function.parameters.map { Self.parameter($0, indent: "  ") }.joined()
        }.joined()
    }

    private static func parameter(_ parameter: ParameterDeclaration, indent: String) -> String {
        let mark = parameter.isOptional ? "?" : ""
        let head =
            "\(indent)- `\(parameter.name)\(mark)` (\(Self.type(parameter.type))): \(Self.cell(parameter.summary))\n"
        return head + Self.members(of: parameter.type).map { Self.parameter($0, indent: indent + "  ") }.joined()
    }

    /// The members of a table, or of the tables that a list or another table holds.
    private static func members(of type: ScriptType) -> [ParameterDeclaration] {
        switch type {
        case .record(let members): members
        case .list(let element), .map(let element): Self.members(of: element)
        case .either(let alternatives): alternatives.flatMap(Self.members)
        default: []
        }
    }

    private static func fields(_ fields: [ParameterDeclaration]) -> String {
        fields.map { Self.parameter($0, indent: "") }.joined()
    }

    private static func properties(_ properties: [PropertyDeclaration]) -> String {
        self.fields(properties.map { ParameterDeclaration($0.name, $0.type, optional: $0.isOptional, $0.summary) })
    }

    private static func events(
        _ events: [EventDeclaration], noise: [EventPattern], strictKinds: Set<EventKind> = []
    ) -> String {
        events.map { event in
            "- **`\(event.kind.rawValue)`**: \(Self.cell(event.summary(noise: noise, strictKinds: strictKinds)))\n"
                + event.fields.map { Self.parameter($0, indent: "  ") }.joined()
        }.joined()
    }

    private static func type(_ type: ScriptType) -> String {
        switch type {
        case .json: "any value"
        case .record: "table"
        case .map(let element): "table of \(Self.type(element)) by name"
        case .list(let element): "list of \(Self.type(element))"
        case .choice(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .either(let alternatives): alternatives.map(Self.type).joined(separator: " or ")
        case .duration: "duration"
        case .actor: "actor"
        case .file: "file of the project"
        case .nothing: "nothing"
        default: LuaTypeText.text(type)
        }
    }

    private static func cell(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
