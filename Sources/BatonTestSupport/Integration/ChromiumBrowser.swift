import Foundation
import Glibc
import Synchronization

/// A real Chromium, without windows unless it gets a screen, driven over its debugging pipe.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
package final class ChromiumBrowser: Sendable {
    /// A page of it, attached to.
    package struct Tab: Sendable {
        package let target: String
        fileprivate let session: String
    }

    private let process: ChildProcess
    private let lastCall = Mutex(0)

    /// - Parameters:
    ///   - profile: its folder, which is made; in `NativeMessagingHosts` it looks for hosts.
    ///   - prefix: of the command, as to run it in a network namespace.
    ///   - screen: with one it has windows, and opens links to other programs.
    ///   - policy: what an administrator sets; empty for none.
    ///   - arguments: of its command, besides its usual ones.
    package init(
        profile: String, prefix: [String] = [], screen: VirtualScreen? = nil, policy: [String: Any] = [:],
        environment: [String: String] = [:], arguments: [String] = []
    ) async throws {
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        var (prefix, environment) = (prefix, environment)
        if !policy.isEmpty { prefix += try Self.enforcing(policy, in: profile) }
        if let screen { environment["DISPLAY"] = screen.display }
        // The debugging pipe is on the descriptors 3 and 4, of which nothing else can be made here.
        let redirecting = ["bash", "-c", #"exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@""#, "chromium"]
        process = try ChildProcess(
            redirecting + prefix + [
                "chromium", screen == nil ? "--headless=new" : "--disable-infobars", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
                // Without it, Extensions.loadUnpacked is refused.
                "--enable-unsafe-extension-debugging", "--user-data-dir=\(profile)",
            ] + arguments + ["about:blank"], environment: environment, errorFile: profile + "/chromium.log",
            framing: .zeros)
        do {
            _ = try await call("Browser.getVersion", limit: .seconds(60))
        } catch {
            await process.end()
            throw IntegrationFailure("Chromium does not run (dev/setup --tests installs it): \(error)")
        }
    }

    /// Policies are read from one folder of the machine, which is covered in a mount namespace of the command's own.
    private static func enforcing(_ policy: [String: Any], in directory: String) throws -> [String] {
        let folder = directory + "/machine/policies/managed"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try JSONSerialization.data(withJSONObject: policy).write(to: URL(fileURLWithPath: folder + "/policy.json"))
        let script = #"mount --bind "$0/machine" /etc/chromium && exec "$@""#
        return ["unshare", "--mount", "sh", "-c", script, directory]
    }

    /// Closes it and everything that it started.
    package func end() async {
        _ = try? await call("Browser.close", limit: .seconds(10))
        await process.end()
    }

    // MARK: Actions of a test

    /// - Returns: the extension's identifier.
    package func loadExtension(_ path: String) async throws -> String {
        try await call("Extensions.loadUnpacked", ["path": path])["id"] ?? ""
    }

    /// Opens a page in a new tab, which comes to the front; returns when it has loaded.
    package func open(_ url: String) async throws -> Tab {
        let target = try await call("Target.createTarget", ["url": url])["targetId"] ?? ""
        let session = try await call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        let tab = Tab(target: target, session: session ?? "")
        try await wait(in: tab, for: "document.readyState === 'complete' && location.href !== 'about:blank'")
        return tab
    }

    package func activate(_ tab: Tab) async throws {
        _ = try await call("Target.activateTarget", ["targetId": tab.target])
    }

    package func close(_ tab: Tab) async throws {
        _ = try await call("Target.closeTarget", ["targetId": tab.target])
    }

    package func navigate(_ tab: Tab, to url: String) async throws {
        _ = try await call("Page.navigate", ["url": url], in: tab)
    }

    /// The result of a JavaScript expression in a page, as text.
    @discardableResult
    package func evaluate(_ expression: String, in tab: Tab) async throws -> String {
        let parameters: [String: any Sendable] = [
            "expression": "String(\(expression))", "returnByValue": true, "awaitPromise": true, "userGesture": true,
        ]
        return try await call("Runtime.evaluate", parameters, in: tab)["result.value"] ?? ""
    }

    /// Checks an expression until it gives this text, every 50 ms.
    package func wait(
        in tab: Tab, for expression: String, toBe text: String = "true", limit: Duration = .seconds(20)
    ) async throws {
        let clock = ContinuousClock()
        let end = clock.now + limit
        var last = ""
        while true {
            do {
                last = try await evaluate(expression, in: tab)
            } catch let failure as IntegrationFailure where failure.description.contains("execution context") {
                last = failure.description  // Between two pages there is nothing that evaluates.
            }
            if last == text { return }
            guard clock.now < end else {
                throw IntegrationFailure("After \(limit) “\(expression)” is still “\(last)”, not “\(text)”.")
            }
            try await Task.sleep(for: .milliseconds(50))  // sleeps: a page does not announce its changes
        }
    }

    /// A click of the mouse at a point of a page, which the page takes for a person's.
    package func click(x: Double, y: Double, in tab: Tab) async throws {
        for (type, button, count) in [
            ("mouseMoved", "none", 0), ("mousePressed", "left", 1), ("mouseReleased", "left", 1),
        ] {
            let parameters: [String: any Sendable] = [
                "type": type, "x": x, "y": y, "button": button, "clickCount": count,
            ]
            _ = try await call("Input.dispatchMouseEvent", parameters, in: tab)
        }
    }

    /// The addresses of all tabs.
    package func addresses() async throws -> [String] {
        let answer = try await raw("Target.getTargets", [:], nil, .seconds(20))
        let targets = (answer["result"] as? [String: Any])?["targetInfos"] as? [[String: Any]] ?? []
        return targets.filter { $0["type"] as? String == "page" }.compactMap { $0["url"] as? String }
    }

    // MARK: The debugging pipe

    /// The texts of an answer, by their paths.
    private func call(
        _ method: String, _ parameters: [String: any Sendable] = [:], in tab: Tab? = nil,
        limit: Duration = .seconds(20)
    ) async throws -> [String: String] {
        let answer = try await raw(method, parameters, tab?.session, limit)
        if let error = answer["error"] as? [String: Any] {
            throw IntegrationFailure("Chromium refuses \(method): \(error["message"] ?? "")")
        }
        let result = answer["result"] as? [String: Any] ?? [:]
        if let problem = result["exceptionDetails"] as? [String: Any] {
            throw IntegrationFailure("The page's script failed: \(problem)")
        }
        var texts: [String: String] = [:]
        for (name, value) in result {
            if let text = value as? String { texts[name] = text }
            for (inner, value) in value as? [String: Any] ?? [:] {
                if let text = value as? String { texts["\(name).\(inner)"] = text }
            }
        }
        return texts
    }

    private func raw(
        _ method: String, _ parameters: [String: any Sendable], _ session: String?, _ limit: Duration
    ) async throws -> sending [String: Any] {
        let id = lastCall.withLock { last in
            last += 1
            return last
        }
        var message: [String: Any] = ["id": id, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        let start = process.output.count
        process.write(String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self))
        let line = try await within(limit, "Chromium to answer \(method)") { [process] in
            try await process.output.first(from: start) { line in Self.object(line)?["id"] as? Int == id ? line : nil }
        }
        guard let line, let answer = Self.object(line.found) else {
            throw IntegrationFailure("Chromium ended while it was asked for \(method).")
        }
        return answer
    }

    private static func object(_ line: String) -> sending [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
}
