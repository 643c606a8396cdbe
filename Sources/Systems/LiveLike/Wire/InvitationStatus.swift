/// What has become of an invitation.
enum InvitationStatus: String, CaseIterable, Sendable {
    case pending, accepted, rejected
}
