internal import JSON
public import Machines

extension Sequence<EventDeclaration> {
    /// Returns in which ways an event is not as it is declared: its kind, its fields, none missing.
    public func deviations(of event: ChatEvent) -> [String] {
        guard let declaration = self.first(where: { $0.kind == event.kind }) else {
            return ["the event \(event.kind) is not declared"]
        }
        let declared = Set(declaration.fields.map(\.name))
        let unknown = event.fields.names.filter { !declared.contains($0) }
        let missing = declaration.fields.filter { !$0.isOptional && event.fields[$0.name] == nil }
        return unknown.map { "the field \($0) of the event \(event.kind) is not declared" }
            + missing.map { "the event \(event.kind) lacks its field \($0.name)" }
    }
}
