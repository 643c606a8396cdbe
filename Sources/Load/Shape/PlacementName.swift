/// The names by which scripts choose a placement of rooms.
enum PlacementName: String, CaseIterable {
    case room, spread, mixed
}
