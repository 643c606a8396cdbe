/// Why a token is not taken.
enum TokenRejection: Error, Hashable, Sendable {
    case absent
    case malformed
    case missing(String)
    case invalid(String)
    case negative(String)
    case expiresBeforeIssue
    case expired
    // Only a server can tell these.
    case wrongAlgorithm
    case wrongSignature
    case wrongChannel
    case notYetIssued
    case livesTooLong

    /// The error code: the vendor's for what its clients check; those a server finds are defined here.
    var code: String {
        switch self {
        case .absent: "AuthNoToken"
        case .malformed: "AuthInvalidToken"
        case .missing(let claim): "AuthNo\(claim)"
        case .invalid(let claim): "AuthInvalid\(claim)"
        case .negative(let claim): "AuthNegative\(claim)"
        case .expiresBeforeIssue: "AuthExpLessThanIat"
        case .expired: "AuthExpiredToken"
        case .wrongAlgorithm: "AuthWrongAlgorithm"
        case .wrongSignature: "AuthWrongSignature"
        case .wrongChannel: "AuthWrongChannel"
        case .notYetIssued: "AuthNotYetIssued"
        case .livesTooLong: "AuthLivesTooLong"
        }
    }

    /// What happened and what to do.
    var message: String {
        switch self {
        case .absent: "there is no token; pass token, token_provider or token_fixture"
        case .malformed: "the token has not the form header.claims.signature of RFC 7515"
        case .missing(let claim): "the token lacks the claim \(claim); the backend must add it"
        case .invalid(let claim): "the claim \(claim) has the wrong type or is empty"
        case .negative(let claim): "the claim \(claim) must be a positive number of seconds since 1970"
        case .expiresBeforeIssue: "the claim exp must be later than iat"
        case .expired: "the token has expired; ask the backend for a new one"
        case .wrongAlgorithm: "the token must be signed with HS256"
        case .wrongSignature: "the signature does not fit; sign with the channel's secret key"
        case .wrongChannel: "the token is for another channel"
        case .notYetIssued: "the token says that it will be issued in the future; check the backend's clock"
        case .livesTooLong: "the token lives longer than the channel's Max. Token Expiration"
        }
    }
}
