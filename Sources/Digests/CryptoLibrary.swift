internal import CCrypto

/// The state of libcrypto in this process.
public enum CryptoLibrary {
    /// Makes the library ready, the first time it is asked.
    ///
    /// Without the first option it would take itself apart as the process exits, while other threads may still be in
    /// it; without the second a configuration file of the machine would decide what a handshake computes.
    public static func prepare() { _ = Self.isReady }

    private static let isReady =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT) | UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
}
