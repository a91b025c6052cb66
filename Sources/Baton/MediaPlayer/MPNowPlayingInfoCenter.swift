public import Foundation

/// The media that the app plays, for the desktop's media controls, for this person's other devices and for suggestions.
///
/// Set it when something begins, ends, pauses, goes on or jumps, and not every second: the position follows from
/// `MPNowPlayingInfoPropertyElapsedPlaybackTime` and the rate. May be used from any thread.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfocenter>
public final class MPNowPlayingInfoCenter: NSObject, Sendable {
    private struct Values {
        var info: [String: Any]?
        var state = MPNowPlayingPlaybackState.unknown
        var artwork: MPMediaItemArtwork?
        var artworkNumber: UInt64 = 0
        var measured = ContinuousClock.now
        var isUsed = false
    }

    private let values = UncheckedMutex(Values())
    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        super.init()
    }

    /// The app's centre, which is shared by all of it.
    public class func `default`() -> MPNowPlayingInfoCenter { AppRuntime.current.media.infoCenter }

    /// The media that play, by the keys of media items and of `MPNowPlayingInfoProperty…`; nil for none. Replaced as a whole,
    /// copied when it is set and read. Values of other types than the keys' own are passed over; texts are cut to 512 bytes.
    public var nowPlayingInfo: [String: Any]? {
        get { values.withLock { $0.info } }
        set {
            values.withLock { values in
                values.info = newValue
                values.measured = .now
                values.isUsed = true
                let artwork = newValue?[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork
                if artwork !== values.artwork {
                    values.artwork = artwork
                    values.artworkNumber += 1
                }
            }
            changed()
        }
    }

    /// Whether the app plays. ``MPNowPlayingPlaybackState/unknown``, as at first, means that the rate decides.
    public var playbackState: MPNowPlayingPlaybackState {
        get { values.withLock { $0.state } }
        set {
            values.withLock { values in
                values.state = newValue
                values.isUsed = true
            }
            changed()
        }
    }

    // MARK: For the daemon

    struct Snapshot {
        var info: [String: Any]
        var state: MPNowPlayingPlaybackState
        /// 0 without a picture.
        var artwork: UInt64
        /// Since the information was set.
        var age: Duration
    }

    /// Nil when nothing plays.
    var snapshot: Snapshot? {
        values.withLock { values in
            guard let info = values.info else { return nil }
            return Snapshot(
                info: info, state: values.state, artwork: values.artwork == nil ? 0 : values.artworkNumber,
                age: .now - values.measured)
        }
    }

    var isUsed: Bool { values.withLock { $0.isUsed } }

    /// - Returns: nil when another picture has taken its place.
    func artwork(_ number: UInt64) -> MPMediaItemArtwork? {
        values.withLock { $0.artworkNumber == number ? $0.artwork : nil }
    }
}
