import Machines

/// What a script asks the assist server to do.
enum AssistServerCommand: Sendable {
    case setAccess(AssistServer.Access)
    case setCallStatus(CallStatus, CallError?)
    case swallowPongs(Bool)
    case refuseHandshakes(count: Int64, status: Int64)
    case setLatency(Duration)
    case drop(AssistRole?)
    case sendFrame(base64: String, to: AssistRole?)
    case expireCodes
}
