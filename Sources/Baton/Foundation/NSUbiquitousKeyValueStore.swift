import AppLink
import BatonCore
public import Foundation

/// Small amounts of data that an app shares between a person's devices, such as the page that was read last (K-1). Not for
/// backing data up.
///
/// Every process of an app has a copy in memory: reading never waits for a device or a server (K-11), but for the first
/// use, which loads the copy from the daemon. A value that was set is read at once, and goes to the daemon in the
/// background; it is on the disk when ``synchronize()`` has returned true (K-9). Other processes of the app and, through
/// the account, other devices have it soon after. When several devices change one key, the change that was made last wins
/// on all (K-18). Each set is taken whole or not at all.
///
/// An installed app has a store if its entitlements have `com.apple.developer.ubiquity-kvstore-identifier`: apps of one
/// team with one identifier share a store. Without it nothing is kept, nothing is read, and ``synchronize()`` is false. An
/// unsigned program in development has a store under its bundle identifier. While no account is signed in, values stay on this
/// device, and are reconciled with the account's at sign-in. Without a daemon values stay in this process until one runs.
///
/// A store holds 64 KiB in values of at most 64 KiB, under keys of at most 64 bytes (K-2 to K-4), the limits of iOS 5. An
/// app whose `Info.plist` has `BatonKeyValueLimits` = `present` gets those of today's systems: 1 MiB, values of 1 MiB,
/// 1024 keys of 128 UTF-16 units; with `intermediate` keys have at most 64 bytes. A value for which there is no room is not
/// set: the previous one stays, and the app is notified (K-5, K-17). A key that is too long is a mistake of the program, as is a
/// value that no property list can hold (K-6): it goes to ``BatonExceptions/handler``, and changes nothing. Two spellings of one
/// text (composed and decomposed) are one key.
///
/// Safe to use from any thread. A caller that waits holds its thread, whichever it is, and never needs another one of the
/// cooperative pool or the main thread.
//
// @unchecked: the only stored property is a constant that is Sendable. A subclass that stores more must keep that up.
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    private let client: KeyValueClient

    /// The app's store (K-7).
    open class var `default`: NSUbiquitousKeyValueStore { AppRuntime.current.keyValueStore }

    /// Another object for the app's store. Notifications name ``default`` as their object.
    public override convenience init() { self.init(client: AppRuntime.current.keyValues) }

    init(client: KeyValueClient) {
        self.client = client
        super.init()
    }

    /// Posted to the default notification centre when values have changed that this process did not set (K-14), or could
    /// not be set; the object is ``default``.
    ///
    /// `userInfo` holds why, under ``NSUbiquitousKeyValueStoreChangeReasonKey``, and the keys whose values are others now,
    /// under ``NSUbiquitousKeyValueStoreChangedKeysKey`` (K-15). The new values can be read already.
    ///
    /// Posted on a serial queue of the library, never on the main thread, whose queue not every program runs: observe with
    /// `addObserver(forName:object:queue:using:)` and the main operation queue, or hop to the main actor, before the
    /// interface is touched. A change by another process of the app on this device is announced with the reason
    /// ``NSUbiquitousKeyValueStoreServerChange`` too, since it comes from outside of this process. Register before the first
    /// use of ``default``.
    public class var didChangeExternallyNotification: NSNotification.Name {
        NSNotification.Name("NSUbiquitousKeyValueStoreDidChangeExternallyNotification")
    }

    // MARK: Reading

    /// The value of a key: a string, number, Boolean, date, data, array or dictionary; nil when there is none.
    open func object(forKey aKey: String) -> Any? { value(aKey)?.propertyList }

    /// Nil when the key has no value, or one of another kind.
    open func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }

    /// Nil when the key has no value, or one of another kind.
    open func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }

    /// Nil when the key has no value, or one of another kind.
    open func dictionary(forKey aKey: String) -> [String: Any]? { object(forKey: aKey) as? [String: Any] }

    /// Nil when the key has no value, or one of another kind.
    open func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }

    /// 0 when the key has no value, or one that is no number. A fraction is cut off; what does not fit is the nearest number
    /// that does.
    open func longLong(forKey aKey: String) -> Int64 {
        switch value(aKey) {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsignedInteger: .max
        case .real(let value): Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
        default: 0
        }
    }

    /// 0 when the key has no value, or one that is no number.
    open func double(forKey aKey: String) -> Double {
        switch value(aKey) {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsignedInteger(let value): Double(value)
        case .real(let value): value
        default: 0
        }
    }

    /// False when the key has no value, or one that is no number; true for any number but 0.
    open func bool(forKey aKey: String) -> Bool {
        switch value(aKey) {
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .unsignedInteger: true
        case .real(let value): value != 0
        default: false
        }
    }

    /// Every key and its value.
    open var dictionaryRepresentation: [String: Any] {
        client.read(\.values).mapValues(\.propertyList)
    }

    private func value(_ key: String) -> PropertyValue? {
        client.read { $0.value(forKey: KeyValueLimits.canonical(key)) }
    }

    // MARK: Writing

    /// Sets what a property list can hold; nil removes the key.
    open func set(_ anObject: Any?, forKey aKey: String) {
        guard let anObject else { return removeObject(forKey: aKey) }
        do throws(BatonError) {
            let value = try PropertyValue(any: anObject)
            if let problem = value.propertyListProblem {
                return BatonExceptions.raiseInvalidArgument(
                    "NSUbiquitousKeyValueStore cannot keep the value for “\(aKey.prefix(64))”: it holds \(problem). Only "
                        + "strings, numbers, Booleans, dates, data, arrays, and dictionaries with strings as keys can be kept."
                )
            }
            store(value, aKey)
        } catch {
            BatonExceptions.raiseInvalidArgument(
                "NSUbiquitousKeyValueStore cannot keep the value for “\(aKey.prefix(64))”. \(error.message)")
        }
    }

    /// Sets a text; nil removes the key.
    open func set(_ aString: String?, forKey aKey: String) { store(aString.map(PropertyValue.string), aKey) }

    /// Sets bytes; nil removes the key.
    open func set(_ aData: Data?, forKey aKey: String) { store(aData.map(PropertyValue.data), aKey) }

    /// Sets an array of what a property list can hold; nil removes the key.
    open func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray.map { $0 as Any }, forKey: aKey) }

    /// Sets a dictionary of what a property list can hold; nil removes the key.
    open func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
        set(aDictionary.map { $0 as Any }, forKey: aKey)
    }

    /// Sets a whole number.
    open func set(_ value: Int64, forKey aKey: String) { store(.integer(value), aKey) }

    /// Sets a number.
    open func set(_ value: Double, forKey aKey: String) { store(.real(value), aKey) }

    /// Sets a Boolean.
    open func set(_ value: Bool, forKey aKey: String) { store(.boolean(value), aKey) }

    /// Removes the key and its value (K-13).
    open func removeObject(forKey aKey: String) { store(nil, aKey) }

    private func store(_ value: PropertyValue?, _ key: String) {
        let key = KeyValueLimits.canonical(key)
        if let problem = client.read(\.limits).problem(ofKey: key) {
            return BatonExceptions.raiseInvalidArgument(
                "NSUbiquitousKeyValueStore cannot use a key. \(problem.message)")
        }
        if !client.write(value, forKey: key) { client.announce([.quotaViolation: [key]]) }
    }

    /// Waits until everything that was set is on this device's disk, and what other processes of the app have put there is
    /// read here (K-8, K-9). Does not send anything to other devices: that happens in the background, on its own schedule
    /// (K-12).
    ///
    /// Call it when the app starts, after registering for ``didChangeExternallyNotification``, and where a value must not be
    /// lost if the process ends at once.
    ///
    /// - Returns: false when the app has no store, or there is no daemon that answers; what was set then stays in this
    ///   process until one does.
    @discardableResult
    open func synchronize() -> Bool { client.synchronize() }
}

extension PropertyValue {
    /// As Foundation has property lists: dictionaries with strings as keys.
    fileprivate var propertyList: Any {
        switch self {
        case .array(let values): values.map(\.propertyList)
        case .dictionary(let entries):
            entries.reduce(into: [String: Any]()) { dictionary, entry in
                if case .string(let key) = entry.key { dictionary[key] = entry.value.propertyList }
            }
        default: any
        }
    }

    /// Why no property list can hold it; nil when one can.
    fileprivate var propertyListProblem: String? {
        switch self {
        case .boolean, .integer, .unsignedInteger, .real, .string, .data: nil
        case .date(let date): date.timeIntervalSinceReferenceDate.isFinite ? nil : "a date that is not finite"
        case .null: "NSNull"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .set: "a set"
        case .array(let values): values.lazy.compactMap(\.propertyListProblem).first
        case .dictionary(let entries):
            entries.lazy.compactMap { key, value in
                if case .string = key {
                    value.propertyListProblem
                } else {
                    "a dictionary whose keys are not all strings"
                }
            }.first
        }
    }
}
