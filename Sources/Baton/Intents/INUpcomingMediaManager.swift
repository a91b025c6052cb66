import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

/// From what media are predicted. Intents'.
public enum INUpcomingMediaPredictionMode: Int, Sendable {
    /// From what was played and what the app suggests.
    case `default` = 0
    /// Only from what the app suggests.
    case onlyPredictSuggestedIntents = 1
}

/// The media that an app suggests, which were not heard yet. Intents'.
public final class INUpcomingMediaManager: NSObject, Sendable {
    private struct State {
        var intents: [INPlayMediaIntent] = []
        var modes: [INMediaItemType: INUpcomingMediaPredictionMode] = [:]
    }

    /// The one there is.
    public static let shared = INUpcomingMediaManager()

    private let state = Mutex(State())

    override init() { super.init() }

    /// Replaces what the app suggests, the likeliest first; an empty set removes it. At most 100, which take at most 256 KiB
    /// together. Members of another class are left out.
    public func setSuggestedMediaIntents(_ intents: NSOrderedSet) {
        let media = intents.array.compactMap { $0 as? INPlayMediaIntent }
        state.withLock { $0.intents = media }
        send()
    }

    /// Says from what media of a type are predicted.
    public func setPredictionMode(_ mode: INUpcomingMediaPredictionMode, for type: INMediaItemType) {
        state.withLock { $0.modes[type] = mode }
        send()
    }

    private func send() {
        let (runtime, state) = (AppRuntime.current, state.withLock { $0 })
        let messages = state.intents.map { intent in Baton_App_V1_OfferedShortcut.with { $0.intent = intent.message } }
        let modes = Dictionary(
            state.modes.map { (Int32($0.key.rawValue), Int32($0.value.rawValue)) }, uniquingKeysWith: { $1 })
        runtime.donations.perform(runtime, failing: .interactionOperationNotSupported, nil) {
            try await $0.offer(.upcomingMedia, messages, modes: modes)
        }
    }
}
