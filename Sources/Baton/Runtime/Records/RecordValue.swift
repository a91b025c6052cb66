import Foundation

/// The value of a record's field: what CloudKit's value types have in common.
enum RecordValue: Sendable, Hashable {
    case string(String)
    case data(Data)
    case date(Date)
    case integer(Int64)
    case real(Double)
    case location(CLLocation)
    case reference(CKRecord.Reference)
    case asset(CKAsset)
    case list([RecordValue])

    /// Nil for what no field can hold: the problem as the end of a sentence.
    enum Conversion {
        case value(RecordValue)
        case problem(String)
    }

    /// From what the app has set: Swift's values and Foundation's objects.
    static func convert(_ any: Any, inList: Bool = false) -> Conversion {
        // A number of Foundation's would be taken for a Boolean or an integer where it is 1.0.
        if type(of: any) is AnyObject.Type, let number = any as? NSNumber { return convert(number) }
        if let value = scalar(any) { return .value(value) }
        switch any {
        case let number as UInt64: return .problem("\(number) is greater than Int64.max.")
        case let number as UInt: return .problem("\(number) is greater than Int64.max.")
        case let value as CLLocation: return .value(.location(value))
        case let value as CKRecord.Reference: return .value(.reference(value))
        case let value as CKAsset: return .value(.asset(value))
        case let array as [Any] where !inList: return list(array)
        case let array as NSArray where !inList: return list(array.map { $0 })
        default: return .problem("a \(type(of: any)) is not a value that a field can hold.")
        }
    }

    private static func scalar(_ any: Any) -> RecordValue? {
        switch any {
        case let value as String: .string(value)
        case let value as NSString: .string(String(describing: value))
        case let value as Data: .data(value)
        case let value as NSData: .data(Data(referencing: value))
        case let value as Date: .date(value)
        case let value as NSDate: .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
        default: number(any)
        }
    }

    private static func number(_ any: Any) -> RecordValue? {
        switch any {
        case let value as Bool: return .integer(value ? 1 : 0)
        case let value as Double: return .real(value)
        case let value as Float: return .real(Double(value))
        case let value as any BinaryInteger: return Int64(exactly: value).map { .integer($0) }
        default: return nil
        }
    }

    private static func convert(_ number: NSNumber) -> Conversion {
        switch String(cString: number.objCType) {
        case "d", "f": return .value(.real(number.doubleValue))
        case "Q" where number.uint64Value > UInt64(Int64.max):
            return .problem("\(number) is greater than Int64.max.")
        default: return .value(.integer(number.int64Value))
        }
    }

    private static func list(_ elements: [Any]) -> Conversion {
        var values: [RecordValue] = []
        for element in elements {
            switch convert(element, inList: true) {
            case .value(let value): values.append(value)
            case .problem(let problem): return .problem(problem)
            }
        }
        return .value(.list(values))
    }

    // MARK: To the app

    /// As Foundation's objects, from which `as?` leads to Swift's values.
    var object: any __CKRecordObjCValue {
        switch self {
        case .string(let value): NSString(string: value)
        case .data(let value): NSData(data: value)
        case .date(let value): NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .location(let value): value
        case .reference(let value): value
        case .asset(let value): value
        case .list(let values): NSArray(array: values.map { $0.swiftValue })
        }
    }

    /// As Swift has it.
    var swiftValue: Any {
        switch self {
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .integer(let value): value
        case .real(let value): value
        case .location(let value): value
        case .reference(let value): value
        case .asset(let value): value
        case .list(let values): values.map(\.swiftValue)
        }
    }

    /// As the type that the app asks for; nil if it is of another kind, or out of that type's range.
    func value<Value: CKRecordValueProtocol>(as type: Value.Type) -> Value? {
        if let elements = type as? any RecordListType.Type {
            guard case .list(let values) = self else { return nil }
            return elements.make(values) as? Value
        }
        switch self {
        case .integer(let value):
            if type is Bool.Type { return (value != 0) as? Value }
            if let integer = type as? any (CKRecordValueProtocol & FixedWidthInteger).Type {
                return Self.exactly(value, integer) as? Value
            }
            if type is Double.Type { return Double(value) as? Value }
            if type is Float.Type { return Float(value) as? Value }
        case .real(let value):
            if type is Float.Type { return Float(value) as? Value }
            if let integer = type as? any (CKRecordValueProtocol & FixedWidthInteger).Type {
                return Int64(exactly: value).flatMap { Self.exactly($0, integer) as? Value }
            }
            if type is Bool.Type { return (value != 0) as? Value }
        default: break
        }
        return (swiftValue as? Value) ?? (object as? Value)
    }

    private static func exactly<Integer: FixedWidthInteger>(_ value: Int64, _ type: Integer.Type) -> Integer? {
        Integer(exactly: value)
    }

    /// The values inside.
    var leaves: [RecordValue] {
        if case .list(let values) = self { values } else { [self] }
    }

    /// Bytes that count for a record's limit: an asset's do not.
    var byteCount: Int {
        switch self {
        case .string(let value): value.utf8.count
        case .data(let value): value.count
        case .date, .integer, .real: 8
        case .location: 64
        case .reference(let value): value.recordID.recordName.utf8.count + value.recordID.zoneID.zoneName.utf8.count
        case .asset: 0
        case .list(let values): values.reduce(0) { $0 + $1.byteCount }
        }
    }
}

/// Arrays, as a type that can be asked for.
protocol RecordListType {
    static func make(_ values: [RecordValue]) -> Any?
}

extension Array: RecordListType where Element: CKRecordValueProtocol {
    static func make(_ values: [RecordValue]) -> Any? {
        let elements = values.compactMap { $0.value(as: Element.self) }
        return elements.count == values.count ? elements : nil
    }
}
