/// Who is muted, in one room or everywhere.
///
/// Being muted and being shadow-muted have nothing to do with each other; a profile can be both.
///
/// | a profile's state | input | → state |
/// |---|---|---|
/// | free | `mute` | muted |
/// | muted | `unmute` | free |
/// | free | `shadowMute` | shadow-muted |
/// | shadow-muted | `shadowUnmute` | free |
struct MutePart: Sendable {
    /// Who may only read.
    private var muted: Set<String> = []
    /// Whom nobody else hears.
    private var shadowMuted: Set<String> = []

    /// Whether a profile may only read.
    func isMuted(_ profile: String) -> Bool { self.muted.contains(profile) }

    /// Whether nobody else hears a profile.
    func isShadowMuted(_ profile: String) -> Bool { self.shadowMuted.contains(profile) }

    /// Mutes a profile, or lets it speak or be heard again.
    mutating func handle(_ muting: Muting, _ profile: String) {
        switch muting {
        case .mute: self.muted.insert(profile)
        case .unmute: self.muted.remove(profile)
        case .shadowMute: self.shadowMuted.insert(profile)
        case .shadowUnmute: self.shadowMuted.remove(profile)
        }
    }
}
