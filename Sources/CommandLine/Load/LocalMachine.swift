import FoundationEssentials
import Load
import Transport

#if canImport(Glibc)
    import Glibc
#endif

/// What Linux gives this process for a load test over sockets.
enum LocalMachine {
    /// The facts as they are now.
    ///
    /// - Parameters:
    ///   - sources: The addresses that connections leave from.
    ///   - host: The host that they go to.
    static func facts(sources: [String], destination host: String?) -> MachineFacts {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 16
        return MachineFacts(
            descriptors: Self.descriptorLimit, openDescriptors: open, ports: Self.ports,
            memory: Self.freeMemory, sources: sources,
            isLoopback: Self.isLoopback(host))
    }

    /// Returns the host that a URL names.
    static func host(of url: String) -> String? {
        let authority = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first
        return authority.flatMap { Endpoint(authority: String($0), defaultPort: 80)?.host }
    }

    /// Whether a host is this machine.
    static func isLoopback(_ host: String?) -> Bool {
        host.map { Endpoint(host: $0, port: 0).isLoopback } ?? false
    }

    /// Raises the limit of open files as far as the process may.
    static func raiseDescriptors(to count: Int) {
        var limit = rlimit()
        guard getrlimit(Self.openFiles, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        _ = setrlimit(Self.openFiles, &limit)
    }

    /// `RLIMIT_NOFILE` of Linux, whose type differs between C libraries.
    private static let openFiles = __rlimit_resource_t(7)

    /// The machine and this process, by which people find it among several.
    static var processName: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&name, name.count - 1) == 0
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "process \(getpid()) on \(isKnown && !host.isEmpty ? host : "this machine")"
    }

    private static var descriptorLimit: MachineFacts.DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(Self.openFiles, &limit) == 0 else { return .init(soft: 1024, hard: 1024) }
        return .init(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
    }

    private static var ports: ClosedRange<Int> {
        let numbers = Self.text("/proc/sys/net/ipv4/ip_local_port_range").split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] < numbers[1] else { return 32_768...60_999 }
        return numbers[0]...numbers[1]
    }

    private static var freeMemory: Int {
        for line in Self.text("/proc/meminfo").split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            return (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) * 1024
        }
        return .max
    }

    private static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
