import Testing

// The package manager takes a file of this name for the program of the tests, and then does not look for XCTest's tests, which it would
// find by an index of all sources only.
@main
struct TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
