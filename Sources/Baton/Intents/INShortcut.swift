import BatonCore
import BatonWire
public import Foundation
import SwiftProtobuf

// @unchecked: the stored properties are constants.

/// Something that an app can be asked to do: an intent or an activity. Intents'.
public final class INShortcut: NSObject, NSCopying, @unchecked Sendable {
    /// The intent; nil where it is an activity.
    public let intent: INIntent?
    /// The activity; nil where it is an intent.
    public let userActivity: NSUserActivity?

    /// A shortcut to an intent: a copy. Nil for one that names neither a person nor a thing.
    public init?(intent: INIntent) {
        guard !intent.values.isEmpty else { return nil }
        self.intent = intent.copy() as? INIntent ?? intent
        userActivity = nil
        super.init()
    }

    /// A shortcut to an activity.
    public init(userActivity: NSUserActivity) {
        intent = nil
        self.userActivity = userActivity
        super.init()
    }

    /// A shortcut does not change, so this is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Shortcuts are equal if they are to the same.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INShortcut else { return false }
        return other.intent == intent && other.userActivity === userActivity
    }

    /// Equal shortcuts have it in common.
    public override var hash: Int { intent?.hash ?? userActivity?.hash ?? 0 }

    var message: Baton_App_V1_OfferedShortcut {
        .with {
            if let intent { $0.intent = intent.message }
            if let userActivity { $0.activity = userActivity.snapshot.wirePayload }
        }
    }
}

/// A shortcut with a phrase that the person has recorded. Intents'. There are none here.
public final class INVoiceShortcut: NSObject, Sendable {
    /// Names it.
    public let identifier: UUID
    /// The phrase that the person says.
    public let invocationPhrase: String
    /// The action.
    public let shortcut: INShortcut

    init(identifier: UUID, invocationPhrase: String, shortcut: INShortcut) {
        self.identifier = identifier
        self.invocationPhrase = invocationPhrase
        self.shortcut = shortcut
        super.init()
    }
}

/// The shortcuts that an app suggests. Intents'.
public final class INVoiceShortcutCenter: NSObject, Sendable {
    /// The one there is.
    public static let shared = INVoiceShortcutCenter()

    override init() { super.init() }

    /// Replaces the shortcuts that the app suggests; none removes them. At most 100, which take at most 256 KiB together: more
    /// are not taken, and what was suggested stays. Without a daemon it has no effect.
    public func setShortcutSuggestions(_ suggestions: [INShortcut]) {
        let (runtime, messages) = (AppRuntime.current, suggestions.map(\.message))
        runtime.donations.perform(runtime, failing: .interactionOperationNotSupported, nil) {
            try await $0.offer(.suggested, messages)
        }
    }

    /// The shortcuts for which the person has recorded a phrase: none, for there is no way to record one here.
    ///
    /// - Parameter completionHandler: called once, asynchronously, on a serial queue.
    @preconcurrency
    public func getAllVoiceShortcuts(
        completion completionHandler: @escaping @Sendable ([INVoiceShortcut]?, (any Error)?) -> Void
    ) {
        AppRuntime.current.onCallbackQueue { completionHandler([], nil) }
    }

    /// The shortcuts for which the person has recorded a phrase: none.
    public func allVoiceShortcuts() async throws -> [INVoiceShortcut] { [] }

    /// One shortcut for which the person has recorded a phrase.
    ///
    /// - Parameter completionHandler: called once, asynchronously, on a serial queue, with
    ///   ``INIntentError/Code/voiceShortcutGetFailed``: there is none here.
    @preconcurrency
    public func getVoiceShortcut(
        with identifier: UUID,
        completion completionHandler: @escaping @Sendable (INVoiceShortcut?, (any Error)?) -> Void
    ) {
        AppRuntime.current.onCallbackQueue { completionHandler(nil, Self.none) }
    }

    /// One shortcut for which the person has recorded a phrase.
    public func voiceShortcut(for identifier: UUID) async throws -> INVoiceShortcut { throw Self.none }

    private static var none: INIntentError {
        INIntentError(.voiceShortcutGetFailed, "There is no such voice shortcut: none can be recorded here.")
    }
}
