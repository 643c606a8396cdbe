import ArgumentParser

/// Which clock the command line asks for.
enum ClockChoice: String, CaseIterable, ExpressibleByArgument {
    case virtual, real
}
