import Foundation

/// Stands for UPower and NetworkManager on a bus of the test's own. Needs Debian's `python3-dbusmock`.
package final class SystemServices: Sendable {
    private let process: ChildProcess

    package init(on bus: SessionBus) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/system_services.py"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let (output, errors) = (process.output, process.errors)
        let isReady = try await within(.seconds(30), "the system's services") {
            try await output.first { $0 == "ready" ? $0 : nil }
        }
        guard isReady != nil else { throw IntegrationFailure("The system's services ended: \(errors.all)") }
    }

    /// `battery yes|no`, `lid yes|no`, `network NAME [TYPE]`, `metered NUMBER`, `none`, `lie`.
    package func say(_ command: String) { process.write(command) }
    package func end() async {
        process.closeInput()
        await process.kill()
    }
}
