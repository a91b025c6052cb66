import BatonCore
public import Foundation

/// The kind of a past call. Intents'.
public enum INCallRecordType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The person called.
    case outgoing = 1
    /// The call was missed.
    case missed = 2
    /// The person was called.
    case received = 3
    /// The last one.
    case latest = 4
    /// There is a message.
    case voicemail = 5
    /// It rings.
    case ringing = 6
    /// It goes on.
    case inProgress = 7
    /// It is held.
    case onHold = 8
}

/// Kinds of calls of the past. Intents'.
public struct INCallRecordTypeOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Options by Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The person called.
    public static let outgoing = Self(rawValue: 1)
    /// The call was missed.
    public static let missed = Self(rawValue: 2)
    /// The person was called.
    public static let received = Self(rawValue: 4)
    /// The last one.
    public static let latest = Self(rawValue: 8)
    /// There is a message.
    public static let voicemail = Self(rawValue: 16)
    /// It rings.
    public static let ringing = Self(rawValue: 32)
    /// It goes on.
    public static let inProgress = Self(rawValue: 64)
    /// It is held.
    public static let onHold = Self(rawValue: 128)
}

/// Which calls of the past are meant. Intents'.
public final class INCallRecordFilter: INIntentValue, @unchecked Sendable {
    /// The participants.
    public var participants: [INPerson]? { store.objects("participants") }
    /// Which kinds.
    public var callTypes: INCallRecordTypeOptions {
        INCallRecordTypeOptions(rawValue: UInt(clamping: store.integer("callTypes") ?? 0))
    }
    /// With a picture or without.
    public var callCapability: INCallCapability { store.option("callCapability", .unknown) }

    /// Calls of the past.
    public convenience init(
        participants: [INPerson]?, callTypes: INCallRecordTypeOptions, callCapability: INCallCapability
    ) {
        self.init(values: [:])
        store.set("participants", participants)
        store.set("callTypes", Int(clamping: callTypes.rawValue))
        store.set(option: "callCapability", callCapability)
    }
}

/// A call of the past. Intents'.
public final class INCallRecord: INIntentValue, @unchecked Sendable {
    /// The app's own identifier.
    public var identifier: String { store.string("identifier") ?? "" }
    /// When it was.
    public var dateCreated: Date? { store.date("dateCreated") }
    /// The person who called or was called.
    public var caller: INPerson? { store.object("caller") }
    /// The participants.
    public var participants: [INPerson]? { store.objects("participants") }
    /// Its kind.
    public var callRecordType: INCallRecordType { store.option("callRecordType", .unknown) }
    /// Whether it had a picture.
    public var callCapability: INCallCapability { store.option("callCapability", .unknown) }
    /// How long it was, in seconds.
    public var callDuration: Double? { store.real("callDuration") }
    /// Whether the person has not seen it.
    public var unseen: Bool? { store.boolean("unseen") }
    /// How many calls it stands for.
    public var numberOfCalls: Int? { store.integer("numberOfCalls") }
    /// Whether the person has blocked the caller.
    public var isCallerIdBlocked: Bool? { store.boolean("isCallerIdBlocked") }

    /// A call of the past.
    public convenience init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType, callCapability: INCallCapability,
        callDuration: Double?, unseen: Bool?, participants: [INPerson]? = nil, numberOfCalls: Int? = nil,
        isCallerIdBlocked: Bool? = nil
    ) {
        self.init(values: ["identifier": .string(identifier)])
        store.set("dateCreated", dateCreated)
        store.set(option: "callRecordType", callRecordType)
        store.set(option: "callCapability", callCapability)
        store.set("callDuration", callDuration)
        store.set("unseen", unseen)
        store.set("participants", participants)
        store.set("numberOfCalls", numberOfCalls)
        store.set("isCallerIdBlocked", isCallerIdBlocked)
    }

    /// A call of the past with one person.
    public convenience init(
        identifier: String, dateCreated: Date?, caller: INPerson?, callRecordType: INCallRecordType,
        callCapability: INCallCapability, callDuration: Double?, unseen: Bool?
    ) {
        self.init(
            identifier: identifier, dateCreated: dateCreated, callRecordType: callRecordType,
            callCapability: callCapability, callDuration: callDuration, unseen: unseen)
        store.set("caller", caller)
    }
}
