import Machines

/// Declares a parameter that must be given.
func parameter(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
    ParameterDeclaration(name, type, summary)
}

/// Declares a parameter that may be left out.
func optional(
    _ name: String, _ type: ScriptType, returning result: ScriptType? = nil, _ summary: String
) -> ParameterDeclaration {
    ParameterDeclaration(name, type, optional: true, returning: result, summary)
}
