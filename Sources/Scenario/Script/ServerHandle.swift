/// A server as an object that a script can hold.
///
/// Each script has its own: Lua keeps with an object the functions of the script that it has served as members, and a
/// server may be shared by the scripts of many users.
final class ServerHandle {
    let server: any ScenarioServer

    init(_ server: any ScenarioServer) {
        self.server = server
    }
}
