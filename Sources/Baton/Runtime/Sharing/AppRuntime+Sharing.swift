import AppLink
import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// Documents that other apps open.
extension AppRuntime {
    /// The daemon launches the other app and waits for its answer: longer than it does.
    private static let openTimeout = Duration.seconds(90)
    private static let questionTimeout = Duration.seconds(2)

    struct DocumentApp: Sendable, Hashable {
        var bundleIdentifier: String
        var name: String
    }

    /// The apps that open documents of all these types, the best first. None without a daemon.
    func documentApps(for types: [UTType]) async -> [DocumentApp] {
        let profile = profile
        guard profile.socketPath != nil else { return [] }
        let response = try? await link.call(
            OpeningMethods.listDocumentHandlers,
            .with {
                $0.types = types.map(\.identifier)
            }, timeout: Self.questionTimeout)
        return (response?.handlers ?? []).map { DocumentApp(bundleIdentifier: $0.bundleID, name: $0.name) }
    }

    /// Waits on this thread, as Apple's document menus do.
    func waitForDocumentApps(_ type: UTType) -> [DocumentApp] {
        (try? link.wait(.seconds(3)) { [self] in await documentApps(for: [type]) }) ?? []
    }

    /// The property list that an app attaches to a document; nil for anything else.
    static func annotation(_ value: Any?) -> PropertyValue? { value.flatMap { try? PropertyValue(any: $0) } }

    /// Why an app has not taken a file: on a locked device nothing that it is given can be read.
    @MainActor func notOpened(by app: String, _ name: String) -> String {
        isProtectedDataAvailable
            ? "\(app) was given “\(name)”, but did not open it."
            : "This device is locked, so \(app) cannot read “\(name)”. Unlock it, and open it again."
    }

    /// Hands a copy of a file to another app, which finds it in its Inbox.
    /// - Parameter annotation: a property list.
    /// - Returns: whether the app has taken it.
    func openDocument(_ file: URL, in app: String, annotation: PropertyValue? = nil) async throws -> Bool {
        let profile = profile
        guard profile.socketPath != nil else {
            throw SharingError.failed("Another app cannot open it: there is no daemon.")
        }
        // A copy in the container: an installed app may hand over nothing else.
        let copy = try TemporaryFiles.copy(file)
        defer { TemporaryFiles.remove(copy) }
        do {
            return try await link.call(
                OpeningMethods.openDocument,
                .with {
                    $0.path = copy.path
                    $0.handlerBundleID = app
                    if let annotation { $0.annotation = .init(annotation) }
                }, timeout: Self.openTimeout
            ).handled
        } catch let error as BatonError {
            throw SharingError.failed(error.message)
        }
    }
}
