import ArgumentParser

/// How `--list` prints.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}
