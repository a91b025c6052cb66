import Foundation

/// The bridge between `[AnyHashable: Any]` at the edge of the app library and ``PropertyValue`` everywhere else.
extension PropertyValue {
    /// - Throws: `invalid_argument` that names the path to the value that a `userInfo` cannot hold (H-23), or that
    ///   nests too deep.
    package init(any value: Any) throws(BatonError) {
        try self.init(any: value, path: "", depth: 0)
    }

    /// A whole `userInfo`; always a `dictionary`.
    package init(userInfo: [AnyHashable: Any]) throws(BatonError) {
        try self.init(any: userInfo, path: "", depth: 0)
    }

    private init(any value: Any, path: String, depth: Int) throws(BatonError) {
        guard depth <= Self.maximumDepth else {
            throw BatonError(
                .invalidArgument, reason: "nesting_too_deep",
                "The value at “\(path)” nests more than \(Self.maximumDepth) containers. Flatten it.")
        }
        if let scalar = Self.scalar(value) {
            self = scalar
            return
        }
        switch value {
        case let value as [Any]:
            var elements: [PropertyValue] = []
            elements.reserveCapacity(value.count)
            for (index, element) in value.enumerated() {
                elements.append(try PropertyValue(any: element, path: "\(path)[\(index)]", depth: depth + 1))
            }
            self = .array(elements)
        case let value as [AnyHashable: Any]:
            var entries: [PropertyValue: PropertyValue] = [:]
            entries.reserveCapacity(value.count)
            for (key, element) in value {
                let name = "\(path)/\(String(describing: key.base).prefix(40))"
                let key = try PropertyValue(any: key.base, path: "key \(name)", depth: depth + 1)
                entries[key] = try PropertyValue(any: element, path: name, depth: depth + 1)
            }
            self = .dictionary(entries)
        case let value as Set<AnyHashable>:
            var members: Set<PropertyValue> = []
            for member in value {
                members.insert(try PropertyValue(any: member.base, path: "\(path){}", depth: depth + 1))
            }
            self = .set(members)
        case let value as NSArray:
            self = try PropertyValue(any: Array(value) as [Any], path: path, depth: depth)
        case let value as NSSet:
            var members: Set<PropertyValue> = []
            for member in value {
                members.insert(try PropertyValue(any: member, path: "\(path){}", depth: depth + 1))
            }
            self = .set(members)
        case let value as NSDictionary:
            var entries: [PropertyValue: PropertyValue] = [:]
            for (key, element) in value {
                let name = "\(path)/\(String(describing: key).prefix(40))"
                let key = try PropertyValue(any: key, path: "key \(name)", depth: depth + 1)
                entries[key] = try PropertyValue(any: element, path: name, depth: depth + 1)
            }
            self = .dictionary(entries)
        case let value as AnyHashable where !(value.base is AnyHashable):
            // A value that was boxed for use as a key or set member.
            self = try PropertyValue(any: value.base, path: path, depth: depth + 1)
        default:
            throw BatonError(
                .invalidArgument, reason: "unsupported_value",
                "The value at “\(path.isEmpty ? "/" : path)” is of type \(type(of: value)). Only Array, Data, Date, "
                    + "Dictionary, NSNull, numbers, Bool, Set, String, URL and UUID can be carried.")
        }
    }

    /// Concrete types first: a cast of `1` to `Bool` or of `true` to `Int` through NSNumber must not happen.
    private static func scalar(_ value: Any) -> PropertyValue? {
        let type = type(of: value)
        if type == Bool.self, let value = value as? Bool { return .boolean(value) }
        if type == String.self, let value = value as? String { return .string(value) }
        if let value = value as? any FixedWidthInteger {
            if let small = Int64(exactly: value) { return .integer(small) }
            return UInt64(exactly: value).map(PropertyValue.unsignedInteger)
        }
        switch value {
        case let value as Double where type == Double.self: return .real(value)
        case let value as Float where type == Float.self: return .real(Double(value))
        case let value as Data: return .data(value)
        case let value as Date: return .date(value)
        case let value as URL: return .url(value)
        case let value as UUID: return .uuid(value)
        case is NSNull: return .null
        case let value as NSNumber: return number(value)
        case let value as NSString: return .string(String(describing: value))
        case let value as NSData: return .data(Data(referencing: value))
        case let value as NSDate:
            return .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
        case let value as NSURL: return URL(string: value.absoluteString).map(PropertyValue.url)
        case let value as NSUUID: return UUID(uuidString: value.uuidString).map(PropertyValue.uuid)
        case let value as any StringProtocol: return .string(String(value))
        default: return nil
        }
    }

    private static func number(_ value: NSNumber) -> PropertyValue {
        switch UnicodeScalar(UInt8(bitPattern: value.objCType.pointee)) {
        case "c" where value === NSNumber(value: true) || value === NSNumber(value: false), "B":
            .boolean(value.boolValue)
        case "f", "d": .real(value.doubleValue)
        case "Q", "I", "S", "L":
            Int64(exactly: value.uint64Value).map(PropertyValue.integer) ?? .unsignedInteger(value.uint64Value)
        default: .integer(value.int64Value)
        }
    }

    /// The value as Foundation's types: `Bool`, `Int`, `UInt64`, `Double`, `String`, `Data`, `Date`, `URL`, `UUID`,
    /// `NSNull`, `[Any]`, `Set<AnyHashable>` and `[AnyHashable: Any]`.
    package var any: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .unsignedInteger(let value): value
        case .real(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .url(let value): value
        case .uuid(let value): value
        case .array(let value): value.map(\.any)
        case .set(let value): Set(value.map(\.anyHashable))
        case .dictionary(let value): Self.userInfo(value)
        }
    }

    /// A `dictionary` as `userInfo`; nil for anything else.
    package var userInfo: [AnyHashable: Any]? {
        guard case .dictionary(let entries) = self else { return nil }
        return Self.userInfo(entries)
    }

    private static func userInfo(_ entries: [PropertyValue: PropertyValue]) -> [AnyHashable: Any] {
        // `1` and `1.0` are one key to AnyHashable though not to PropertyValue: the last one wins, as in NSDictionary.
        Dictionary(entries.map { ($0.key.anyHashable, $0.value.any) }, uniquingKeysWith: { $1 })
    }

    private var anyHashable: AnyHashable {
        switch self {
        case .null: NSNull()
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .unsignedInteger(let value): value
        case .real(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .url(let value): value
        case .uuid(let value): value
        case .array(let value): value.map(\.anyHashable)
        case .set(let value): Set(value.map(\.anyHashable))
        case .dictionary(let value):
            Dictionary(value.map { ($0.key.anyHashable, $0.value.anyHashable) }, uniquingKeysWith: { $1 })
        }
    }
}
