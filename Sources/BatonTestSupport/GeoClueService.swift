import Foundation

/// Stands for GeoClue on a bus of the test's own: it reports 41.0082, 28.9784 when it is started. Needs Debian's
/// `python3-dbusmock`.
package final class GeoClueService: Sendable {
    private let process: ChildProcess

    package init(on bus: SessionBus) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/geoclue_service.py"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let (output, errors) = (process.output, process.errors)
        let isReady = try await within(.seconds(20), "the location service") {
            try await output.first { $0 == "ready" ? $0 : nil }
        }
        guard isReady != nil else { throw IntegrationFailure("The location service ended: \(errors.all)") }
    }

    /// `move LATITUDE LONGITUDE`, `lie`, `hang` or `answer`.
    package func say(_ command: String) { process.write(command) }
    package func end() async {
        process.closeInput()
        await process.kill()
    }
}
