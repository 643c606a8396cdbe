/// Why a simulated call has failed, by the names of the vendor's codes that nothing else tells (*Error Codes*).
///
/// The gateway's signaling is not published; that the state `error` of a call names one of them is defined here.
enum CallError: String, CaseIterable, Hashable, Sendable {
    case fcsdkSessionFailure, fcsdkSystemFailure, fcsdkLostConnection
    case fcsdkDidReceiveCallFailure, fcsdkDidReceiveDialFailure
    case sessionFailure, callFailed

    /// The vendor's code.
    var code: ErrorCode {
        switch self {
        case .fcsdkSessionFailure: .fcsdkSessionFailure
        case .fcsdkSystemFailure: .fcsdkSystemFailure
        case .fcsdkLostConnection: .fcsdkLostConnection
        case .fcsdkDidReceiveCallFailure: .fcsdkDidReceiveCallFailure
        case .fcsdkDidReceiveDialFailure: .fcsdkDidReceiveDialFailure
        case .sessionFailure: .sessionFailure
        case .callFailed: .callFailed
        }
    }
}
