import Foundation

/// Stands for logind on a bus of the test's own. Needs Debian's `python3-dbus` and `python3-gi`.
package final class LoginService: Sendable {
    private let process: ChildProcess

    package init(on bus: SessionBus) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/login_service.py"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let (output, errors) = (process.output, process.errors)
        let isReady = try await within(.seconds(20), "the login service") {
            try await output.first { $0 == "ready" ? $0 : nil }
        }
        guard isReady != nil else { throw IntegrationFailure("The login service ended: \(errors.all)") }
    }

    /// Returns once the sessions were requested, the given number of times in all.
    package func listed(_ times: Int = 1) async throws {
        let output = process.output
        try await within(.seconds(20), "somebody to ask for the sessions") {
            var next = 0
            for _ in 0..<times {
                guard let found = try await output.first(from: next, { $0 == "listed" ? true : nil }) else {
                    throw IntegrationFailure("The login service ended.")
                }
                next = found.next
            }
        }
    }

    /// `lock`, `unlock`, `hint yes`, `hint no`, each also with ` other`; `impostor NAME`, `new NAME`, `end`.
    package func say(_ command: String) { process.write(command) }
    package func end() async { await process.kill() }
}
