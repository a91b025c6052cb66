/// The version of the command line, as `baton --version` prints it.
enum BatonVersion {
    static let current = "0.1.0"
}
