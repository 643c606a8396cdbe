/// A network that counts what its connections carry.
public protocol MeteredNetwork: Network {
    /// What the connections have carried so far that were opened here; those that a listener accepted do not count, for
    /// their bytes are the same ones.
    var traffic: Traffic { get }
}
