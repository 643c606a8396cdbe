import ArgumentParser
import Load
import RunRecord
import Scenario

/// Which part of a run the command line asks for: `2/4`, or `auto` for the one that the environment tells of.
enum ShardArgument: Sendable, Equatable {
    case named(Shard)
    case detected

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> ShardArgument {
        guard text != "auto" else { return .detected }
        do throws(ShardError) {
            return .named(try Shard(text: text))
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// Returns the part, and a line that says where it comes from if nobody named it.
    ///
    /// - Throws: ``ScriptProblem`` if the environment does not tell all of it: a part that takes itself for the whole
    ///   run or for another one makes what is put together wrong.
    func found(in environment: CommandEnvironment) throws(ScriptProblem) -> (shard: Shard, note: String?) {
        switch self {
        case .named(let shard): return (shard, nil)
        case .detected:
            do throws(ShardError) {
                let detection = try ShardDetection.detect(environment.variables)
                return (detection.shard, detection.description)
            } catch {
                throw ScriptProblem(error.message, isUsage: true)
            }
        }
    }
}
