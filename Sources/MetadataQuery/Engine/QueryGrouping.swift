package import BatonCore

/// Results that have one value of an attribute.
package struct QueryGroup: Hashable, Sendable {
    package var attribute: String
    package var value: PropertyValue
    /// Positions in the query's results, ascending.
    package var members: [Int]
    package var subgroups: [QueryGroup]
}

/// An attribute's value, and how many results have it.
package struct ValueCount: Hashable, Sendable {
    package var attribute: String
    package var value: PropertyValue
    package var count: Int
}

/// Counts and groups the results of a query by their attributes' values.
package enum QueryGrouping {
    package typealias Lookup = (_ position: Int, _ attribute: String) -> PropertyValue?

    /// In the order in which the values first occur. Results without a value are not counted. Each element of an array
    /// counts.
    package static func counts(of attribute: String, resultCount: Int, value: Lookup) -> [ValueCount] {
        var counts: [ValueCount] = []
        var places: [PropertyValue: Int] = [:]
        for position in 0..<resultCount {
            guard let value = value(position, attribute), value != .null else { continue }
            let values: [PropertyValue] = if case .array(let elements) = value { elements } else { [value] }
            for value in values {
                if let place = places[value] {
                    counts[place].count += 1
                } else {
                    places[value] = counts.count
                    counts.append(ValueCount(attribute: attribute, value: value, count: 1))
                }
            }
        }
        return counts
    }

    /// Groups by the first attribute, each group by the second, and so on. A missing value is a value, `null`.
    package static func groups(by attributes: [String], members: [Int], value: Lookup) -> [QueryGroup] {
        guard let attribute = attributes.first else { return [] }
        var groups: [QueryGroup] = []
        var places: [PropertyValue: Int] = [:]
        for member in members {
            let value = value(member, attribute) ?? .null
            if let place = places[value] {
                groups[place].members.append(member)
            } else {
                places[value] = groups.count
                groups.append(QueryGroup(attribute: attribute, value: value, members: [member], subgroups: []))
            }
        }
        // As deep as the app's list of attributes, of which a name that repeats makes no further difference.
        let rest = attributes.dropFirst().filter { $0 != attribute }
        for index in groups.indices {
            groups[index].subgroups = self.groups(by: rest, members: groups[index].members, value: value)
        }
        return groups
    }
}
