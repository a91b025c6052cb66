import BatonCore
public import Foundation

/// Which way an interaction went. Intents'.
public enum INInteractionDirection: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// From the one who uses the device.
    case outgoing = 1
    /// To the one who uses the device.
    case incoming = 2
}

/// Something that was done in an app: an intent, who took part, and how it went (P-51, P-52). Intents'.
///
/// Donate one for each event that has finished (P-54). The system then lists the app on the card of each of the persons, and
/// leads back into the app: the delegate is asked to continue an activity of which `NSUserActivity.interaction` is set (P-55).
///
/// The daemon keeps at most 2,000 interactions and 16 MiB of an app, and 64 KiB of one, without pictures, of which each has at
/// most 256 KiB; the oldest go. They go with the app, and with `CSSearchableIndex.deleteAllSearchableItems`. Nothing of them
/// leaves the device. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/ininteraction>
public final class INInteraction: INIntentValue, @unchecked Sendable {
    /// The action: a copy.
    public let intent: INIntent
    /// How it went: a copy; nil if not specified.
    public let intentResponse: INIntentResponse?

    /// An interaction that happens now.
    ///
    /// - Parameters:
    ///   - intent: what was done.
    ///   - response: how it went; nil if not specified.
    public convenience init(intent: INIntent, response: INIntentResponse?) {
        self.init(intent, response)
        store.set("identifier", UUID().uuidString)
        dateInterval = DateInterval(start: Date(), duration: 0)
    }

    init(_ intent: INIntent, _ response: INIntentResponse?, values: [String: PropertyValue] = [:]) {
        self.intent = intent.copy() as? INIntent ?? intent
        intentResponse = response.map { $0.copy() as? INIntentResponse ?? $0 }
        super.init(values: values)
    }

    /// How far it got, by the response's code.
    public var intentHandlingStatus: INIntentHandlingStatus { intentResponse?.handlingStatus ?? .unspecified }

    /// Which way it went; unspecified at first.
    public var direction: INInteractionDirection {
        get { store.option("direction", .unspecified) }
        set { store.set(option: "direction", newValue) }
    }

    /// When it happened, and how long it took; at first, now, and no time.
    public var dateInterval: DateInterval? {
        get {
            guard let start = store.date("start") else { return nil }
            return DateInterval(start: start, duration: max(0, store.real("duration") ?? 0))
        }
        set {
            store.set("start", newValue?.start)
            store.set("duration", newValue?.duration)
        }
    }

    /// Names it within the app; a new UUID at first. A donation with the same one takes its place.
    public var identifier: String {
        get { store.string("identifier") ?? "" }
        set { store.set("identifier", newValue) }
    }

    /// Names what can be deleted together; nil at first.
    public var groupIdentifier: String? {
        get { store.string("groupIdentifier") }
        set { store.set("groupIdentifier", newValue) }
    }

    /// A property of the intent by its name; nil where it has none.
    public func parameterValue(for parameter: INParameter) -> Any? {
        guard let name = parameter.parameterKeyPath.split(separator: ".").last else { return nil }
        return intent.parameter(String(name))
    }

    // MARK: Copies and archives

    required init(values: [String: PropertyValue]) {
        let part = Self.values(of: values["intent"]) ?? [:]
        intent = IntentClass.intent(values: part) ?? INUnknownIntent(values: part)
        intentResponse = Self.values(of: values["response"]).flatMap { IntentClass.response(values: $0) }
        super.init(values: values.filter { $0.key != "intent" && $0.key != "response" })
    }

    /// Reads what ``INIntentValue/encode(with:)`` wrote; nil for anything else.
    public required convenience init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        self.init(values: values)
    }

    override var values: [String: PropertyValue] {
        var values = store.values
        values["intent"] = IntentClass.marked(intent).value
        values["response"] = intentResponse.map { IntentClass.marked($0).value }
        return values
    }

    /// An interaction with the same properties, and copies of the intent and the response.
    public override func copy(with zone: NSZone? = nil) -> Any {
        INInteraction(intent, intentResponse, values: store.values)
    }
}

/// The name of a property of an intent. Intents'.
public final class INParameter: INIntentValue, @unchecked Sendable {
    /// The property's name, or several parted by periods.
    public var parameterKeyPath: String { store.string("keyPath") ?? "" }
    /// The class that has it, by its name.
    var className: String { store.string("class") ?? "" }

    /// A property.
    ///
    /// - Parameters:
    ///   - aClass: the intent's class.
    ///   - keyPath: the property's name, as in `recipients`.
    public convenience init(for aClass: AnyClass, keyPath: String) {
        self.init(values: ["class": .string("\(aClass)"), "keyPath": .string(keyPath)])
    }

    /// Whether both name the same property of the same class.
    public func isEqual(to parameter: INParameter) -> Bool { isEqual(parameter) }
}
