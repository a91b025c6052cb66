import BatonCore
import Foundation
import MetadataQuery

/// A query as the replica answers it: which records of a zone it finds, and in which order. No I/O.
struct RecordQuery {
    /// A record that was found, with what its place in the order needs.
    struct Hit {
        var id: CKRecord.ID
        /// The values of the sort descriptors' keys, as Foundation has them.
        fileprivate var entries: [String: Any] = [:]
        fileprivate var number = 0
    }

    private let recordType: String
    private let condition: MetadataPredicate
    private let descriptors: [NSSortDescriptor]
    private let sortKeys: Set<String>
    /// The fields that it looks at; nil for all.
    let keys: [String]?

    /// - Throws: `CKError.invalidArguments` for what CloudKit's queries do not have.
    init(_ query: CKQuery) throws(CKError) {
        recordType = query.recordType
        condition = try Self.condition(of: query.predicate)
        descriptors = query.sortDescriptors ?? []
        var sortKeys: Set<String> = []
        for descriptor in descriptors {
            guard let key = descriptor.key else {
                throw Self.refusal("Make sort descriptors by the name of a field, not by a key path of Swift's.")
            }
            sortKeys.insert(key)
        }
        self.sortKeys = sortKeys
        keys = Self.fields(of: condition).map { $0.union(sortKeys).sorted() }
    }

    /// Checks a predicate that is not evaluated here.
    static func check(_ predicate: NSPredicate) throws(CKError) { _ = try condition(of: predicate) }

    // MARK: Finding

    /// Nil for a record that the query does not find.
    func hit(_ record: CKRecord, number: Int) -> Hit? {
        guard record.recordType == recordType else { return nil }
        let subject = Subject(record: record)
        guard condition.evaluate(with: subject) else { return nil }
        var hit = Hit(id: record.recordID, number: number)
        for key in sortKeys { hit.entries[key] = subject.sortValue(of: key) }
        return hit
    }

    /// In the order of the sort descriptors, and in the order of the numbers where those say nothing.
    func sorted(_ hits: [Hit]) -> [CKRecord.ID] {
        let sorted = hits.sorted { left, right in
            for descriptor in descriptors {
                switch descriptor.compare(left.entries, to: right.entries) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left.number < right.number
        }
        return sorted.map(\.id)
    }

    private struct Subject: PredicateSubject {
        let record: CKRecord

        func value(forAttribute name: String) -> PropertyValue? {
            let field = record.withState { $0.content[false].values[name] }
            return field.map(Self.value) ?? systemValue(name)
        }

        /// The words of its texts.
        var ownValue: PropertyValue? { .array(record.allTokens().map(PropertyValue.string)) }

        func sortValue(of key: String) -> Any? {
            if let field = record.withState({ $0.content[false].values[key] }) {
                if case .reference(let value) = field { return RecordQuery.data(of: value.recordID) }
                return field.swiftValue
            }
            return switch systemValue(key) {
            case .date(let date): date
            case .data(let data): data
            default: nil
            }
        }

        private func systemValue(_ name: String) -> PropertyValue? {
            let system = record.withState(\.system)
            let id: CKRecord.ID? =
                switch name {
                case "recordID", "___recordID": system.recordID
                case "creatorUserRecordID", "___createdBy": system.creator
                case "lastModifiedUserRecordID", "___modifiedBy": system.modifier
                case "parent", "___parent": record.parent?.recordID
                default: nil
                }
            if let id { return .data(RecordQuery.data(of: id)) }
            return switch name {
            case "creationDate", "___createTime": system.created.map(PropertyValue.date)
            case "modificationDate", "___modTime": system.modified.map(PropertyValue.date)
            default: nil
            }
        }

        private static func value(_ value: RecordValue) -> PropertyValue {
            switch value {
            case .string(let value): .string(value)
            case .data(let value): .data(value)
            case .date(let value): .date(value)
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .reference(let value): .data(RecordQuery.data(of: value.recordID))
            case .list(let values): .array(values.map(Self.value))
            case .location, .asset: .null
            }
        }
    }

    // MARK: References

    /// A record's name as a value that predicates compare. No field of an app's has such bytes.
    fileprivate static func data(of id: CKRecord.ID) -> Data {
        Data("CKRecord.ID\0\(id.zoneID.ownerName)\0\(id.zoneID.zoneName)\0\(id.recordName)".utf8)
    }

    /// The argument of a predicate's format: records, their names and references to them become values that are compared.
    static func argument(_ any: Any) -> Any {
        switch ValueOrder.unwrapped(any) {
        case let id as CKRecord.ID: data(of: id)
        case let reference as CKRecord.Reference: data(of: reference.recordID)
        case let record as CKRecord: data(of: record.recordID)
        case let list as [Any] where list.contains { $0 is CKRecord.ID || $0 is CKRecord.Reference || $0 is CKRecord }:
            list.map(argument)
        default: any
        }
    }
}

// MARK: - Predicates

extension RecordQuery {
    private static let maximumDepth = 64

    private static func refusal(_ advice: String) -> CKError {
        CKError(.invalidArguments, "CloudKit's queries do not have this. \(advice)")
    }

    private static func condition(
        of predicate: NSPredicate, depth: Int = 0
    ) throws(CKError) -> MetadataPredicate {
        guard depth < maximumDepth else { throw refusal("A predicate may nest \(maximumDepth) deep: flatten it.") }
        switch predicate {
        case let predicate as FormatPredicate:
            if let problem = predicate.problem {
                throw CKError(.invalidArguments, "The format of the predicate is wrong. \(problem.message)")
            }
            return try checked(predicate.parsed)
        case let predicate as NSCompoundPredicate:
            var parts: [MetadataPredicate] = []
            for part in predicate.subpredicates {
                parts.append(try condition(of: part, depth: depth + 1))
            }
            switch predicate.compoundPredicateType {
            case .and: return .and(parts)
            case .not:
                guard let part = parts.first, parts.count == 1 else { throw refusal("NOT has one condition.") }
                return .not(part)
            case .or: throw noOr
            }
        default:
            // Foundation says in no other way that it is a constant.
            if predicate.isEqual(NSPredicate(value: true)) { return .constant(true) }
            if predicate.isEqual(NSPredicate(value: false)) { return .constant(false) }
            throw refusal("Make the predicate by a format, such as NSPredicate(format: \"title == %@\", title).")
        }
    }

    private static var noOr: CKError { refusal("OR joins no conditions: send a query for each, or use IN.") }

    private static func checked(_ predicate: MetadataPredicate) throws(CKError) -> MetadataPredicate {
        switch predicate {
        case .constant: return predicate
        case .comparison(let comparison): return try checked(comparison)
        case .and(let parts):
            return .and(try parts.map { part throws(CKError) in try checked(part) })
        case .not(let part): return .not(try checked(part))
        case .or: throw noOr
        }
    }

    private static func checked(_ comparison: PredicateComparison) throws(CKError) -> MetadataPredicate {
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .contains, .within,
            .between:
            break
        case .endsWith, .like, .matches:
            throw refusal("\(comparison.operator.rawValue) is no operator of theirs: compare with BEGINSWITH or ==.")
        }
        switch comparison.modifier {
        case .direct, .any: break
        case .all, .none:
            throw refusal("\(comparison.modifier.rawValue) is no word of theirs: use ANY, or NOT and ANY.")
        }
        if comparison.left == .evaluatedObject { return try tokens(comparison) }
        for operand in [comparison.left, comparison.right] {
            switch operand {
            case .constant: break
            case .keyPath(let path) where !path.contains("."): break
            case .keyPath(let path):
                throw refusal(
                    "“\(path)” leads to another record: compare the reference, or a field of the record itself.")
            case .evaluatedObject, .aggregate, .date:
                throw refusal("A comparison has the name of a field and a value.")
            }
        }
        return .comparison(comparison)
    }

    /// `SELF CONTAINS 'two words'`: each of the words is in one of the record's texts.
    private static func tokens(_ comparison: PredicateComparison) throws(CKError) -> MetadataPredicate {
        guard comparison.operator == .contains, case .constant(.string(let text)) = comparison.right else {
            throw refusal("SELF is compared by CONTAINS with words.")
        }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        return .and(
            words.map { word in
                var part = comparison
                part.options = [.caseInsensitive, .diacriticInsensitive]
                part.right = .constant(.string(String(word)))
                return .comparison(part)
            })
    }

    /// Nil for all fields.
    private static func fields(of predicate: MetadataPredicate) -> Set<String>? {
        switch predicate {
        case .constant: return []
        case .not(let part): return fields(of: part)
        case .and(let parts), .or(let parts):
            var all: Set<String> = []
            for part in parts {
                guard let fields = fields(of: part) else { return nil }
                all.formUnion(fields)
            }
            return all
        case .comparison(let comparison):
            if comparison.left == .evaluatedObject { return nil }
            var all: Set<String> = []
            for case .keyPath(let path) in [comparison.left, comparison.right] { all.insert(path) }
            return all
        }
    }
}
