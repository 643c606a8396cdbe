/// The order in which users take roles: a cycle in which each role stands as often as its share.
///
/// Places go to the role that is due first, and of several that are due at once to the rarest. So a run of 10 visitors
/// and 1 agent has its agent first, and at any number of users the roles are as near to their shares as whole users
/// allow.
struct RoleCycle: Hashable, Sendable {
    let roles: [Role]

    /// The role at each place.
    private let places: [Int]

    /// How many users the cycle has.
    var length: Int { self.places.count }

    /// Creates a cycle.
    ///
    /// - Parameter roles: The roles, each with a share of at least 1; not empty.
    init(_ roles: [Role]) {
        self.roles = roles
        let shares = roles.map { max($0.share, 1) }
        // A cycle of 20 and 2 is that of 10 and 1 twice.
        let divisor = shares.reduce(0, Self.greatestCommonDivisor)
        let counts = shares.map { $0 / max(divisor, 1) }
        // User k of a role is due at k × length ÷ share; sorted by that, then by how rare the role is, then by its
        // name's order.
        var due: [(role: Int, ordinal: Int)] = []
        for (role, count) in counts.enumerated() {
            due += (0..<count).map { (role, $0) }
        }
        due.sort { left, right in
            let leftDue = left.ordinal * counts[right.role]
            let rightDue = right.ordinal * counts[left.role]
            if leftDue != rightDue { return leftDue < rightDue }
            return (counts[left.role], left.role) < (counts[right.role], right.role)
        }
        self.places = due.map(\.role)
    }

    /// Returns the role of a member of a workload.
    func role(ofMember member: Int) -> Int { self.places[member % self.length] }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
