public import RunRecord
public import Transport

extension InjectedFault {
    /// Takes the fault of a name; nil if no kind is called so.
    public init?(_ name: FaultName) {
        guard let kind = FaultKind(rawValue: name.kind) else { return nil }
        self.init(kind, at: name.point)
    }

    /// How the command line, records and reports name it.
    var name: FaultName { FaultName(kind: self.kind.rawValue, point: self.point) }
}
