import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Sends the items to a device nearby, which the person chooses where the daemon asks. A text goes as a file.
final class AirDropActivity: SystemActivity {
    override class var activityCategory: Category { .share }
    override var activityType: ActivityType? { .airDrop }
    override var activityTitle: String? { "AirDrop" }

    override func canPerform(_ items: [SharedItem]) -> Bool {
        !items.isEmpty && context.runtime.profile.socketPath != nil
    }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        var temporary: [URL] = []
        defer { temporary.forEach(TemporaryFiles.remove) }
        var paths: [String] = []
        var urls: [String] = []
        // An installed app may hand over nothing but what is in its container.
        let isContained = context.tools.variables()["BATON_CONTAINER"]?.isEmpty == false
        for item in items {
            if case .url(let url) = item.content {
                urls.append(url.absoluteString)
                continue
            }
            var file = try item.file()
            if isContained, !file.isTemporary { file = (try TemporaryFiles.copy(file.url), true) }
            if file.isTemporary { temporary.append(file.url) }
            paths.append(file.url.path)
        }
        return try await context.runtime.shareByAirDrop(paths: paths, urls: urls, presenter: context.presenter)
    }
}

extension AppRuntime {
    /// - Parameters:
    ///   - paths: absolute ones, of files that stay until this returns.
    ///   - presenter: learns where the person is asked.
    /// - Returns: false if the person wants it no more.
    /// - Throws: why the other device does not have the items.
    func shareByAirDrop(paths: [String], urls: [String], presenter: any QuestionPresenter) async throws -> Bool {
        let profile = profile
        guard profile.socketPath != nil else {
            throw SharingError.failed("AirDrop does not work: there is no daemon.")
        }
        let request = Baton_App_V1_ShareByAirDropRequest.with {
            $0.displayName = profile.displayName
            $0.paths = paths
            $0.urls = urls
        }
        var peer = "The other device"
        do {
            let events = try await link.stream(
                SharingMethods.shareByAirDrop, request)
            for try await event in events {
                if !event.peerName.isEmpty { peer = event.peerName }
                switch event.phase {
                case "choosing":
                    await presenter.tell("Choose the device with “baton questions” and “baton answer”.")
                case "delivered": return true
                case "cancelled": return false
                case "declined": throw SharingError.failed("\(ShownText.safe(peer)) declined.")
                case "expired": throw SharingError.failed("\(ShownText.safe(peer)) did not answer in time.")
                case "failed":
                    throw SharingError.failed(event.message.isEmpty ? "The transfer failed." : event.message)
                default: continue
                }
            }
        } catch let error as BatonError {
            if error.code == .canceled { return false }
            throw SharingError.failed(error.message)
        }
        if Task.isCancelled { return false }
        throw SharingError.failed("The daemon ended the transfer. Send it again.")
    }
}
