import Machines
package import Transport

extension Endpoint {
    /// Whether only this machine reaches it.
    package var isLoopback: Bool { AllowedHosts.isThisMachine(AllowedHosts.host(of: "\(self)")) }

    /// Where the shard at this endpoint listens: at the address, or at all of its own where the others know it by a
    /// name.
    var listening: Endpoint {
        let isAddress = self.host.contains(":") || self.host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress || self.host == "localhost" ? self : Endpoint(host: "0.0.0.0", port: self.port)
    }
}
