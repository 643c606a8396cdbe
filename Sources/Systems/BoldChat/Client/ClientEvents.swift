import ChatCore
import JSON

/// Makes the events that several parts of the client emit.
enum ClientEvents {
    /// An error that the vendor's client would report through a callback.
    ///
    /// - Parameters:
    ///   - operation: The command that failed, by its name in scripts.
    ///   - message: What the server said; else the code's own text.
    static func error(
        _ code: ErrorCode, _ domain: ErrorDomain, operation: String, message: String? = nil, raw: JSONValue? = nil
    ) -> ChatEvent {
        ChatEvent(
            .error,
            [
                "code": .integer(code.rawValue), "domain": .string(domain.rawValue), "operation": .string(operation),
                "message": .string(message ?? code.summary),
            ], raw: raw)
    }

    /// A form that was not sent because of its values (−204).
    static func invalidForm(_ kind: FormKind, _ faults: [(key: String, fault: FormRules.Fault)]) -> ChatEvent {
        ChatEvent(
            .formInvalid,
            [
                "form": .string(kind.rawValue), "code": .integer(ErrorCode.invalidForm.rawValue),
                "keys": .array(faults.map { .string($0.key) }),
                "reasons": .object(JSONObject(faults.map { ($0.key, .string($0.fault.rawValue)) })),
            ])
    }
}
