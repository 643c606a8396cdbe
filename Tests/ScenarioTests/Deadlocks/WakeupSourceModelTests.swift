import Testing

@testable import Scenario

@Suite("What can still bring an event, compared with what can act")
struct WakeupSourceModelTests {
    private static let means: [WakeupSource.Means] = [.work, .outsiders, .clients, .commands]
    private static let activities: [WakeupSource.Activity] =
        [.runs, .waits, .joins] + means.map { .expects($0) }

    /// Who can act without any event: the independent half of the rule.
    private static func acts(_ activity: WakeupSource.Activity, hasBusyClient: Bool) -> Bool {
        switch activity {
        case .runs, .waits: true
        case .joins: false
        case .expects(let means): means == .work || means == .outsiders || means == .clients && hasBusyClient
        }
    }

    @Test("for all means, all pairs and triples of threads, and with and without a busy client")
    func all() {
        let groups: [[WakeupSource.Activity]] =
            [[]] + Self.activities.map { [$0] }
            + Self.activities.flatMap { one in Self.activities.map { [one, $0] } }
            + Self.activities.flatMap { one in
                Self.activities.flatMap { two in Self.activities.map { [one, two, $0] } }
            }
        for means in Self.means {
            for hasBusyClient in [false, true] {
                for group in groups {
                    let threads = group.enumerated().map { (number: $0.offset + 10, activity: $0.element) }
                    let found = WakeupSource.first(for: means, threads: threads) { hasBusyClient }
                    let expected: WakeupSource? =
                        switch means {
                        case .work: .ownWork
                        case .outsiders: .outsiders
                        case .clients where hasBusyClient: .client
                        default:
                            group.firstIndex { Self.acts($0, hasBusyClient: hasBusyClient) }.map { .thread($0 + 10) }
                        }
                    #expect(found == expected, "\(means) \(group) \(hasBusyClient)")
                }
            }
        }
    }
}
