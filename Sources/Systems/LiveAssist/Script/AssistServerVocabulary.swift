import Machines

/// What scripts can say to the simulated assist server.
enum AssistServerVocabulary {
    static let options = [
        ParameterDeclaration(
            "access", .choice(AssistServer.Access.allCases.map(\.rawValue)), optional: true,
            "Anonymous consumer access; enabled unless given."),
        ParameterDeclaration(
            "call", .choice(AssistServer.CallAnswer.allCases.map(\.rawValue)), optional: true,
            "What becomes of calls to nobody on duty; answer unless given."),
        ParameterDeclaration("agents", .map(.string), optional: true, "Passwords by user name; anybody unless given."),
        ParameterDeclaration("token_life", .duration, optional: true, "How long tokens live; 1 h unless given."),
        ParameterDeclaration(
            "grace", .duration, optional: true,
            "How long topics outlive the connection of their owner; 60 s unless given."),
        ParameterDeclaration("ring_limit", .duration, optional: true, "How long calls ring; 30 s unless given."),
        ParameterDeclaration("latency", .duration, optional: true, "How late frames go out; 0 unless given."),
    ]

    private static let role = ParameterDeclaration(
        "role", .choice(["consumer", "agent"]), optional: true, "Whose connections; everybody's unless given.")

    static let methods = [
        MethodDeclaration(
            "set_access", [ParameterDeclaration("mode", .choice(["disabled", "enabled", "trusted"]), "The mode.")],
            "Changes anonymous consumer access."),
        MethodDeclaration(
            "set_call_status",
            [ParameterDeclaration("status", .choice(CallStatus.allCases.map(\.rawValue)), "The state.")],
            "Sets the state of the last call."),
        MethodDeclaration(
            "swallow_pongs", [ParameterDeclaration("on", .boolean, optional: true, "True unless given.")],
            isFault: true, "Leaves pings unanswered."),
        MethodDeclaration(
            "refuse_handshakes",
            [
                ParameterDeclaration("count", .integer, optional: true, "How many; 1 unless given."),
                ParameterDeclaration(
                    "status", .integer, optional: true, "The HTTP status, 0 never answers; 503 unless given."),
            ], isFault: true, "Refuses the next topic handshakes."),
        MethodDeclaration(
            "set_latency", [ParameterDeclaration("latency", .duration, "How late frames go out.")], isFault: true,
            "Delays frames."),
        MethodDeclaration(
            "drop", [Self.role], returns: .integer, isFault: true, "Drops connections; returns how many."),
        MethodDeclaration(
            "send_frame", [ParameterDeclaration("base64", .string, "The bytes."), Self.role],
            "Sends any frame, as a broken server would."),
        MethodDeclaration("expire_codes", [], "Ends the life of all short codes."),
    ]
}
