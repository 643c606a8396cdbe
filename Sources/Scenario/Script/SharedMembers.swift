import JSON
import LuaRuntime

/// What the `before_all` hooks of a file returned, as `t.shared`.
///
/// It is no table, to which a scenario could assign what no other one would ever see.
final class SharedMembers: LuaJSONSource {
    private let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    /// All of it.
    var json: JSONValue { .object(self.members) }

    private static let name = "t.shared"

    /// Returns it as a script sees it.
    func value(in script: Script) -> LuaValue {
        let type = script.engine.handleType(Self.name) {
            LuaHandleDeclaration(
                name: Self.name, methods: [],
                member: HostFunction(Self.name, parameters: ["member"]) { (call) throws(HostError) in
                    let name = try call.string(1)
                    let members = (try call.receiver(ofTypeNamed: Self.name) as? SharedMembers)?.members ?? [:]
                    guard let value = members[name] else {
                        let undefined = UndefinedName(
                            name, of: .members(of: Self.name, isClosed: false), among: members.names)
                        if let mistake = undefined.message() { throw HostError.usage(mistake) }
                        call.pushNil()
                        return .returns
                    }
                    call.push(value)
                    return .returns
                }, text: { _ in Self.name }, members: { ($0 as? SharedMembers)?.members ?? [:] })
        }
        return .handle(self, type)
    }
}
