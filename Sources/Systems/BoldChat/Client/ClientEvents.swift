import JSON
import Machines

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

    /// A call over the event stream that the server has answered with an error.
    static func refused(_ raw: JSONValue?, operation: String) -> ChatEvent {
        let message = raw.flatMap(OSSAnswer.message)
        return Self.error(ErrorCode(message: message), .chat, operation: operation, message: message, raw: raw)
    }

    /// Something in the event stream that the client cannot read.
    ///
    /// The vendor's engine has a domain for such errors but does not say when it reports them; defined here.
    static func unreadable(_ what: String, raw: JSONValue? = nil) -> ChatEvent {
        Self.error(
            .malformedAnswer, .webSocket, operation: "receive",
            message: "the server sent what could not be read: \(what)",
            raw: raw)
    }

    /// A frame of the event stream that the client does not react to, as the vendor's does not.
    ///
    /// - Parameters:
    ///   - event: Its name; nil if it is no event but an answer.
    ///   - reason: Why, as a clause of its own.
    static func ignored(event: String?, because reason: String, raw: JSONValue?) -> ChatEvent {
        var fields: JSONObject = ["message": .string(reason)]
        fields["event"] = event.map { .string($0) }
        return ChatEvent(.eventIgnored, fields, raw: raw)
    }

    /// A call that is made again because its answer could not be read or did not come.
    static func repeated(_ repetition: PendingCalls.Repetition) -> ChatEvent {
        ChatEvent(
            .callRepeated,
            [
                "call": .string(repetition.method), "code": .integer(repetition.code.rawValue),
                "message": .string(repetition.detail),
            ])
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
