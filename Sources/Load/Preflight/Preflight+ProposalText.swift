extension Preflight.Proposal: CustomStringConvertible {
    /// What to do, as a sentence.
    public var description: String {
        switch self {
        case .raiseDescriptors(let count): "raises its limit of open files to \(count)"
        case .raiseHardDescriptors(let count, let limit):
            "needs \(count) open files, and the hard limit is \(limit): run ulimit -Hn \(count) as root, or raise nofile in "
                + "/etc/security/limits.conf"
        case .addSources(let count, let suggestion):
            "needs \(count) source addresses: "
                + (suggestion.isEmpty
                    ? "add addresses to the interface and name them with --source-addresses"
                    : "name them with --source-addresses \(Self.short(suggestion))")
        case .addMemory(let needed, let free):
            "needs \(Preflight.megabytes(needed)) of memory, and \(Preflight.megabytes(free)) are free: use a larger machine"
        case .addShards(let count): "or share the run out to \(count) shards, each on a machine like this one"
        }
    }

    /// Addresses as `--source-addresses` takes them, those in a row as a range.
    private static func short(_ addresses: [String]) -> String {
        var runs: [(first: String, last: String)] = []
        for address in addresses {
            if let last = runs.last?.last, Self.follows(address, last) {
                runs[runs.count - 1].last = address
            } else {
                runs.append((address, address))
            }
        }
        return runs.map { $0.first == $0.last ? $0.first : "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    private static func follows(_ address: String, _ other: String) -> Bool {
        let (left, right) = (address.split(separator: "."), other.split(separator: "."))
        guard left.count == 4, right.count == 4, left.prefix(3) == right.prefix(3), let last = Int(right[3]) else {
            return false
        }
        return Int(left[3]) == last + 1
    }
}
