import BatonCore
public import Foundation

/// Something that can be said. Intents'.
public protocol INSpeakable: NSObjectProtocol {
    /// The text that is spoken.
    var spokenPhrase: String { get }
    /// How it is said.
    var pronunciationHint: String? { get }
    /// The app's own identifier.
    var vocabularyIdentifier: String? { get }
    /// Others that may be meant.
    var alternativeSpeakableMatches: [any INSpeakable]? { get }
}

/// A text that can be said, as the name of a group. Intents'.
public final class INSpeakableString: INIntentValue, INSpeakable, @unchecked Sendable {
    /// The text that is spoken.
    public var spokenPhrase: String { store.string("spokenPhrase") ?? "" }
    /// How it is said.
    public var pronunciationHint: String? { store.string("pronunciationHint") }
    /// The app's own identifier.
    public var vocabularyIdentifier: String? { store.string("vocabularyIdentifier") }
    /// None.
    public var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    /// A text.
    public convenience init(spokenPhrase: String) {
        self.init(values: ["spokenPhrase": .string(spokenPhrase)])
    }

    /// A text with an identifier of the app's, and how it is said.
    public convenience init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.init(spokenPhrase: spokenPhrase)
        store.set("vocabularyIdentifier", vocabularyIdentifier)
        store.set("pronunciationHint", pronunciationHint)
    }
}
