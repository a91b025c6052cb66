import AppLink
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// The other apps of the device.
extension AppRuntime {
    private static let questionTimeout = Duration.seconds(2)
    /// The daemon verifies the bundle before it starts it.
    private static let launchTimeout = Duration.seconds(90)

    /// None without a daemon.
    func apps(_ subject: Baton_App_V1_FindAppsRequest.OneOf_Subject) async -> [Baton_App_V1_WorkspaceApp] {
        guard profile.socketPath != nil else { return [] }
        let response = try? await link.call(
            WorkspaceMethods.findApps, .with { $0.subject = subject }, timeout: Self.questionTimeout)
        return response?.apps ?? []
    }

    /// Waits on this thread, as Apple's questions do.
    func waitForApps(_ subject: Baton_App_V1_FindAppsRequest.OneOf_Subject) -> [Baton_App_V1_WorkspaceApp] {
        (try? link.wait(.seconds(3)) { [self] in await apps(subject) }) ?? []
    }

    /// Starts an installed app, unless it runs.
    func launchApp(_ bundleIdentifier: String) async throws -> Int32 {
        guard profile.socketPath != nil else {
            throw DocumentErrors.cocoa(.featureUnsupported, "No app can be started: there is no daemon.", nil)
        }
        do {
            return try await link.call(
                WorkspaceMethods.launchApp, .with { $0.bundleID = bundleIdentifier }, timeout: Self.launchTimeout
            ).processID
        } catch let error as BatonError {
            let code: CocoaError.Code =
                switch error.code {
                case .permissionDenied: .fileReadNoPermission
                case .notFound: .fileReadNoSuchFile
                default: .fileReadUnknown
                }
            throw DocumentErrors.cocoa(code, error.message, nil)
        }
    }
}
