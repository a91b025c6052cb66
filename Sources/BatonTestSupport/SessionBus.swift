import Foundation

/// A session bus of the test's own, on which nothing is started by itself unless it gets a folder of services. Needs
/// Debian's `dbus`.
package final class SessionBus: Sendable {
    package let address: String
    private let directory: String
    private let daemon: ChildProcess

    /// - Parameters:
    ///   - services: a folder with files of services, which it starts.
    ///   - prefix: of its command, and so of what it starts, as to run it in a network namespace.
    package init(services: String? = nil, prefix: [String] = []) async throws {
        var template = Array("/tmp/baton-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw IntegrationFailure("/tmp cannot be written to.") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(directory)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """
        try configuration.write(toFile: directory + "/bus.conf", atomically: true, encoding: .utf8)
        daemon = try ChildProcess(
            prefix + [
                "dbus-daemon", "--config-file=\(directory)/bus.conf", "--nofork", "--nopidfile", "--print-address=1",
            ])
        let daemon = daemon
        _ = try await within(.seconds(20), "the session bus") { try await daemon.output.expect { $0 } }
    }

    /// Everybody on it loses the connection.
    package func end() async {
        await daemon.kill()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
