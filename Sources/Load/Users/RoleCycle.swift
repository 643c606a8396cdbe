/// The order in which users take roles: a cycle in which each role stands as often as its share.
///
/// Places go to the role that is due first, and of several that are due at once to the rarest. So a run of 10 visitors
/// and 1 agent has its agent first, and at any number of users the roles are as near to their shares as whole users
/// allow.
struct RoleCycle: Hashable, Sendable {
    let roles: [Role]

    /// The role at each place, and which of its role's users in the cycle stands there.
    private let places: [(role: Int, ordinal: Int)]

    /// The places of each role's users in the cycle.
    private let placesOfRole: [[Int]]

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
        self.places = due
        var placesOfRole = [[Int]](repeating: [], count: roles.count)
        for (place, user) in due.enumerated() { placesOfRole[user.role].append(place) }
        self.placesOfRole = placesOfRole
    }

    /// Returns the role of a member of a workload.
    func role(ofMember member: Int) -> Int { self.places[member % self.length].role }

    /// Returns the members of a role that a member talks to: those of its own cycle, dealt evenly.
    ///
    /// If a is a partner of b, b is one of a.
    func partners(ofMember member: Int, role: Int) -> [Int] {
        let cycle = member - member % self.length
        let own = self.places[member % self.length]
        guard own.role != role else { return [] }
        let mine = self.placesOfRole[own.role].count
        let theirs = self.placesOfRole[role]
        if theirs.count <= mine { return [cycle + theirs[own.ordinal * theirs.count / mine]] }
        return theirs.enumerated().filter { $0.offset * mine / theirs.count == own.ordinal }.map { cycle + $0.element }
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    static func == (left: RoleCycle, right: RoleCycle) -> Bool { left.roles == right.roles }

    func hash(into hasher: inout Hasher) { hasher.combine(self.roles) }
}
