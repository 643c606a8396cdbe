import Testing

@testable import Scenario

@Suite("What can still bring an event, compared with what can act")
struct WakeupSourcesModelTests {
    private static let means: [WakeupSources.Means] = [.work, .outsiders, .clients, .commands]
    private static let activities: [WakeupSources.Activity] =
        [.runs, .waits, .joins] + means.map { .expects($0) }

    /// Who can act without any event: the independent half of the rule.
    private static func acts(_ activity: WakeupSources.Activity, hasBusyClient: Bool) -> Bool {
        switch activity {
        case .runs, .waits: true
        case .joins: false
        case .expects(let means): means == .work || means == .outsiders || means == .clients && hasBusyClient
        }
    }

    @Test("for all means, all pairs and triples of threads, and with and without a busy client")
    func all() {
        let groups: [[WakeupSources.Activity]] =
            [[]] + Self.activities.map { [$0] }
            + Self.activities.flatMap { one in Self.activities.map { [one, $0] } }
            + Self.activities.flatMap { one in
                Self.activities.flatMap { two in Self.activities.map { [one, two, $0] } }
            }
        for means in Self.means {
            for hasBusyClient in [false, true] {
                for group in groups {
                    let found = WakeupSources(threads: group) { hasBusyClient }.canReach(means)
                    let expected =
                        switch means {
                        case .work, .outsiders: true
                        case .clients where hasBusyClient: true
                        default: group.contains { Self.acts($0, hasBusyClient: hasBusyClient) }
                        }
                    #expect(found == expected, "\(means) \(group) \(hasBusyClient)")
                }
            }
        }
    }
}
