import Machines
import Testing

@testable import Load

@Suite("The search for the capacity of a server")
struct CapacitySearchTests {
    /// Searches with trials that a function answers.
    private func search(
        from start: Int = 10, to ceiling: Int = 100_000, _ trial: (Int) -> CapacitySearch.Finding
    ) -> CapacitySearch.Capacity? {
        var search = CapacitySearch(from: start, to: ceiling)
        for _ in 0..<500 {
            switch search.step {
            case .trial(let level): search.note(trial(level))
            case .found(let capacity): return capacity
            }
        }
        return nil
    }

    @Test(
        "finds the limit of a server that always breaks at the same load", arguments: [1, 2, 7, 10, 185, 4_321, 99_999])
    func exact(limit: Int) throws {
        let found = try #require(self.search { $0 <= limit ? .held : .broken })
        #expect(found.limit == .server)
        let high = try #require(found.broken)
        #expect(found.level <= limit && limit < high)
        #expect(high - found.level <= max(1, found.level / 20))
        #expect(found.trials < 60)
    }

    @Test(
        "says before it begins how many trials it takes to come to its end if nothing breaks",
        arguments: [(1, 1), (10, 10_000), (4, 12), (7, 100_000)])
    func outlook(start: Int, ceiling: Int) throws {
        let found = try #require(self.search(from: start, to: ceiling) { _ in .held })
        #expect(found.limit == .ceiling && found.level == ceiling)
        #expect(CapacitySearch(from: start, to: ceiling).trialsIfAllHold == found.trials)
    }

    @Test("is within a tenth of the limit in nine of ten searches where trials near it go either way")
    func noisy() throws {
        var good = 0
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomSource(seed: seed)
            let limit = 1_000.0
            let found = try #require(
                self.search { level in
                    // Within five percent of the limit chance decides, and one trial in thirty goes wrong anywhere
                    // below.
                    let certainty = (Double(level) - limit) / (limit * 0.05)
                    if certainty > 1 { return .broken }
                    if certainty < -1 { return random.unit() < 1.0 / 30 ? .broken : .held }
                    return random.unit() < (certainty + 1) / 2 ? .broken : .held
                })
            if abs(Double(found.level) - limit) <= limit / 10 { good += 1 }
        }
        #expect(good >= 180, "\(good) of 200")
    }

    @Test("never tells the limit of the generator as the server's", arguments: [50, 300, 5_000])
    func generator(limit: Int) throws {
        let found = try #require(self.search { $0 <= limit ? .held : .generatorStrained })
        #expect(found.limit == .generator)
        #expect(found.level <= limit)
        // A server that breaks before is told all the same.
        let server = try #require(
            self.search { $0 <= limit / 2 ? .held : $0 <= limit ? .broken : .generatorStrained })
        #expect(server.limit == .server)
        #expect(abs(server.level - limit / 2) <= max(2, limit / 20))
    }

    @Test("says where it stopped when nothing breaks, and that nothing held when everything does")
    func ends() throws {
        let all = try #require(self.search(to: 700) { _ in .held })
        #expect(all == CapacitySearch.Capacity(level: 700, broken: nil, limit: .ceiling, trials: all.trials))
        let none = try #require(self.search { _ in .broken })
        #expect(none.level == 0 && none.broken == 1 && none.limit == .server)
    }
}
