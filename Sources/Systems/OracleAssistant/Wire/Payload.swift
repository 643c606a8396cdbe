import JSON

/// A message payload, decoded by its type.
///
/// Decoding never fails and never loses: what has no known type stays ``unknown(_:)``.
enum Payload: Hashable, Sendable {
    case text(TextPayload)
    case attachment(AttachmentPayload)
    case location(LocationPayload)
    case postback(PostbackPayload)
    case status(StatusPayload)
    case updateApplicationContextCommand(ApplicationContextPayload)
    case formSubmission(FormSubmissionPayload)
    case inboundEvent(EventPayload)
    case outboundEvent(EventPayload)
    case suggest(SuggestPayload)
    case closeSession(SessionPayload)
    case sessionClosed(SessionPayload)
    case card(CardPayload)
    case table(TablePayload)
    case form(FormPayload)
    case tableForm(TableFormPayload)
    case editForm(EditFormPayload)
    case raw(RawPayload)
    case textStream(TextStreamPayload)
    case command(CommandPayload)
    case executeApplicationActionCommand(ApplicationActionPayload)
    case error(ErrorPayload)
    case getDebugInfoCommand(DebugInfoPayload)
    case unknown(UnknownPayload)

    /// Decodes a payload.
    init(members: JSONObject) {
        guard let type = members["type"]?.string.flatMap(PayloadType.init(rawValue:)) else {
            self = .unknown(UnknownPayload(members: members))
            return
        }
        self =
            switch type {
            case .text: .text(TextPayload(members: members))
            case .attachment: .attachment(AttachmentPayload(members: members))
            case .location: .location(LocationPayload(members: members))
            case .postback: .postback(PostbackPayload(members: members))
            case .status: .status(StatusPayload(members: members))
            case .updateApplicationContextCommand:
                .updateApplicationContextCommand(ApplicationContextPayload(members: members))
            case .formSubmission: .formSubmission(FormSubmissionPayload(members: members))
            case .inboundEvent: .inboundEvent(EventPayload(members: members))
            case .outboundEvent: .outboundEvent(EventPayload(members: members))
            case .suggest: .suggest(SuggestPayload(members: members))
            case .closeSession: .closeSession(SessionPayload(members: members))
            case .sessionClosed: .sessionClosed(SessionPayload(members: members))
            case .card: .card(CardPayload(members: members))
            case .table: .table(TablePayload(members: members))
            case .form: .form(FormPayload(members: members))
            case .tableForm: .tableForm(TableFormPayload(members: members))
            case .editForm: .editForm(EditFormPayload(members: members))
            case .raw: .raw(RawPayload(members: members))
            case .textStream: .textStream(TextStreamPayload(members: members))
            case .command: .command(CommandPayload(members: members))
            case .executeApplicationActionCommand:
                .executeApplicationActionCommand(ApplicationActionPayload(members: members))
            case .error: .error(ErrorPayload(members: members))
            case .getDebugInfoCommand: .getDebugInfoCommand(DebugInfoPayload(members: members))
            }
    }

    /// The payload without its type.
    var content: any PayloadContent {
        switch self {
        case .text(let content): content
        case .attachment(let content): content
        case .location(let content): content
        case .postback(let content): content
        case .status(let content): content
        case .updateApplicationContextCommand(let content): content
        case .formSubmission(let content): content
        case .inboundEvent(let content), .outboundEvent(let content): content
        case .suggest(let content): content
        case .closeSession(let content), .sessionClosed(let content): content
        case .card(let content): content
        case .table(let content): content
        case .form(let content): content
        case .tableForm(let content): content
        case .editForm(let content): content
        case .raw(let content): content
        case .textStream(let content): content
        case .command(let content): content
        case .executeApplicationActionCommand(let content): content
        case .error(let content): content
        case .getDebugInfoCommand(let content): content
        case .unknown(let content): content
        }
    }

    /// The object for the wire.
    var members: JSONObject { self.content.members }

    /// The type, if it is a known one.
    var type: PayloadType? { self.members["type"]?.string.flatMap(PayloadType.init(rawValue:)) }
}
