public import Foundation

/// The lasting identifier of an item. MediaPlayer's.
public typealias MPMediaEntityPersistentID = UInt64

/// The kind of an item. MediaPlayer's.
public struct MPMediaType: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The types with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Music.
    public static let music = MPMediaType(rawValue: 1)
    /// An episode of a podcast.
    public static let podcast = MPMediaType(rawValue: 2)
    /// An audio book.
    public static let audioBook = MPMediaType(rawValue: 4)
    /// A lecture.
    public static let audioITunesU = MPMediaType(rawValue: 8)
    /// Anything to hear.
    public static let anyAudio = MPMediaType(rawValue: 0xFF)
    /// A film.
    public static let movie = MPMediaType(rawValue: 0x100)
    /// An episode of a series.
    public static let tvShow = MPMediaType(rawValue: 0x200)
    /// A podcast to see.
    public static let videoPodcast = MPMediaType(rawValue: 0x400)
    /// A music video.
    public static let musicVideo = MPMediaType(rawValue: 0x800)
    /// Anything to see.
    public static let anyVideo = MPMediaType(rawValue: 0xFF00)
    /// Anything.
    public static let any = MPMediaType(rawValue: ~0)
}

/// Something with properties that are read by their keys. MediaPlayer's. May be used from any thread.
public class MPMediaEntity: NSObject, @unchecked Sendable {
    // Never changed once it was made; the values are those of the app, which gives them away.
    let properties: [String: Any]

    init(properties: [String: Any]) {
        self.properties = properties
        super.init()
    }

    /// The value of a property; nil when it has none.
    public func value(forProperty property: String) -> Any? { properties[property] }

    /// Goes through the properties that have a value, in no particular order, until the block stops it.
    public func enumerateValues(
        forProperties properties: Set<String>, using block: (String, Any, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop = ObjCBool(false)
        for property in properties {
            guard let value = value(forProperty: property) else { continue }
            block(property, value, &stop)
            if stop.boolValue { return }
        }
    }

    /// Its lasting identifier; 0 when it has none.
    public var persistentID: MPMediaEntityPersistentID {
        (properties[MPMediaItemPropertyPersistentID] as? NSNumber)?.uint64Value
            ?? properties[MPMediaItemPropertyPersistentID] as? UInt64 ?? 0
    }
}
