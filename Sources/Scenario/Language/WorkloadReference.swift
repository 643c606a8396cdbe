public import Machines

/// The members of the table that `workload` takes: what editors and documents know of them, and the names that are
/// checked where the table is read, which stands above this module.
public enum WorkloadReference {
    private typealias Parameter = ParameterDeclaration

    /// What the table says of the run beside its shape.
    public static let ofRun: [ParameterDeclaration] = [
        Parameter(
            "thresholds", .list(.string), optional: true, "What must hold, such as `p99(delivery) < 250ms`; see below."),
        Parameter(
            "ledger", .boolean, optional: true,
            "Whether texts are followed to where they arrive, by a mark in each of them; true unless given."),
        Parameter(
            "rows", .json, optional: true,
            "The data of the users: a list of tables, or a CSV, JSON or JSON Lines file beside the script. A user finds "
                + "its row in `t.user.row`."),
        Parameter(
            "row_order", .choice(["circular", "unique", "per_user", "random", "shuffle"]), optional: true,
            "Who gets which row: one after the other and from the front again, each once, each user its own, by chance, "
                + "or in a random order; circular unless given."),
        Parameter(
            "network", .record(NetworkConditions.parameters), optional: true,
            "What goes wrong for all users, as `t:network`."),
        Parameter(
            "storms",
            .list(
                .record([
                    Parameter("at", .duration, "When it strikes, from the start of the run."),
                    Parameter(
                        "network", .record(NetworkConditions.parameters), optional: true,
                        "What it does to the network, on top of the network of all users; `{ cut = true }` makes everybody "
                            + "reconnect at once."),
                    Parameter(
                        "wake", .boolean, optional: true,
                        "Whether those who `think()` go on at once, so that all send at the same time; false unless given."
                    ),
                    Parameter(
                        "share", .number, optional: true,
                        "The share of the users that it hits, from 0 to 1, by chance; 1 unless given."),
                    Parameter(
                        "lasts", .duration, optional: true,
                        "How long the network is so, or strikes are repeated; 0 unless given, which is one strike."),
                    Parameter(
                        "every", .duration, optional: true,
                        "From one strike to the next, each of which chooses its users anew; one strike unless given."),
                    Parameter(
                        "name", .string, optional: true, "What reports call it; what it does unless given."),
                ])), optional: true,
            "What strikes many users at once during the run. It is marked on the axis of time, and `recovery` measures how "
                + "long it takes until users hear something again."),
    ]

    /// What is said of one workload, or of the only one.
    public static let ofWorkload: [ParameterDeclaration] = [
        Parameter(
            "executor",
            .choice([
                "constant_vus", "ramping_vus", "constant_arrival_rate", "ramping_arrival_rate", "per_vu_iterations",
                "shared_iterations", "arrivals",
            ]), optional: true,
            "How users come: so many at a time (`constant_vus`, `ramping_vus`), so many a second whatever the server does "
                + "(`constant_arrival_rate`, `ramping_arrival_rate`), at recorded times (`arrivals`), or for so many "
                + "iterations (each user: `per_vu_iterations`, all together: `shared_iterations`)."),
        Parameter(
            "users", .integer, optional: true,
            "How many play at a time; for `constant_vus`, `per_vu_iterations`, `shared_iterations`."),
        Parameter(
            "duration", .duration, optional: true, "How long; for `constant_vus` and `constant_arrival_rate`."),
        Parameter(
            "start_users", .integer, optional: true, "How many there are at first; 0 unless given; for `ramping_vus`."),
        Parameter(
            "stages",
            .list(
                .record([
                    Parameter("duration", .duration, "How long it takes to come to the target."),
                    Parameter(
                        "target", .json,
                        "A number of users for `ramping_vus`, else a rate such as \"50/s\" or \"30/m\"."),
                    Parameter("name", .string, optional: true, "The name of the phase, for reports and thresholds."),
                ])), optional: true, "One after the other; for `ramping_vus` and `ramping_arrival_rate`."),
        Parameter(
            "graceful_ramp_down", .duration, optional: true,
            "How long users that are too many may play on; 30s unless given; for `ramping_vus`."),
        Parameter(
            "rate", .json, optional: true, "How many users begin, such as \"20/s\"; for `constant_arrival_rate`."),
        Parameter(
            "start_rate", .json, optional: true, "The rate at first; 0 unless given; for `ramping_arrival_rate`."),
        Parameter(
            "distribution", .choice(["uniform", "poisson"]), optional: true,
            "Whether arrivals are evenly spaced or by chance; uniform unless given; for both arrival rates."),
        Parameter("iterations", .integer, optional: true, "How many; for the executors of iterations."),
        Parameter(
            "max_duration", .duration, optional: true,
            "When what is left is given up; 10m unless given; for the executors of iterations."),
        Parameter("at", .list(.duration), optional: true, "When users begin, in their order; for `arrivals`."),
        Parameter("speed", .number, optional: true, "How much faster than recorded; 1 unless given; for `arrivals`."),
        Parameter(
            "max_users", .integer, optional: true,
            "How many may play at once; for arrivals, or of all workloads together."),
        Parameter("name", .string, optional: true, "The name in reports."),
        Parameter("start_after", .duration, optional: true, "When it begins; at once unless given."),
        Parameter(
            "graceful_stop", .duration, optional: true,
            "How long iterations may go on at the end; 30s unless given."),
        Parameter("scenario", .string, optional: true, "The scenario that is played, where the file has several."),
        Parameter(
            "think_time", .json, optional: true,
            "What `think()` takes: a duration, or `{ distribution = … }`: constant with `value`, uniform with `min` and "
                + "`max`, exponential with `mean`, normal and lognormal with `mean` and `deviation`, gamma with `mean` "
                + "and `exponent`, pareto with `least` and `exponent`; `min` and `max` bound each."),
        Parameter(
            "roles", .map(.json), optional: true,
            "Roles by name: a share such as 10, or `{ share = 10, scenario = \"…\" }`. A user finds its own in `t.user.role`."
        ),
        Parameter(
            "rooms",
            .record([
                Parameter("size", .integer, optional: true, "How many users a room has; this or `count`."),
                Parameter("count", .integer, optional: true, "How many rooms there are."),
                Parameter(
                    "placement", .choice(["room", "spread", "mixed"]), optional: true,
                    "Whether the shards of a run have whole rooms, rooms have users of all shards, or some of each; room "
                        + "unless given."),
                Parameter(
                    "together", .number, optional: true, "The share of whole rooms with `mixed`; 0.5 unless given."),
                Parameter("name", .string, optional: true, "The beginning of the rooms' names."),
            ]), optional: true, "Rooms that users share. A user finds its own in `t.user.room`."),
    ]

    /// What is said of all workloads.
    public static let ofShape: [ParameterDeclaration] = [
        Parameter(
            "workloads", .list(.record(Self.ofWorkload)), optional: true,
            "Several, each with an `executor`; what is beside them holds for each that does not say otherwise."),
        Parameter(
            "warm_up", .duration, optional: true,
            "How long nothing counts at the beginning, but what becomes of messages; 0 unless given."),
        Parameter(
            "phases",
            .list(
                .record([
                    Parameter("name", .string, "The name."), Parameter("from", .duration, "Its beginning."),
                    Parameter("to", .duration, "Its end."),
                ])), optional: true, "Parts of the run that thresholds may be about, as named stages are."),
    ]

    /// All members.
    public static let members = Self.ofWorkload + Self.ofShape + Self.ofRun
}
