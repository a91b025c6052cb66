import ArgumentParser

/// The options of every verb, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the device keeps everything, in place of the XDG directories. Also: BATON_HOME.", valueName: "dir"),
        completion: .directory)
    var home: String?

    @Flag(name: .long, help: "Print one JSON object (streams: one a line) instead of text.")
    var json = false

    func validate() throws {
        // A blank is the name of a directory; nothing is not.
        guard home != "" else { throw ValidationError("--home is an empty text. Name a directory, or leave it out.") }
    }
}
