import JSON

/// What the message model demands of a message of the user, which only a strict server insists on.
extension MessageValidation {
    /// Returns what is wrong with a payload of the user, or nil if nothing is; of a type that nobody knows nothing is
    /// said.
    static func problem(inSaid payload: Payload) -> String? {
        switch payload {
        case .unknown, .closeSession: nil
        case .text, .postback, .attachment, .location, .formSubmission, .inboundEvent,
            .updateApplicationContextCommand:
            self.contentProblem(in: payload, zeroIsMissing: false)
        case .status(let message):
            message.status == nil ? "a status is RESPONDING or LISTENING, not \(self.stated("status", message))" : nil
        case .suggest(let request): request.query == nil ? "a request for completions needs a query" : nil
        case .card, .table, .form, .tableForm, .editForm, .raw, .textStream, .command,
            .executeApplicationActionCommand, .outboundEvent, .error, .getDebugInfoCommand, .sessionClosed:
            "a message of type \(payload.type?.rawValue ?? "") is one of the server, not of a user"
        }
    }
}
