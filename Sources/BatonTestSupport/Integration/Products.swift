import Foundation

/// Executables of the package, beside the tests that run.
package enum Products {
    /// The folder of the executables: that of the test's own.
    package static let directory: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let candidates = [CommandLine.arguments.first ?? "", executable] + CommandLine.arguments.dropFirst()
        let directories = candidates.map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().path
        }
        return directories.first { FileManager.default.isExecutableFile(atPath: $0 + "/batond") } ?? directories[0]
    }()

    package static func path(_ name: String) throws -> String {
        let path = directory + "/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw IntegrationFailure("\(name) is not built. Run “swift build” first, then the integration tests.")
        }
        return path
    }

    /// The package's folder.
    package static let package: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()
}
