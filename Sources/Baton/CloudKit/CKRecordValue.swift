public import Foundation

// swift-format-ignore: NoLeadingUnderscores
/// The objects that a field can hold: `NSString`, `NSNumber`, `NSData`, `NSDate`, `NSArray`, `CKAsset`, `CLLocation` and
/// `CKRecord.Reference`. CloudKit's; do not conform to it. Swift's values are among them, since Linux bridges none with `as`.
public protocol __CKRecordObjCValue {}

/// A value that a field can hold, as an object. CloudKit's.
public typealias CKRecordValue = __CKRecordObjCValue

/// The values that a field can hold. CloudKit's; do not conform to it.
public protocol CKRecordValueProtocol {}

extension NSString: __CKRecordObjCValue, CKRecordValueProtocol {}
extension NSNumber: __CKRecordObjCValue, CKRecordValueProtocol {}
extension NSData: __CKRecordObjCValue, CKRecordValueProtocol {}
extension NSDate: __CKRecordObjCValue, CKRecordValueProtocol {}
extension NSArray: __CKRecordObjCValue, CKRecordValueProtocol {}
extension CKAsset: __CKRecordObjCValue, CKRecordValueProtocol {}
extension CKRecord.Reference: __CKRecordObjCValue, CKRecordValueProtocol {}
extension CLLocation: __CKRecordObjCValue, CKRecordValueProtocol {}

extension String: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Date: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Data: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Bool: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Double: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Float: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Int: __CKRecordObjCValue, CKRecordValueProtocol {}
extension UInt: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Int8: __CKRecordObjCValue, CKRecordValueProtocol {}
extension UInt8: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Int16: __CKRecordObjCValue, CKRecordValueProtocol {}
extension UInt16: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Int32: __CKRecordObjCValue, CKRecordValueProtocol {}
extension UInt32: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Int64: __CKRecordObjCValue, CKRecordValueProtocol {}
extension UInt64: __CKRecordObjCValue, CKRecordValueProtocol {}
extension Array: __CKRecordObjCValue, CKRecordValueProtocol where Element: CKRecordValueProtocol {}

/// Something with fields: a record, or its encrypted values. CloudKit's.
///
/// A value that no field can hold is a mistake of the program: it goes to ``BatonExceptions/handler``, and the field stays as it was.
/// Setting nil removes a field. Reading as another type than the value has gives nil; numbers are read as any type of number that
/// has room for them.
public protocol CKRecordKeyValueSetting: AnyObject {
    /// A field's value as an object: a number as `NSNumber`, and so on.
    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)?
    /// Sets or removes a field.
    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey)
    /// The keys of the fields that have a value.
    func allKeys() -> [CKRecord.FieldKey]
    /// The keys of the fields that were set or removed since the record was fetched or saved.
    func changedKeys() -> [CKRecord.FieldKey]
    // swift-format-ignore: NoLeadingUnderscores
    /// Machinery of the subscripts.
    var _fields: CKRecordFields { get }
}

extension CKRecordKeyValueSetting {
    /// A field's value as a type that the context asks for.
    public subscript<T: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> T? {
        get { _fields.value(key)?.value(as: T.self) }
        set { _fields.set(newValue, key) }
    }

    /// A field's value, of a kind that is asked for with `as?`.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { _fields.value(key)?.object as? any CKRecordValueProtocol }
        set { _fields.set(newValue, key) }
    }

    /// A field's value as an object.
    @_disfavoredOverload
    public subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    /// A field's value as an object: a number as `NSNumber`, and so on.
    public func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { _fields.value(key)?.object }

    /// Sets or removes a field.
    public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
        _fields.set(object, key)
    }

    /// Sets or removes a field.
    public func setValue(_ value: Any?, forKey key: CKRecord.FieldKey) { _fields.set(value, key) }

    /// Sets or removes several fields; `NSNull` removes.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// A field's value as an object.
    public func value(forKey key: CKRecord.FieldKey) -> Any? { object(forKey: key) }

    /// The keys of the fields that have a value, sorted.
    public func allKeys() -> [CKRecord.FieldKey] { _fields.keys }

    /// The keys of the fields that were set or removed since the record was fetched or saved, sorted.
    public func changedKeys() -> [CKRecord.FieldKey] { _fields.changedKeys }
}

/// One of the two sets of fields of a record. Machinery: apps use the subscripts.
public struct CKRecordFields: Sendable {
    let record: CKRecord
    let isEncrypted: Bool

    func value(_ key: String) -> RecordValue? {
        record.withState { $0.content[isEncrypted].values[key] }
    }

    func set(_ any: Any?, _ key: String) {
        guard !key.isEmpty, key.utf8.count <= RecordNames.maximumLength, key.utf8.allSatisfy({ $0 < 0x80 }) else {
            return BatonExceptions.raiseInvalidArgument(
                "CKRecord cannot have a field “\(key.prefix(64))”: a key is 1 to \(RecordNames.maximumLength) ASCII characters."
            )
        }
        var value: RecordValue?
        if let any {
            switch RecordValue.convert(any) {
            case .value(let converted): value = converted
            case .problem(let problem):
                return BatonExceptions.raiseInvalidArgument("CKRecord cannot keep a value for “\(key)”: \(problem)")
            }
        }
        if isEncrypted, let value, value.leaves.contains(where: \.isLink) {
            return BatonExceptions.raiseInvalidArgument(
                "encryptedValues cannot hold “\(key)”: references and assets are set in the record itself.")
        }
        record.withState { state in
            state.content[isEncrypted].values[key] = value
            state.changed[isEncrypted].insert(key)
        }
    }

    var keys: [String] { record.withState { $0.content[isEncrypted].values.keys.sorted() } }
    var changedKeys: [String] { record.withState { $0.changed[isEncrypted].sorted() } }
}

extension RecordValue {
    fileprivate var isLink: Bool {
        switch self {
        case .reference, .asset: true
        default: false
        }
    }
}
