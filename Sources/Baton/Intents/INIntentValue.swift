import BatonCore
import BatonWire
public import Foundation
import SwiftProtobuf

// @unchecked: the only stored property is a constant, and what changes lies behind its lock.

/// The common part of the classes of Intents: properties by name, copies, and archives. Not Apple's, and not for use.
///
/// Safe to use from any thread.
public class INIntentValue: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let store: AttributeStore

    required init(values: [String: PropertyValue]) {
        store = AttributeStore(values)
        super.init()
    }

    /// Everything that is copied and archived.
    var values: [String: PropertyValue] { store.values }

    /// An object with the same properties.
    public func copy(with zone: NSZone? = nil) -> Any { type(of: self).init(values: values) }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes every property, in an archive of Baton's own.
    public func encode(with coder: NSCoder) { AttributeArchive.encode(values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        store = AttributeStore(values)
        super.init()
    }

    /// Objects are equal if they are of one class and their properties are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INIntentValue, type(of: other) == type(of: self) else { return false }
        return other === self || other.values == values
    }

    /// Equal objects have it in common.
    public override var hash: Int { values.hashValue }
}

extension INIntentValue {
    /// As a part of another object.
    var archived: PropertyValue {
        .dictionary(
            Dictionary(values.map { (PropertyValue.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
    }

    /// Nil for an invalid one.
    static func values(of value: PropertyValue?) -> [String: PropertyValue]? {
        guard case .dictionary(let entries)? = value else { return nil }
        var values: [String: PropertyValue] = [:]
        for (key, value) in entries {
            guard case .string(let name) = key else { return nil }
            values[name] = value
        }
        return values
    }
}

extension AttributeStore {
    func object<Object: INIntentValue>(_ name: String, _ type: Object.Type = Object.self) -> Object? {
        INIntentValue.values(of: self[name]).map { type.init(values: $0) }
    }

    func set(_ name: String, _ object: INIntentValue?) { self[name] = object?.archived }

    func objects<Object: INIntentValue>(_ name: String, _ type: Object.Type = Object.self) -> [Object]? {
        guard case .array(let values)? = self[name] else { return nil }
        return values.compactMap { INIntentValue.values(of: $0).map { type.init(values: $0) } }
    }

    func set(_ name: String, _ objects: [INIntentValue]?) { self[name] = objects.map { .array($0.map(\.archived)) } }

    func integer(_ name: String) -> Int? { number(name)?.intValue }
    func set(_ name: String, _ value: Int?) { self[name] = value.map { .integer(Int64($0)) } }

    func boolean(_ name: String) -> Bool? { if case .boolean(let value)? = self[name] { value } else { nil } }
    func set(_ name: String, _ value: Bool?) { self[name] = value.map(PropertyValue.boolean) }

    func set(_ name: String, _ value: Double?) { self[name] = value.map(PropertyValue.real) }

    /// The case with the stored number; another number, of a newer version, reads as the default.
    func option<Option: RawRepresentable>(_ name: String, _ standard: Option) -> Option where Option.RawValue == Int {
        integer(name).flatMap(Option.init) ?? standard
    }

    func set(option name: String, _ value: some RawRepresentable<Int>) { set(name, value.rawValue) }

    func components(_ name: String) -> DateComponents? {
        guard let values = INIntentValue.values(of: self[name]) else { return nil }
        let parts = AttributeStore(values)
        var components = DateComponents()
        (components.year, components.month, components.day) =
            (parts.integer("year"), parts.integer("month"), parts.integer("day"))
        (components.hour, components.minute, components.second) =
            (parts.integer("hour"), parts.integer("minute"), parts.integer("second"))
        components.timeZone = parts.string("timeZone").flatMap { TimeZone(identifier: $0) }
        return components
    }

    func set(_ name: String, _ components: DateComponents?) {
        guard let components else {
            self[name] = nil
            return
        }
        let parts = AttributeStore()
        parts.set("year", components.year)
        parts.set("month", components.month)
        parts.set("day", components.day)
        parts.set("hour", components.hour)
        parts.set("minute", components.minute)
        parts.set("second", components.second)
        parts.set("timeZone", components.timeZone?.identifier)
        self[name] = parts.archived
    }

    func decimal(_ name: String) -> NSDecimalNumber? {
        string(name).flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
            .map { NSDecimalNumber(decimal: $0) }
    }

    func set(_ name: String, decimal: NSDecimalNumber?) {
        set(name, decimal?.description(withLocale: Locale(identifier: "en_US_POSIX")))
    }

    func place(_ name: String) -> CLPlacemark? {
        INIntentValue.values(of: self[name]).map { CLPlacemark(values: $0) }
    }

    func set(_ name: String, _ place: CLPlacemark?) { self[name] = place?.store.archived }

    func places(_ name: String) -> [CLPlacemark]? {
        guard case .array(let values)? = self[name] else { return nil }
        return values.compactMap { INIntentValue.values(of: $0).map { CLPlacemark(values: $0) } }
    }

    func set(_ name: String, _ places: [CLPlacemark]?) { self[name] = places.map { .array($0.map(\.store.archived)) } }

    /// A new activity each time, since activities change.
    func activity(_ name: String) -> NSUserActivity? { data(name).flatMap(Self.activity) }

    func set(_ name: String, _ activity: NSUserActivity?) { set(name, activity.flatMap(Self.data)) }

    func activities(_ name: String) -> [NSUserActivity]? {
        guard case .array(let values)? = self[name] else { return nil }
        return values.compactMap { if case .data(let data) = $0 { Self.activity(data) } else { nil } }
    }

    func set(_ name: String, _ activities: [NSUserActivity]?) {
        self[name] = activities.map { .array($0.compactMap { Self.data($0).map(PropertyValue.data) }) }
    }

    static func activity(_ data: Data) -> NSUserActivity? {
        guard let payload = try? Baton_Value_V1_ActivityPayload(serializedBytes: Array(data)),
            let state = try? UserActivityState(received: payload, id: .random())
        else { return nil }
        return NSUserActivity(state: state, runtime: .current)
    }

    static func data(_ activity: NSUserActivity) -> Data? {
        let bytes: [UInt8]? = try? activity.snapshot.wirePayload.serializedBytes()
        return bytes.map { Data($0) }
    }

    /// As a part of another object.
    fileprivate var archived: PropertyValue {
        .dictionary(
            Dictionary(values.map { (PropertyValue.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
    }
}
