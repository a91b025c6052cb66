import BatonCore

/// Something of the app's as a parameter of an intent of its own: a dish, a list, a device. Intents'.
///
/// Baton has no intents of the app's own, whose classes Apple's tools make: such an object is a value with a name, which the app keeps,
/// copies and archives, and no class derives from it. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/inobject>
public final class INObject: INIntentValue, INSpeakable, @unchecked Sendable {
    /// The app's own identifier; nil where it needs none.
    public var identifier: String? { store.string("identifier") }
    /// The name, as it is shown.
    public var displayString: String { store.string("displayString") ?? "" }
    /// How the name is said.
    public var pronunciationHint: String? { store.string("pronunciationHint") }

    /// A second line, in smaller letters; nil at first.
    public var subtitleString: String? {
        get { store.string("subtitleString") }
        set { store.set("subtitleString", newValue) }
    }

    /// A picture; nil at first.
    public var displayImage: INImage? {
        get { store.object("displayImage") }
        set { store.set("displayImage", newValue) }
    }

    /// Other names of the same; nil at first. Each is kept as an ``INSpeakableString``.
    public var alternativeSpeakableMatches: [any INSpeakable]? {
        get { store.objects("alternativeSpeakableMatches", INSpeakableString.self) }
        set { store.set("alternativeSpeakableMatches", newValue?.map { INSpeakableString(copying: $0) }) }
    }

    /// Sets other names of the same, or removes them. The older form.
    public func setAlternativeSpeakableMatches(_ alternativeSpeakableMatches: [INSpeakableString]?) {
        self.alternativeSpeakableMatches = alternativeSpeakableMatches
    }

    // MARK: INSpeakable

    /// The name.
    public var spokenPhrase: String { displayString }
    /// The app's own identifier.
    public var vocabularyIdentifier: String? { identifier }

    // MARK: Initializers

    /// An object.
    ///
    /// - Parameters:
    ///   - identifier: of the app's, by which it finds the thing again.
    ///   - displayString: the name.
    ///   - pronunciationHint: how the name is said.
    public convenience init(identifier: String?, display displayString: String, pronunciationHint: String?) {
        self.init(values: ["displayString": .string(displayString)])
        store.set("identifier", identifier)
        store.set("pronunciationHint", pronunciationHint)
    }

    /// An object with a name.
    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    /// An object with a name, a second line and a picture.
    public convenience init(
        identifier: String?, display displayString: String, subtitle subtitleString: String?,
        image displayImage: INImage?
    ) {
        self.init(
            identifier: identifier, display: displayString, pronunciationHint: nil, subtitle: subtitleString,
            image: displayImage)
    }

    /// An object with all that there is.
    public convenience init(
        identifier: String?, display displayString: String, pronunciationHint: String?,
        subtitle subtitleString: String?, image displayImage: INImage?
    ) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: pronunciationHint)
        self.subtitleString = subtitleString
        self.displayImage = displayImage
    }
}

extension INSpeakableString {
    fileprivate convenience init(copying other: any INSpeakable) {
        self.init(spokenPhrase: other.spokenPhrase)
        store.set("vocabularyIdentifier", other.vocabularyIdentifier)
        store.set("pronunciationHint", other.pronunciationHint)
    }
}
