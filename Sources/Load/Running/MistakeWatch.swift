import Machines
import RunRecord

/// Whether a run can come to nothing: every iteration so far was a mistake of the script.
///
/// Such a run ends with an error whatever comes after, so nobody need wait for its planned end. What a mistake is no
/// server can bring about; but rows of data and roles differ, so it takes several iterations, and of each user who
/// plays an earlier one must have ended so: those whom the script lets play are longer in coming to their end.
struct MistakeWatch {
    /// Defined here: as many iterations make it certain.
    private static let leastIterations = 20

    /// Defined here: a shorter run is over soon enough.
    private static let leastTime = Duration.seconds(10)

    private var iterations = 0

    /// Whose iterations were all mistakes; nil once one of anybody was not.
    private var users: Set<Int>? = []

    /// Takes note that an iteration has ended.
    ///
    /// - Parameter problem: Why it did not pass; nil if it did, or was not played.
    mutating func ended(user: Int, because problem: Problem?) {
        guard self.users != nil else { return }
        guard problem?.isMistake == true else { return self.users = nil }
        self.users?.insert(user)
        self.iterations += 1
    }

    /// How many iterations have ended, if every one was a mistake, of each user who plays, too, and the run is long
    /// enough; nil otherwise. Those of the cores that play a run are added.
    ///
    /// - Parameters:
    ///   - playing: The users who play at the moment.
    ///   - now: The time since the run began.
    func count(playing: some Sequence<Int>, at now: Instant) -> Int? {
        guard let users = self.users, now >= .start + Self.leastTime, playing.allSatisfy(users.contains)
        else { return nil }
        return self.iterations
    }

    /// How many iterations there were in all once nobody plays any more, if every one was a mistake; nil otherwise. A
    /// core that has ended soon says nothing against those that go on.
    var lastCount: Int? { self.users.map { _ in self.iterations } }

    /// Whether it is certain by so many iterations of all cores.
    static func isCertain(by count: Int?) -> Bool { count.map { $0 >= Self.leastIterations } ?? false }
}
