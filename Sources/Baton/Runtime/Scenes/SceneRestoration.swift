import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// Keeps the sessions of an app's scenes, and what brings them back, in the app's container. An app without one keeps nothing.
///
/// A property list: an array, the session first that a launch brings back.
@MainActor
struct SceneRestoration {
    /// Policy, of a session: as much as an activity may carry to another device, and as much again of the app's own.
    private static let limit = 1 << 20
    /// Policy: the ones that were connected last.
    private static let maximumSessions = 32

    /// A session as it is kept.
    struct Kept {
        var identifier: String
        var role: String
        var configuration: String?
        var userInfo: [String: Any]?
        var activity: NSUserActivity?
    }

    private enum Key {
        static let identifier = "identifier"
        static let role = "role"
        static let configuration = "configuration"
        static let userInfo = "userInfo"
        static let activity = "activity"
    }

    /// Nil: nothing is kept.
    let file: URL?
    let runtime: AppRuntime

    init(runtime: AppRuntime, file: URL? = SceneRestoration.ofThisApp) {
        self.file = file
        self.runtime = runtime
    }

    private static var ofThisApp: URL? {
        guard let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"], !container.isEmpty else {
            return nil
        }
        return URL(fileURLWithPath: container)
            .appendingPathComponent("Library/Saved Application State/scenes.plist")
    }

    /// At once: the process may be stopped or end after it.
    func save(_ sessions: [Kept]) {
        guard let file else { return }
        let records = sessions.prefix(Self.maximumSessions).map(record)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try PropertyListSerialization.data(fromPropertyList: records, format: .binary, options: 0)
                .write(to: file, options: .atomic)
        } catch {
            runtime.logger.warning("The sessions of the app's scenes were not kept: \(error.localizedDescription)")
        }
    }

    private func record(_ session: Kept) -> [String: Any] {
        var record: [String: Any] = [Key.identifier: session.identifier, Key.role: session.role]
        record[Key.configuration] = session.configuration
        if let userInfo = session.userInfo {
            let data = try? PropertyListSerialization.data(fromPropertyList: userInfo, format: .binary, options: 0)
            if let data, data.count <= Self.limit {
                record[Key.userInfo] = data
            } else {
                runtime.logger.warning(
                    "The userInfo of a scene's session is no property list, or too large to be kept.")
            }
        }
        if let activity = session.activity {
            let state = ActivitySaver(runtime: runtime, payloadLimit: Self.limit).updatedNow(activity)
            let data: Data? = try? state.wirePayload.serializedBytes()
            if let data, data.count <= Self.limit {
                record[Key.activity] = data
            } else {
                runtime.logger.warning("The scene's restoration activity is too large to be kept.")
            }
        }
        return record
    }

    /// None for what cannot be read: the scenes then begin anew.
    func load() -> [Kept] {
        guard let file, let data = try? Data(contentsOf: file), data.count <= Self.maximumSessions * 2 * Self.limit,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let records = list as? [[String: Any]]
        else { return [] }
        return records.prefix(Self.maximumSessions).compactMap { record in
            guard let identifier = record[Key.identifier] as? String, let role = record[Key.role] as? String else {
                return nil
            }
            return Kept(
                identifier: identifier, role: role, configuration: record[Key.configuration] as? String,
                userInfo: (record[Key.userInfo] as? Data).flatMap {
                    try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
                }, activity: (record[Key.activity] as? Data).flatMap(activity))
        }
    }

    private func activity(_ data: Data) -> NSUserActivity? {
        guard let payload = try? Baton_Value_V1_ActivityPayload(serializedBytes: data),
            let state = try? UserActivityState(received: payload, id: .random())
        else { return nil }
        return NSUserActivity(state: state, runtime: runtime)
    }
}
