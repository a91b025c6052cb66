import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// Keeps what brings an app's first scene back, in the app's container. An app without one keeps nothing.
enum SceneRestoration {
    /// Policy: as much as an activity may carry to another device.
    private static let limit = 1 << 20

    private static var file: URL? {
        guard let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"], !container.isEmpty else {
            return nil
        }
        return URL(fileURLWithPath: container)
            .appendingPathComponent("Library/Saved Application State/scene.activity")
    }

    /// At once: the process may be stopped or end after it.
    @MainActor
    static func save(_ activity: NSUserActivity?, runtime: AppRuntime, to url: URL? = file) {
        guard let url else { return }
        guard let activity else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        let state = ActivitySaver(runtime: runtime, payloadLimit: limit).updatedNow(activity)
        do {
            let data: Data = try state.wirePayload.serializedBytes()
            guard data.count <= limit else {
                runtime.logger.warning("The scene's restoration activity is too large to be kept.")
                return
            }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: url, options: .atomic)
        } catch {
            runtime.logger.warning("The scene's restoration activity was not kept: \(error.localizedDescription)")
        }
    }

    /// Nil for what cannot be read: the scene then begins anew.
    static func load(from url: URL? = file) -> NSUserActivity? {
        guard let url, let data = try? Data(contentsOf: url), data.count <= limit,
            let payload = try? Baton_Value_V1_ActivityPayload(serializedBytes: data),
            let state = try? UserActivityState(received: payload, id: .random())
        else { return nil }
        return NSUserActivity(state: state, runtime: .current)
    }
}
