import Foundation
import Synchronization

/// A real Firefox without windows, driven over Marionette on port 2828 of its machine.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
package final class FirefoxBrowser: Sendable {
    /// The host of the extension's pages, after `moz-extension://`.
    package static let extensionHost = "11111111-2222-4333-8444-555555555555"

    /// Between a connection to Firefox, once it listens, and standard input and output. One process: another one that it
    /// started would keep its end from being seen.
    private static let relay = """
        from os import _exit, read, write
        from socket import create_connection
        from threading import Thread
        from time import sleep
        while True:
            try:
                connection = create_connection(("127.0.0.1", 2828))
                break
            except OSError:
                sleep(0.1)  # // sleeps: Firefox does not announce that it listens
        def answers():
            while data := connection.recv(65536):
                write(1, data)
            _exit(0)
        Thread(target=answers, daemon=True).start()
        while data := read(0, 65536):
            connection.sendall(data)
        """

    private let process: ChildProcess
    private let connection: ChildProcess
    private let lastCall = Mutex(0)

    /// - Parameters:
    ///   - home: in `.mozilla/native-messaging-hosts` of it Firefox looks for hosts.
    ///   - extensionID: of the extension whose pages are at ``extensionHost``.
    ///   - prefix: of the command, as to run it in a network namespace of its own.
    package init(home: String, extensionID: String, prefix: [String]) async throws {
        let profile = home + "/profile"
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        let hosts = #"{\"\#(extensionID)\":\"\#(Self.extensionHost)\"}"#
        try """
        user_pref("extensions.webextensions.uuids", "\(hosts)");
        user_pref("marionette.port", 2828);
        user_pref("datareporting.policy.dataSubmissionEnabled", false);
        user_pref("toolkit.telemetry.enabled", false);
        user_pref("network.captive-portal-service.enabled", false);
        """.write(toFile: profile + "/user.js", atomically: true, encoding: .utf8)
        process = try ChildProcess(
            prefix + [
                "firefox-esr", "--headless", "--no-remote", "--marionette",
                // Without it, pages of extensions are refused.
                "--remote-allow-system-access", "--profile", profile, "about:blank",
            ],
            environment: ["HOME": home], errorFile: profile + "/firefox.log")
        connection = try ChildProcess(prefix + ["python3", "-c", Self.relay], framing: .counted)
        do {
            let output = connection.output
            _ = try await within(.seconds(60), "Firefox to listen") {
                try await output.expect { $0.contains("marionetteProtocol") ? $0 : nil }
            }
            _ = try await call("WebDriver:NewSession", ["capabilities": ["alwaysMatch": [String: String]()]])
        } catch {
            await end()
            throw IntegrationFailure("Firefox does not run (dev/setup --tests installs it): \(error)")
        }
    }

    package func end() async {
        await connection.kill()
        await process.end()
    }

    package func loadExtension(_ path: String) async throws {
        _ = try await call("Addon:Install", ["path": path, "temporary": true])
    }

    /// Opens a page in a new tab, which comes to the front and is the one that is spoken to.
    /// - Returns: the tab's handle.
    @discardableResult
    package func open(_ url: String) async throws -> String {
        let made = try await call("WebDriver:NewWindow", ["type": "tab"])
        guard let handle = made["handle"] else { throw IntegrationFailure("Firefox made no tab.") }
        try await choose(handle)
        _ = try await call("WebDriver:Navigate", ["url": url])
        return handle
    }

    package func choose(_ handle: String) async throws {
        _ = try await call("WebDriver:SwitchToWindow", ["handle": handle])
    }

    /// The result of a JavaScript expression in the tab, as text.
    @discardableResult
    package func evaluate(_ expression: String) async throws -> String {
        let script: [String: any Sendable] = ["script": "return String(\(expression))", "args": [String]()]
        return try await call("WebDriver:ExecuteScript", script)["value"] ?? ""
    }

    /// Checks an expression until it gives this text, every 50 ms.
    package func wait(for expression: String, toBe text: String, limit: Duration = .seconds(30)) async throws {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while true {
            let found = try await evaluate(expression)
            if found == text { return }
            guard clock.now < end else {
                throw IntegrationFailure("After \(limit) “\(expression)” is still “\(found)”, not “\(text)”.")
            }
            try await Task.sleep(for: .milliseconds(50))  // sleeps: a page does not announce its changes
        }
    }

    /// The texts of an answer.
    private func call(_ method: String, _ parameters: [String: any Sendable]) async throws -> [String: String] {
        let id = lastCall.withLock { last in
            last += 1
            return last
        }
        let start = connection.output.count
        let message: [Any] = [0, id, method, parameters]
        connection.write(String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self))
        let output = connection.output
        let line = try await within(.seconds(30), "Firefox to answer \(method)") {
            try await output.first(from: start) { $0.hasPrefix("[1,\(id),") ? $0 : nil }
        }
        guard let line,
            let answer = try JSONSerialization.jsonObject(with: Data(line.found.utf8)) as? [Any], answer.count == 4
        else { throw IntegrationFailure("Firefox ended while it was asked for \(method).") }
        if let error = answer[2] as? [String: Any] {
            throw IntegrationFailure("Firefox refuses \(method): \(error["message"] ?? "")")
        }
        return (answer[3] as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
    }
}
