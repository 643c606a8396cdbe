public import Machines

/// Annotations for lua-language-server, so that editors complete and check scripts: a file for the language and one for
/// each chat system, made from the same declarations as the bindings.
public struct LuaStubs {
    private let systems: [ChatSystem]

    /// Creates the stubs of the language and of some systems.
    public init(systems: [ChatSystem]) {
        self.systems = systems
    }

    /// The files by name, each the text of a Lua file that defines nothing when it is run.
    public var files: [(name: String, text: String)] {
        [("repartee.lua", self.language)] + self.systems.map { ($0.name + ".lua", Self.text(of: $0)) }
    }

    /// What every file begins with: it tells lua-language-server that the file is none to run.
    public static let beginning = "---@meta"

    private static let notice = "-- Made by `repartee types`; changes are lost when it makes the file again."

    private var language: String {
        var writer = LuaStubWriter()
        writer.line(Self.beginning)
        writer.line(Self.notice)
        writer.line("")
        writer.line("---A duration: text with a unit (\"250ms\", \"2s\", \"5m\", \"1m30s\") or a number of seconds.")
        writer.line("---@alias repartee.duration string|number")
        writer.line("")
        writer.line("---Several events as one expectation, or one with what is asked of its fields.")
        writer.line("---@class \(Self.combination)")
        writer.line("")
        for function in LanguageReference.globals {
            writer.function(
                function, named: function.name, context: "repartee",
                result: Self.combining.contains(function.name)
                    ? Self.combination : function.name == "system" ? OwnSystemStubs.system : nil)
        }
        for (table, functions) in LanguageReference.tables {
            writer.line("\(table) = {}")
            writer.line("")
            for function in functions where !LuaStubWriter.isValue(function) {
                writer.function(function, named: "\(table).\(function.name)", context: "repartee.\(table)")
            }
            for value in functions where LuaStubWriter.isValue(value) {
                writer.line("---\(value.summary)")
                writer.line("\(table).\(value.name) = nil")
                writer.line("")
            }
        }
        writer.classHeader(
            "repartee.form", "A form that an event brought.",
            fields: [ParameterDeclaration("fields", .list(.json), "The fields, each with its `key`.")])
        writer.methods(LanguageReference.form, of: "form", context: "repartee.form", returnsSelf: ["fill", "set"])
        writer.classHeader("repartee.xml_reader", "A reader of XML that arrives in pieces.")
        writer.methods(ToolboxReference.xmlReader, of: "xml_reader", context: "repartee.xml_reader")
        writer.classHeader("repartee.actor", "A party that a scenario drives.", fields: [Self.nameField])
        writer.methods(LanguageReference.actor, of: "actor", context: "repartee.actor")
        OwnSystemStubs.write(to: &writer)
        writer.classHeader(
            "repartee.t", "The context of a scenario.", fields: LanguageReference.testContextFields)
        var overloads: [String: [String]] = [:]
        for system in self.systems {
            let name = "repartee.\(system.name)"
            overloads["server", default: []].append(
                "fun(self: repartee.t, system: \(name), options?: \(name).server_options): \(name).server")
            overloads["actor", default: []].append(
                "fun(self: repartee.t, system: \(name), options?: \(name).client_options): \(name).client")
        }
        writer.methods(
            LanguageReference.testContext, of: "t", context: "repartee.t",
            types: ["system": OwnSystemStubs.system], overloads: overloads)
        return writer.text
    }

    /// The class of what ``combining`` functions return.
    private static let combination = "repartee.combination"

    /// The functions whose result can be expected in place of the name of an event.
    private static let combining: Set = ["event", "all", "any", "seq", "interleave", "maybe"]

    private static let nameField = ParameterDeclaration("name", .string, "The name in reports.")

    private static func text(of system: ChatSystem) -> String {
        let name = "repartee.\(system.name)"
        var writer = LuaStubWriter()
        writer.line("---@meta \(system.name)")
        writer.line(Self.notice)
        writer.line("")
        writer.table(
            "\(name).client_options", "Options of a \(system.client.name).", system.client.options + [Self.clientName])
        writer.table("\(name).server_options", "Options of the simulated server.", system.server.options)
        writer.events(system.events, noise: system.noise, prefix: "\(name).event")
        writer.classHeader(
            "\(name).client: repartee.actor", "A \(system.client.name) of \(system.title).",
            fields: Self.fields(system.client.properties))
        writer.methods(
            system.client.methods + LanguageReference.actor, of: "client", context: "\(name).client",
            types: ["what": Self.combination],
            overloads: writer.expectations(system.events, receiver: "\(name).client", prefix: "\(name).event"))
        for party in system.parties {
            let prefix = "\(name).\(party.name)"
            writer.events(party.events, noise: party.noise, strictKinds: party.strictKinds, prefix: "\(prefix).event")
            writer.classHeader("\(prefix): repartee.actor", party.summary)
            writer.methods(
                party.methods + LanguageReference.actor, of: party.name, context: prefix,
                types: ["what": Self.combination],
                overloads: writer.expectations(party.events, receiver: prefix, prefix: "\(prefix).event"))
        }
        writer.classHeader(
            "\(name).server", "A simulated server of \(system.title).",
            fields: Self.fields(system.server.properties.filter { $0.name != Self.origin.name }) + [Self.origin])
        writer.methods(system.server.methods, of: "server", context: "\(name).server")
        for party in system.parties {
            writer.line("---\(party.summary)")
            writer.line("---@param name string The name; the same name gives the same party.")
            writer.line("---@return \(name).\(party.name)")
            writer.line("function server:\(party.name)(name) end")
            writer.line("")
        }
        writer.classHeader(name, "What `require \"\(system.name)\"` returns.", variable: "system")
        writer.line("return system")
        return writer.text
    }

    private static func fields(_ properties: [PropertyDeclaration]) -> [ParameterDeclaration] {
        properties.map { ParameterDeclaration($0.name, $0.type, optional: $0.isOptional, $0.summary) }
    }

    private static let origin = ParameterDeclaration("url", .string, "Where clients and bots reach it.")

    private static let clientName = ParameterDeclaration(
        "name", .string, optional: true, "The actor's name in reports; the system's word for a client unless given.")
}
