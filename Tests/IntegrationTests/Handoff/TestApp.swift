import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf

/// HandoffProbe as an installed app on a device, driven by commands.
struct TestApp: Sendable {
    let device: TestDevice
    let bundleID: String
    let events: AppEvents

    init(_ bundleID: String, on device: TestDevice) throws {
        self.device = device
        self.bundleID = bundleID
        events = try device.events(of: bundleID)
    }

    /// Starts it and waits until it takes commands.
    func launch() async throws {
        let start = events.count
        _ = try await device.call(ControlMethods.launchApp, .with { $0.bundleID = bundleID })
        try await events.first("ready", from: start)
    }

    /// The commands that it runs first of all when it is launched.
    func atStartup(_ commands: [String: Any]...) throws {
        try write(try commands.map(Self.line).joined(separator: "\n"), to: "startup")
    }

    /// Writes a file into its container, before it is launched for the first time.
    func write(_ text: String, to name: String) throws {
        let container = device.container(of: bundleID)
        try FileManager.default.createDirectory(
            atPath: container, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try text.write(toFile: "\(container)/\(name)", atomically: true, encoding: .utf8)
    }

    func tell(_ command: [String: Any]) throws {
        let line = try Self.line(command) + "\n"
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: device.container(of: bundleID) + "/commands"))
        try handle.write(contentsOf: Data(line.utf8))
        try handle.close()
    }

    /// Makes an activity, and makes it current unless `more` says otherwise.
    func make(_ id: String, type: String, title: String, _ more: [String: Any] = [:]) throws {
        let command: [String: Any] = ["do": "make", "id": id, "type": type, "title": title]
        try tell(command.merging(more) { $1 })
    }

    func behave(_ mode: String) async throws {
        let start = events.count
        try tell(["do": "behave", "mode": mode])
        try await events.first("done", from: start, ["do": "behave"])
    }

    /// Nil when it does not run.
    func processID() async throws -> Int32? {
        let apps = try await device.call(ControlMethods.listApps).apps
        let app = apps.first { $0.identity.bundleID == bundleID }
        return app.flatMap { $0.running ? Int32($0.processID) : nil }
    }

    private static func line(_ command: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: command, options: .sortedKeys), as: UTF8.self)
    }
}

extension [TestDevice.ContinuationEvent] {
    var steps: [Baton_Control_V1_ContinuationEvent.Step] { map(\.step) }
    /// The code of the failure; nil when there was none.
    var errorCode: Int32? { last.flatMap { $0.step == .failed ? $0.error.code : nil } }
}
