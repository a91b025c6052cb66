import Foundation
import WebMarkup

/// Which places to suggest, and in which order: a pure decision.
package enum PlaceRanker {
    /// A place with what it says in the field, and the parts of its score.
    package struct Suggestion: Sendable, Equatable {
        package let place: KnownPlace
        package let text: String
        package let score: Score
    }

    package struct Score: Sendable, Equatable {
        /// From 1, seen now, halved with each half-hour.
        package let recency: Double
        /// A place that is looked at again is meant.
        package let views: Double
        /// A place with more of what the field may want.
        package let fit: Double
        package var total: Double { recency + views + fit }
    }

    /// The place is seen now: so many milliseconds later it counts half.
    private static let halfLife = 30.0 * 60_000

    /// - Parameter field: nil for any use.
    package static func suggestions(
        _ places: [KnownPlace], field: FieldType?, now: UInt64, limit: Int
    ) -> [Suggestion] {
        let found = places.compactMap { place -> Suggestion? in
            guard place.obstacle == nil else { return nil }
            // A place without a text for the field is no help in it (P-21).
            let text = field.map { $0.text(of: place) } ?? place.place.addressLine ?? place.place.name
            guard let text else { return nil }
            return Suggestion(place: place, text: text, score: score(place, field, now))
        }
        return Array(found.sorted(by: precedes).prefix(limit))
    }

    /// Why a place is not suggested for a field; nil where it is.
    package static func obstacle(_ place: KnownPlace, field: FieldType?) -> String? {
        if let obstacle = place.obstacle { return obstacle }
        guard let field, field.text(of: place) == nil else { return nil }
        return "It has nothing for a field of type \(field.name)."
    }

    package static func score(_ place: KnownPlace, _ field: FieldType?, _ now: UInt64) -> Score {
        let age = Double(now - min(now, place.lastSeen))
        var fit = 0.0
        if place.place.hasAddress { fit += 0.1 }
        if place.place.coordinate != nil { fit += 0.05 }
        if field?.name == "fullStreetAddress", place.place.street != nil { fit += 0.1 }
        return Score(
            recency: exp2(-age / halfLife), views: min(0.3, 0.1 * log2(Double(max(1, place.views)))), fit: fit)
    }

    private static func precedes(_ one: Suggestion, _ other: Suggestion) -> Bool {
        if one.score.total != other.score.total { return one.score.total > other.score.total }
        // The later one, as it came.
        return one.place.id > other.place.id
    }
}
