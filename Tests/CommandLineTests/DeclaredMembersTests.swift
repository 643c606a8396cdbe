import JSON
import Machines
import Testing

@testable import CommandLine
@testable import Scenario

@Suite("Tables that scripts give to systems")
struct DeclaredMembersTests {
    /// A table in what a script gives: what it may have, and how a value gets there.
    private struct Place {
        let name: String
        let members: [ParameterDeclaration]
        let wrapped: (JSONValue) -> JSONValue
    }

    private static func places(
        in type: ScriptType, named name: String, _ wrapped: @escaping (JSONValue) -> JSONValue
    ) -> [Place] {
        switch type {
        case .record(let members):
            let inner = members.flatMap { member in
                Self.places(in: member.type, named: "\(name).\(member.name)") { value in
                    wrapped(.object(JSONObject([(member.name, value)])))
                }
            }
            return [Place(name: name, members: members, wrapped: wrapped)] + inner
        case .list(let element): return Self.places(in: element, named: name) { wrapped(.array([$0])) }
        case .map(let element):
            return Self.places(in: element, named: name) { wrapped(.object(JSONObject([("some", $0)]))) }
        case .either(let alternatives):
            return alternatives.flatMap { Self.places(in: $0, named: name, wrapped) }
        default: return []
        }
    }

    /// All that scripts can give to a system: options and arguments.
    private static func parameters(of system: ChatSystem) -> [ParameterDeclaration] {
        let methods = system.client.methods + system.server.methods + system.parties.flatMap(\.methods)
        return system.client.options + system.server.options + methods.flatMap(\.parameters)
    }

    /// A name that is nearly one of these and none of them.
    private static func misspelt(_ name: String, among names: [String]) -> String {
        let longer = name + "q"
        return names.contains(longer) ? longer + "q" : longer
    }

    @Test(
        "a misspelt member is refused at every depth, with the one that was meant",
        arguments: BuiltInSystems.all.map(\.name))
    func misspelt(name: String) throws {
        let system = try #require(BuiltInSystems.all.first { $0.name == name })
        var count = 0
        for parameter in Self.parameters(of: system) {
            for place in Self.places(in: parameter.type, named: parameter.name, { $0 }) {
                let names = place.members.map(\.name)
                for member in names {
                    let misspelt = Self.misspelt(member, among: names)
                    let meant = try #require(TextDistance.suggestion(for: misspelt, among: names))
                    let value = place.wrapped(.object(JSONObject([(misspelt, JSONValue.bool(true))])))
                    let error = #expect(throws: UsageError.self, "\(place.name).\(misspelt)") {
                        try ArgumentChecker(call: "it").record(JSONObject([(parameter.name, value)]), [parameter])
                    }
                    let text = error?.message ?? ""
                    #expect(text.contains("no option \"\(misspelt)\"; did you mean \"\(meant)\"?"), "\(text)")
                    count += 1
                }
            }
        }
        #expect(count > 0, "\(name) takes no table with declared members")
    }
}
