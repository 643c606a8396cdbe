internal import Foundation
public import Transport

/// A certificate of its own authority for `localhost` and `127.0.0.1`, valid for a hundred years; for tests only.
public enum Certificates {
    /// What a server shows.
    public static let identity = ServerIdentity(certificateChainPEM: Self.certificate, privateKeyPEM: Self.privateKey)

    /// The certificate in a file that is made once for the process.
    public static let file = Self.file(named: "authority", Self.certificate)

    /// Its key in such a file.
    public static let keyFile = Self.file(named: "key", Self.privateKey)

    private static func file(named name: String, _ text: String) -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "repartee-test-\(name)-\(getpid()).pem").path
        do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
            preconditionFailure("\(path) cannot be written: \(error)")
        }
        return path
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmjCCAUGgAwIBAgIUPUDHtNT3yRTjKZuYQAUj4Z4x79IwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMDE0OVoYDzIxMjYxMDI4
        MTAwMTQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATssBiDkesfRrzcMwxx++UN9Lv4ynxxeleTCdb1zTPuOYJWBqe6WH9u
        12LNEGqmtA9C4XDr45Eue/s1bZq6vCbeo28wbTAdBgNVHQ4EFgQUu310Qe69exHE
        71K5m0D77xdL0a0wHwYDVR0jBBgwFoAUu310Qe69exHE71K5m0D77xdL0a0wDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDRwAwRAIgEx3UCGLQKuMIKiHOyfyeAOm/wzZzsdZxRdKw3cFJ/BACIGeg
        f+zciokJBh+wqe5p5zQTi/PNQq/qQG6MPC06Ki7d
        -----END CERTIFICATE-----
        """

    private static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+ODPJIYJE7WSN0jL
        3+Fc76zMq7TRlz+wjEBwzeCRb1WhRANCAATssBiDkesfRrzcMwxx++UN9Lv4ynxx
        eleTCdb1zTPuOYJWBqe6WH9u12LNEGqmtA9C4XDr45Eue/s1bZq6vCbe
        -----END PRIVATE KEY-----
        """
}
