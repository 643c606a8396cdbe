/// Where the samples of one metric with one set of tags are recorded; valid for the ``Measurements`` that gave it.
public struct SeriesID: Hashable, Sendable {
    let place: Int
}
