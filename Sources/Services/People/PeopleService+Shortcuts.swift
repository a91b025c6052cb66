import BatonConcurrency
package import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Actions that apps could perform next (`INRelevantShortcutStore`, `INUpcomingMediaManager`, `INVoiceShortcutCenter`).
extension PeopleService {
    /// Policy: shortcuts beyond these, of the apps whose lists are read last, are left out.
    private static let maximumShortcuts = 2000

    /// Replaces a list of what an app could do next. Returns when it is on the disk.
    func offer(_ request: Baton_App_V1_OfferShortcutsRequest, from app: AppIdentity) async throws {
        guard [.suggested, .relevant, .upcomingMedia].contains(request.list) else {
            throw BatonError(.invalidArgument, reason: "unknown_list", "Say which list of shortcuts it is.")
        }
        guard request.shortcuts.count <= limits.shortcuts, request.predictionModes.count <= limits.shortcuts,
            InteractionRules.size(request) <= limits.shortcutBytes
        else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_shortcuts",
                "A list has at most \(limits.shortcuts) shortcuts and \(ByteSize.text(limits.shortcutBytes)). Offer fewer."
            )
        }
        try await store.setShortcuts(request, of: app)
        shortcutChanges.send(())
    }

    /// The lists of apps have changed, perhaps.
    package func shortcutsChanged() -> AsyncStream<Void> { shortcutChanges.subscribe([()]) }

    /// The actions and media that apps offer, and of which types of media only that is to be predicted, by app.
    package func shortcuts() async throws -> (offered: [OfferedShortcut], onlyOffered: [AppIdentity: Set<Int>]) {
        var offered: [OfferedShortcut] = []
        var onlyOffered: [AppIdentity: Set<Int>] = [:]
        for (app, offer) in try await store.shortcuts() where apps.isKept(app) {
            let new = offer.shortcuts.enumerated().compactMap { place, message in
                OfferedShortcut(message, of: app, list: offer.list, place: place)
            }
            offered += new.prefix(max(0, Self.maximumShortcuts - offered.count))
            guard offer.list == .upcomingMedia else { continue }
            let types = offer.predictionModes.filter { $0.value == 1 }.map { Int($0.key) }
            if !types.isEmpty { onlyOffered[app] = Set(types) }
        }
        return (offered, onlyOffered)
    }

    /// Has an app do what it offers.
    /// - Parameter identifier: of ``OfferedShortcut``.
    /// - Returns: whether it said that it handled it; nil where the app offers that no longer.
    package func perform(shortcut identifier: String, of bundleID: BundleID) async throws -> Bool? {
        let all = try await shortcuts().offered
        guard let found = all.first(where: { $0.identifier == identifier && $0.app.bundleID == bundleID }) else {
            return nil
        }
        note("shortcut", "The person chose what an app offers.", ["bundle_id": bundleID.rawValue])
        switch found.message.subject {
        case .intent(let intent)?:
            let interaction = Baton_Value_V1_Interaction.with {
                $0.identifier = UUID().uuidString
                $0.direction = .outgoing
                $0.start = Double(clock.milliseconds) / 1000
                $0.intent = intent
            }
            try InteractionRules.check(interaction, limits)
            return try await apps.deliver(Self.payload(interaction), interaction, to: found.app)
        case .activity(var payload)?:
            // The object that could have answered is perhaps gone.
            payload.description_p.supportsContinuationStreams = false
            payload.description_p.activityID = ActivityID.random().rawValue
            return try await apps.deliver(payload, nil, to: found.app)
        case nil: return nil
        }
    }
}
