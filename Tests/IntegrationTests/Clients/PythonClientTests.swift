import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Programs in Python, with the messages that `Clients/python/generate` makes of `Protocol/`.
    ///
    /// Needs Debian's `protobuf-compiler` and `python3-protobuf`, so the distribution's own Python.
    @Suite(.timeLimit(.minutes(3))) struct PythonClientTests {
        @Test("A program in Python offers an activity, and one on another device continues it (H-1, H-16, H-22)")
        func continues() async throws {
            try await TestHousehold.with(2) { household in
                let package = household.directory + "/python"
                try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
                let generator = try ChildProcess([Products.package + "/Clients/python/generate", package])
                #expect(try await generator.status() == 0, "\(generator.errors.all)")
                let programs = try ["offer", "receive"].enumerated().map { number, name in
                    try ChildProcess(
                        ["/usr/bin/python3", Products.package + "/Tests/Support/python_client/\(name).py"],
                        environment: ["BATON_HOME": household[number].home, "PYTHONPATH": package])
                }
                let output = programs[1].output
                let continued = try await within(.seconds(30), "the activity") {
                    try await output.first { $0.contains(#""continued""#) ? $0 : nil }
                }
                let found = try #require(continued?.found, "\(programs[1].errors.all) \(output.all)")
                #expect(found.contains("Shopping") && found.contains(#""line": 7"#) && found.contains("Butter"))
                let refused = try await within(.seconds(30), "the rest") {
                    try await output.first { $0.contains(#""refused""#) ? $0 : nil }
                }
                #expect(refused != nil, "\(programs[1].errors.all)")
                let all = output.all.joined()
                #expect(all.contains(#"{"event": "steps", "last": 6}"#))
                #expect(all.contains(#"{"event": "stored", "is_same": true}"#))
                #expect(all.contains(#""code": "not_found""#))
                for program in programs { await program.kill() }
            }
        }
    }
}
