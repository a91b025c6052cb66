import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Two daemons and a cloud, and one counted writer on each device: Tests/Support/append_load.py.
    @Suite(.serialized) struct AppendLoadTests {
        @Test(
            "each line that a device's only writer wrote is found in the end, also in versions and in what was deleted (D-5, D-36)"
        )
        func counted() async throws {
            let seconds = Schedules.count(6, soak: 3600)
            let folder = try TemporaryDirectory()
            let load = try ChildProcess(
                [
                    "/usr/bin/python3", Products.package + "/Tests/Support/append_load.py", Products.directory,
                    folder.file("load"), "--seconds", "\(seconds)", "--rate", "4", "--port",
                    "\(Int.random(in: 23000..<27000))",
                ], environment: ["BATON_SEED": "\(Schedules.oneSeed)"])
            let status = try await within(.seconds(seconds + 400), "the load") { try await load.status() }
            try await load.output.waitForEnd()
            #expect(status == 0, "\(load.output.all.joined(separator: "\n"))\n\(load.errors.all.suffix(20))")
        }
    }
}
