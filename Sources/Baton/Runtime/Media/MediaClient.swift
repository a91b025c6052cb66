import BatonConcurrency
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// The media that the app plays and the commands that it takes, for its daemon.
final class MediaClient: Sendable {
    let infoCenter: MPNowPlayingInfoCenter
    let commandCenter: MPRemoteCommandCenter
    let contentManager: MPPlayableContentManager
    private let wake: Wake

    /// Signals that there is something to report. Holds at most one element: the state is read when it is sent.
    private final class Wake: Sendable {
        private let signal = Mutex<Signal?>(nil)

        func call() { signal.withLock { $0 }?.send() }

        func changes() -> AsyncStream<Void> {
            let new = Signal()
            let former = signal.withLock { signal in
                defer { signal = new }
                return signal
            }
            former?.finish()
            new.send()
            return new.stream
        }
    }

    init(runtime: AppRuntime) {
        let wake = Wake()
        self.wake = wake
        let changed: @Sendable () -> Void = { [weak runtime] in
            runtime?.attach()
            wake.call()
        }
        infoCenter = MPNowPlayingInfoCenter(changed: changed)
        commandCenter = MPRemoteCommandCenter(changed: changed)
        contentManager = MPPlayableContentManager(changed: changed)
    }

    /// Yields when there may be something to report, and at once.
    func changes() -> AsyncStream<Void> { wake.changes() }

    /// - Returns: nil for an app that has nothing to do with media.
    func request(sessionID: String) -> Baton_App_V1_UpdateNowPlayingRequest? {
        let commands = commandCenter.commands.filter(\.isOffered)
        guard infoCenter.isUsed || contentManager.isUsed || !commands.isEmpty else { return nil }
        return .with {
            $0.sessionID = sessionID
            if let snapshot = infoCenter.snapshot { $0.nowPlaying = .init(snapshot) }
            $0.commands = commands.map { .init($0) }
            $0.hasContentDelegate_p = contentManager.delegate != nil
            $0.hasContentDataSource_p = contentManager.dataSource != nil
            $0.nowPlayingIdentifiers = Array(contentManager.nowPlayingIdentifiers.prefix(16))
        }
    }

    // MARK: Commands, on the main thread

    func perform(_ command: Baton_Value_V1_MediaCommand) -> Baton_App_V1_MediaCommandResult {
        guard let target = commandCenter.commands.first(where: { $0.kind.rawValue == command.kind.rawValue }),
            let status = target.perform(event(target, command))
        else { return .with { $0.notOffered = true } }
        return .with { $0.status = UInt32(status.rawValue) }
    }

    private func event(
        _ target: MPRemoteCommand, _ command: Baton_Value_V1_MediaCommand
    ) -> MPRemoteCommandEvent {
        switch target.kind {
        case .enableLanguageOption, .disableLanguageOption:
            MPChangeLanguageOptionCommandEvent(target, language(command.text))
        case .changePlaybackRate: MPChangePlaybackRateCommandEvent(target, Float(command.value))
        case .changeRepeatMode:
            MPChangeRepeatModeCommandEvent(target, MPRepeatType(rawValue: Int(command.number)) ?? .off)
        case .changeShuffleMode:
            MPChangeShuffleModeCommandEvent(target, MPShuffleType(rawValue: Int(command.number)) ?? .off)
        case .skipForward, .skipBackward: MPSkipIntervalCommandEvent(target, command.value)
        case .seekForward, .seekBackward:
            MPSeekCommandEvent(target, command.flag ? .endSeeking : .beginSeeking)
        case .changePlaybackPosition: MPChangePlaybackPositionCommandEvent(target, command.value)
        case .rating: MPRatingCommandEvent(target, Float(command.value))
        case .like, .dislike, .bookmark: MPFeedbackCommandEvent(target, isNegative: command.flag)
        case .play, .pause, .stop, .togglePlayPause, .nextTrack, .previousTrack: MPRemoteCommandEvent(target)
        }
    }

    /// The app's own of that identifier or tag, where it plays something with it.
    private func language(_ name: String) -> MPNowPlayingInfoLanguageOption {
        let groups = infoCenter.nowPlayingInfo?[MPNowPlayingInfoPropertyAvailableLanguageOptions]
        let options = (groups as? [MPNowPlayingInfoLanguageOptionGroup] ?? []).flatMap(\.languageOptions)
        return options.first { $0.identifier == name } ?? options.first { $0.languageTag == name }
            ?? MPNowPlayingInfoLanguageOption(
                type: .audible, languageTag: name, characteristics: nil, displayName: name, identifier: name)
    }

    /// The most that the daemon takes.
    private static let maximumPicture = 1 << 20

    func artwork(_ request: Baton_App_V1_MediaArtworkRequest) -> Baton_App_V1_MediaArtworkResult {
        let size = CGSize(width: CGFloat(request.width), height: CGFloat(request.height))
        guard let data = infoCenter.artwork(request.artwork)?.image(at: size)?.data, data.count <= Self.maximumPicture
        else { return .init() }
        return .with { $0.picture = data }
    }
}

extension Baton_Value_V1_MediaCommand {
    fileprivate var number: Int64 { Int64(exactly: value.rounded()) ?? 0 }
}
