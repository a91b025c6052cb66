import BatonCore
import BatonWire
import LaunchServices
import Media

/// The media that apps offer to be played (`MPPlayableContentManager`), for predictions (P-61, P-63).
struct PredictedContent: Sendable {
    /// Policy: containers beyond these are not looked into.
    private static let maximumContainers = 16

    let media: MediaService
    let launchServices: LaunchServices

    /// Has an app that runs get ready to play; silent where that fails, since the person has not asked for it yet.
    func prepare(_ item: String, of app: BundleID) async {
        guard let identity = media.contentApps().first(where: { $0.bundleID == app }) else { return }
        try? await media.initializePlaybackQueue(app: identity, identifiers: [item])
    }

    /// Has the app play it; the app is started if need be.
    /// - Returns: false where the app offers no content with that identifier or title, and has not loaded it either.
    @Sendable func play(_ item: String, of app: BundleID) async throws -> Bool {
        let running = media.contentApps().first { $0.bundleID == app }
        guard let identity = running ?? launchServices.app(app)?.identity else { return false }
        var places: [[Int]] = [[]]
        var looked = 0
        while !places.isEmpty, looked < Self.maximumContainers {
            let place = places.removeFirst()
            looked += 1
            let items: [Int: (identifier: String, title: String, isContainer: Bool)]
            do {
                let found = try await media.content(app: identity, path: place)
                items = Dictionary(
                    uniqueKeysWithValues: found.enumerated().map {
                        ($0.offset, ($0.element.identifier, $0.element.title, $0.element.container))
                    })
            } catch let error as BatonError where error.reason == "no_content" {
                return try await resume(item, of: app)
            }
            let match = items.first { $0.value.identifier == item } ?? items.first { $0.value.title == item }
            if let match {
                try await media.initiatePlayback(app: identity, path: place + [match.key])
                return true
            }
            places += items.filter(\.value.isContainer).keys.sorted().map { place + [$0] }
        }
        return try await resume(item, of: app)
    }

    /// Has the app go on with what it has loaded, if it is this.
    private func resume(_ item: String, of app: BundleID) async throws -> Bool {
        let player = media.players.first { player in
            player.isHere && player.app?.bundleID == app
                && (player.track.identifier == item || player.track.title == item)
        }
        guard let player else { return false }
        try await media.perform(MediaCommand(.play), player: player.id)
        return true
    }
}
