import BatonCore
import Foundation
import Media
import People
import RequestGrammar
import Requests

/// Music and films that a sentence asks for.
struct RequestedMedia: RequestMedia {
    let media: MediaService
    let people: PeopleService

    func perform(_ action: RequestMeaning.MediaAction, media title: String?) async throws -> String {
        guard action == .play, let title else {
            return try await media.perform(MediaCommand(Self.command(action)), player: nil).name
        }
        // Media that an app has donated can be played again; Baton knows no other.
        let known = try await people.latestMedia()
        let wanted = RequestedTitle(title)
        let found = known.first { wanted.isTitle($0.title) } ?? known.first { wanted.matches($0.title, by: $0.artist) }
        guard let found else {
            // A track that a player has loaded goes on there.
            let loaded = media.players
            let player =
                loaded.first { wanted.isTitle($0.track.title) }
                ?? loaded.first { wanted.isBoth($0.track.title, by: $0.track.artist) }
            if let player {
                return try await media.perform(MediaCommand(.play), player: player.id).name
            }
            throw BatonError(
                .notFound, reason: "unknown_media",
                "No app has reported that it played “\(title.shortened(toBytes: 100))”. Play it in an app once."
            )
        }
        guard try await people.play(found) else {
            throw BatonError(
                .aborted, reason: "not_handled",
                "\(found.app.bundleID) was asked to play “\(found.title)”, but did not.")
        }
        return people.name(of: found.app)
    }

    func playing() async -> [RequestedResult] {
        media.players.filter(\.isPlaying).map { player in
            let title = player.track.title.isEmpty ? "Something without a title" : player.track.title
            let artist = player.track.artist.isEmpty ? "" : "\(player.track.artist), "
            return RequestedResult(title: title, origin: "\(artist)\(player.name)")
        }
    }

    private static func command(_ action: RequestMeaning.MediaAction) -> MediaCommand.Kind {
        switch action {
        case .play: .play
        case .pause: .pause
        case .next: .nextTrack
        case .previous: .previousTrack
        }
    }
}
