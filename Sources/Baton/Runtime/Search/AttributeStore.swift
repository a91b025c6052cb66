import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// Properties by name, behind a lock: what the classes that only carry data keep their values in.
///
/// One object of it belongs to one object of the public class, so that the class is safe to use from any thread.
final class AttributeStore: Sendable {
    private struct State {
        var values: [String: PropertyValue]
        /// Names that were set to nil: an update of an item removes what they had.
        var cleared: Set<String> = []
        /// The app's values for keys of its own, by the names of their values.
        var keys: [String: CSCustomAttributeKey] = [:]
    }

    private let state: Mutex<State>

    init(_ values: [String: PropertyValue] = [:]) { state = Mutex(State(values: values)) }

    /// With the same values, and all that is known of them.
    init(copying store: AttributeStore) { state = Mutex(store.state.withLock { $0 }) }

    var values: [String: PropertyValue] {
        get { state.withLock { $0.values } }
        set { state.withLock { $0.values = newValue } }
    }

    var cleared: Set<String> { state.withLock { $0.cleared } }

    var keys: [CSCustomAttributeKey] { state.withLock { $0.keys.sorted { $0.key < $1.key }.map(\.value) } }

    func note(_ key: CSCustomAttributeKey) { state.withLock { $0.keys[key.storedName] = key } }

    subscript(name: String) -> PropertyValue? {
        get { state.withLock { $0.values[name] } }
        set {
            state.withLock { state in
                state.values[name] = newValue
                if newValue == nil { state.cleared.insert(name) } else { state.cleared.remove(name) }
            }
        }
    }

    func merge(_ values: [String: PropertyValue]) { state.withLock { $0.values.merge(values) { $1 } } }

    // MARK: By type. A value of another type, as only another device or an archive can bring it, reads as none.

    func string(_ name: String) -> String? { if case .string(let value)? = self[name] { value } else { nil } }
    func set(_ name: String, _ value: String?) { self[name] = value.map(PropertyValue.string) }

    func date(_ name: String) -> Date? { if case .date(let value)? = self[name] { value } else { nil } }
    func set(_ name: String, _ value: Date?) { self[name] = value.map(PropertyValue.date) }

    func url(_ name: String) -> URL? { if case .url(let value)? = self[name] { value } else { nil } }
    func set(_ name: String, _ value: URL?) { self[name] = value.map(PropertyValue.url) }

    func data(_ name: String) -> Data? { if case .data(let value)? = self[name] { value } else { nil } }
    func set(_ name: String, _ value: Data?) { self[name] = value.map(PropertyValue.data) }

    func number(_ name: String) -> NSNumber? {
        switch self[name] {
        case .boolean(let value)?: NSNumber(value: value)
        case .integer(let value)?: NSNumber(value: value)
        case .unsignedInteger(let value)?: NSNumber(value: value)
        case .real(let value)?: NSNumber(value: value)
        default: nil
        }
    }
    func set(_ name: String, _ value: NSNumber?) {
        self[name] = value.flatMap { try? PropertyValue(any: $0) }
    }

    func real(_ name: String) -> Double? {
        switch self[name] {
        case .real(let value)?: value
        case .integer(let value)?: Double(value)
        default: nil
        }
    }

    func strings(_ name: String) -> [String]? { list(name) { if case .string(let value) = $0 { value } else { nil } } }
    func set(_ name: String, _ values: [String]?) { self[name] = values.map { .array($0.map(PropertyValue.string)) } }

    func dates(_ name: String) -> [Date]? { list(name) { if case .date(let value) = $0 { value } else { nil } } }
    func set(_ name: String, _ values: [Date]?) { self[name] = values.map { .array($0.map(PropertyValue.date)) } }

    func persons(_ name: String) -> [CSPerson]? { list(name) { CSPerson($0) } }
    func set(_ name: String, _ values: [CSPerson]?) { self[name] = values.map { .array($0.map(\.value)) } }

    /// Lists by name, as headers of messages are.
    func lists(_ name: String) -> [String: [Any]]? {
        guard case .dictionary(let entries)? = self[name] else { return nil }
        var lists: [String: [Any]] = [:]
        for case (.string(let key), .array(let values)) in entries { lists[key] = values.map(\.any) }
        return lists
    }
    func set(_ name: String, _ lists: [String: [Any]]?) {
        self[name] = lists.map { lists in
            .dictionary(
                Dictionary(
                    lists.map { key, values in
                        (.string(key), .array(values.compactMap { try? PropertyValue(any: $0) }))
                    }, uniquingKeysWith: { $1 }))
        }
    }

    /// Nil when a member is of another type: half a list would be a false statement.
    private func list<Element>(_ name: String, _ element: (PropertyValue) -> Element?) -> [Element]? {
        guard case .array(let values)? = self[name] else { return nil }
        let elements = values.compactMap(element)
        return elements.count == values.count ? elements : nil
    }
}

// MARK: - In archives

/// How the classes that carry data write themselves into archives: the attributes as the protocol has them.
enum AttributeArchive {
    private static let key = "attributes"
    /// The most bytes of one archive that is read; more is refused rather than taken into memory.
    private static let limit = 16 << 20

    static func encode(_ attributes: [String: PropertyValue], with coder: NSCoder) {
        guard let bytes: [UInt8] = try? Baton_Value_V1_PropertyDictionary(attributes: attributes).serializedBytes()
        else { return }
        coder.encode(NSData(data: Data(bytes)), forKey: key)
    }

    static func decode(_ coder: NSCoder) -> [String: PropertyValue]? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key), data.length <= limit,
            let message = try? Baton_Value_V1_PropertyDictionary(serializedBytes: Array(Data(referencing: data)))
        else { return nil }
        return try? message.attributes()
    }
}
