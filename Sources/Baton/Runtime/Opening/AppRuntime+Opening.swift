import AppLink
import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// The app's requests to open items elsewhere.
extension AppRuntime {
    /// The daemon launches the other app and waits for its answer: longer than it does.
    private static let openTimeout = Duration.seconds(90)
    private static let questionTimeout = Duration.seconds(2)

    func open(_ url: URL, universalLinksOnly: Bool) async -> Bool {
        await opener(of: url, universalLinksOnly: universalLinksOnly) != nil
    }

    /// Opens a URL.
    /// - Returns: the bundle identifier of the app that has it; empty where the desktop has it, or the app may not know; nil if nothing
    ///   opened it.
    func opener(of url: URL, universalLinksOnly: Bool) async -> String? {
        let profile = profile
        guard profile.socketPath != nil else { return nil }
        do {
            let response = try await link.call(
                OpeningMethods.openURL,
                .with {
                    $0.url = url.absoluteString
                    $0.universalLinksOnly = universalLinksOnly
                }, timeout: Self.openTimeout)
            return response.opened ? response.bundleID : nil
        } catch {
            logger.warning("The URL was not opened: \((error as? BatonError)?.message ?? "\(error)")")
            return nil
        }
    }

    /// Waits on this thread, as Apple's `open` of a workspace does, for 3 seconds at most.
    func waitForOpener(of url: URL) -> String? {
        let found: String?? = try? link.wait(.seconds(3)) { [self] in
            await self.opener(of: url, universalLinksOnly: false)
        }
        return found ?? nil
    }

    /// Waits on this thread, as Apple's `canOpenURL` does.
    func canOpen(_ url: URL) -> Bool {
        let profile = profile
        guard profile.socketPath != nil else { return false }
        let request = Baton_App_V1_CanOpenURLRequest.with {
            $0.url = url.absoluteString
        }
        let response = try? link.wait(.seconds(3)) { [link] in
            try await link.call(OpeningMethods.canOpenURL, request, timeout: Self.questionTimeout)
        }
        return response?.canOpen ?? false
    }
}
