import Foundation

/// Stands for BlueZ on a bus of the test's own, with headphones and a car. Needs Debian's `python3-dbusmock`.
package final class BluetoothService: Sendable {
    private let process: ChildProcess

    package init(on bus: SessionBus) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/bluez_service.py"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let (output, errors) = (process.output, process.errors)
        let isReady = try await within(.seconds(20), "the Bluetooth service") {
            try await output.first { $0 == "ready" ? $0 : nil }
        }
        guard isReady != nil else { throw IntegrationFailure("The Bluetooth service ended: \(errors.all)") }
    }

    /// `connect NAME`, `disconnect NAME`, `lie NAME`, `flood NAME`, with `headphones` or `car`.
    package func say(_ command: String) { process.write(command) }
    package func end() async {
        process.closeInput()
        await process.kill()
    }
}
