import AppLink
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Baton

/// An app's media and its commands, with a daemon in memory.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct NowPlayingTests {
    private static let picture = UIImage(
        data: Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data())

    private static func command(
        _ kind: Baton_Value_V1_MediaCommandKind, _ value: Double = 0, flag: Bool = false
    ) -> Baton_App_V1_AppCommand.OneOf_Kind {
        .mediaCommand(
            .with {
                $0.command.kind = kind
                $0.command.value = value
                $0.command.flag = flag
            })
    }

    private func result(
        _ app: TestApp, _ kind: Baton_App_V1_AppCommand.OneOf_Kind
    ) async throws -> Baton_App_V1_MediaCommandResult {
        guard case .media(let result)? = try await app.ask(kind) else { throw UnexpectedCall() }
        return result
    }

    @Test("the shared centre's dictionary is told with its fields, and nothing of other types (P-64, P-65)")
    func information() async throws {
        try await withApp { app in
            let center = MPNowPlayingInfoCenter.default()
            #expect(center === MPNowPlayingInfoCenter.default())
            #expect(app.runtime.media.request(sessionID: "s") == nil)
            let artwork = try MPMediaItemArtwork(image: #require(Self.picture))
            center.nowPlayingInfo = [
                MPMediaItemPropertyTitle: "Tone", MPMediaItemPropertyArtist: "Monkeys",
                MPMediaItemPropertyAlbumTitle: "Tests", MPMediaItemPropertyPlaybackDuration: 180,
                MPMediaItemPropertyAlbumTrackNumber: NSNumber(value: 3), MPMediaItemPropertyArtwork: artwork,
                MPMediaItemPropertyGenre: 7, MPNowPlayingInfoPropertyElapsedPlaybackTime: Float(12.5),
                MPNowPlayingInfoPropertyMediaType: MPNowPlayingInfoMediaType.audio.rawValue,
                MPMediaItemPropertyPersistentID: UInt64.max, MPNowPlayingInfoPropertyIsLiveStream: false,
            ]
            _ = try await app.nextAttach()
            let told = try #require(app.runtime.media.request(sessionID: "s")).nowPlaying
            #expect(told.item.title == "Tone" && told.item.artist == "Monkeys" && told.item.albumTitle == "Tests")
            #expect(told.item.duration == 180 && told.item.trackNumber == 3 && told.item.genre.isEmpty)
            #expect(told.elapsed == 12.5 && told.rate == 1 && told.state == .unspecified)
            #expect(told.item.mediaType == 1 && told.item.identifier == String(UInt64.max) && told.item.artwork == 1)

            // The picture, and one that is not there any more.
            guard
                case .artwork(let answer)? = try await app.ask(
                    .mediaArtwork(
                        .with {
                            $0.artwork = 1
                            $0.width = 512
                            $0.height = 512
                        }))
            else { throw UnexpectedCall() }
            #expect(answer.picture == Self.picture?.pngData())
            center.playbackState = .paused
            #expect(app.runtime.media.request(sessionID: "s")?.nowPlaying.state == .paused)
            center.nowPlayingInfo = nil
            #expect(app.runtime.media.request(sessionID: "s")?.hasNowPlaying == false)
            #expect(app.runtime.media.infoCenter.artwork(1) == nil)
        }
    }

    @Test("a command for a language gives the app its own option, by identifier or tag, else one of that tag")
    func languages() async throws {
        try await withApp { app in
            let english = MPNowPlayingInfoLanguageOption(
                type: .legible, languageTag: "en",
                characteristics: [MPLanguageOptionCharacteristicTranscribesSpokenDialog], displayName: "English",
                identifier: "subtitles-1")
            let automatic = MPNowPlayingInfoLanguageOption(
                type: .legible, languageTag: "", characteristics: nil, displayName: "Auto", identifier: "auto")
            #expect(automatic.isAutomaticLegibleLanguageOption() && !automatic.isAutomaticAudibleLanguageOption())
            #expect(!english.isAutomaticLegibleLanguageOption())
            MPNowPlayingInfoCenter.default().nowPlayingInfo = [
                MPNowPlayingInfoPropertyAvailableLanguageOptions: [
                    MPNowPlayingInfoLanguageOptionGroup(
                        languageOptions: [automatic, english], defaultLanguageOption: automatic,
                        allowEmptySelection: true)
                ]
            ]
            let seen = Mutex<[MPNowPlayingInfoLanguageOption]>([])
            MPRemoteCommandCenter.shared().enableLanguageOptionCommand.addTarget { event in
                guard let event = event as? MPChangeLanguageOptionCommandEvent else { return .commandFailed }
                seen.withLock { $0.append(event.languageOption) }
                return .success
            }
            _ = try await app.nextAttach()
            for name in ["subtitles-1", "en", "tr"] {
                let command = Baton_App_V1_AppCommand.OneOf_Kind.mediaCommand(
                    .with {
                        $0.command.kind = .enableLanguageOption
                        $0.command.text = name
                    })
                #expect(try await result(app, command).status == 0)
            }
            let options = seen.withLock { $0 }
            #expect(options.count == 3 && options[0] === english && options[1] === english)
            #expect(options.last?.languageTag == "tr")
        }
    }

    @Test("the 20 commands are offered with their targets, and their handlers get events and give statuses (P-62)")
    func commands() async throws {
        try await withApp { app in
            let center = MPRemoteCommandCenter.shared()
            #expect(Set(center.commands.map(\.kind)).count == 20)
            let seen = Mutex<[String]>([])
            let first = center.playCommand.addTarget { _ in
                seen.withLock { $0.append("play") }
                return .commandFailed
            }
            center.changePlaybackPositionCommand.addTarget { event in
                let position = (event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? -1
                seen.withLock { $0.append("at \(position)") }
                return .success
            }
            center.skipForwardCommand.preferredIntervals = [15, 30]
            center.skipForwardCommand.addTarget { event in
                seen.withLock { $0.append("skip \((event as? MPSkipIntervalCommandEvent)?.interval ?? -1)") }
                return .noSuchContent
            }
            center.likeCommand.addTarget { event in
                seen.withLock { $0.append("like \((event as? MPFeedbackCommandEvent)?.isNegative == true)") }
                return .success
            }
            _ = try await app.nextAttach()
            let offers = try #require(app.runtime.media.request(sessionID: "s")).commands
            #expect(offers.map(\.kind) == [.play, .skipForward, .changePlaybackPosition, .like])
            #expect(offers.first { $0.kind == .skipForward }?.choices == [15, 30])

            #expect(try await result(app, Self.command(.play)).status == 200)
            #expect(try await result(app, Self.command(.changePlaybackPosition, 42)).status == 0)
            #expect(try await result(app, Self.command(.skipForward, 15)).status == 100)
            #expect(try await result(app, Self.command(.like, flag: true)).status == 0)
            #expect(try await result(app, Self.command(.pause)).notOffered)
            #expect(seen.withLock { $0 } == ["play", "at 42.0", "skip 15.0", "like true"])

            center.playCommand.isEnabled = false
            #expect(try await result(app, Self.command(.play)).notOffered)
            center.playCommand.isEnabled = true
            center.playCommand.addTarget { _ in .success }
            #expect(try await result(app, Self.command(.play)).status == 0)
            center.playCommand.removeTarget(first)
            #expect(center.playCommand.isOffered)
            center.playCommand.removeTarget(nil)
            #expect(!center.playCommand.isOffered)
        }
    }

    private final class Delegate: NSObject, MPPlayableContentDelegate, MPPlayableContentDataSource {
        let paths = Mutex<[IndexPath]>([])

        func playableContentManager(
            _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            paths.withLock { $0.append(indexPath) }
            completionHandler(indexPath == IndexPath(index: 7) ? MPError(.notFound) : nil)
            completionHandler(nil)
        }

        func numberOfChildItems(at indexPath: IndexPath) -> Int { 2 }

        func contentItem(at indexPath: IndexPath) -> MPContentItem? {
            let item = MPContentItem(identifier: "\(indexPath.last ?? -1)")
            item.title = "Item \(indexPath.last ?? -1)"
            item.isPlayable = true
            return item
        }
    }

    private func content(
        _ app: TestApp, _ request: Baton_App_V1_PlayableContentRequest
    ) async throws -> Baton_App_V1_PlayableContentResult {
        guard case .content(let result)? = try await app.ask(.playableContent(request)) else { throw UnexpectedCall() }
        return result
    }

    @Test("the content delegate is called with an index path, and its error is told (P-63)")
    func playableContent() async throws {
        try await withApp { app in
            let manager = MPPlayableContentManager.shared()
            let delegate = Delegate()
            manager.delegate = delegate
            _ = try await app.nextAttach()
            #expect(app.runtime.media.request(sessionID: "s")?.hasContentDelegate_p == true)
            var result = try await content(app, .with { $0.initiate.indexes = [2, 0] })
            #expect(result.handled && result.error.isEmpty)
            result = try await content(app, .with { $0.initiate.indexes = [7] })
            #expect(result.handled && result.error == "It is not there.")
            #expect(delegate.paths.withLock { $0 } == [IndexPath(indexes: [2, 0]), IndexPath(index: 7)])
            // Preparing is optional.
            result = try await content(app, .with { $0.initializeQueue = .init() })
            #expect(result.handled && result.error.isEmpty)
            // Without a data source there is nothing to look through.
            #expect(try await !content(app, .with { $0.list = .init() }).handled)
            manager.dataSource = delegate
            result = try await content(app, .with { $0.list = .init() })
            #expect(result.items.map(\.title) == ["Item 0", "Item 1"])
            manager.delegate = nil
            #expect(try await !content(app, .with { $0.initiate.indexes = [0] }).handled)
        }
    }

    @Test("an item made of values gives them by name and by key, and a picture its size at most (P-64)")
    func items() throws {
        let image = try #require(Self.picture)
        let sizes = Mutex<[CGSize]>([])
        let artwork = MPMediaItemArtwork(boundsSize: CGSize(width: 100, height: 50)) { size in
            sizes.withLock { $0.append(size) }
            return image
        }
        #expect(artwork.image(at: CGSize(width: 512, height: 20)) === image)
        #expect(artwork.image(at: CGSize(width: CGFloat.nan, height: 20)) == nil)
        #expect(sizes.withLock { $0 } == [CGSize(width: 100, height: 20)])
        let item = MPMediaItem(properties: [
            MPMediaItemPropertyTitle: "Tone", MPMediaItemPropertyPlaybackDuration: 180.5,
            MPMediaItemPropertyAlbumTrackNumber: 4, MPMediaItemPropertyArtwork: artwork,
        ])
        #expect(item.title == "Tone" && item.playbackDuration == 180.5 && item.albumTrackNumber == 4)
        #expect(item.artwork === artwork && item.artist == nil && MPMediaItem().title == nil)
        var found: [String] = []
        item.enumerateValues(forProperties: [MPMediaItemPropertyTitle, MPMediaItemPropertyArtist]) { key, _, _ in
            found.append(key)
        }
        #expect(found == [MPMediaItemPropertyTitle])
    }
}
