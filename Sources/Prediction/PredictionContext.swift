/// An event just now around the person, which may lead to the next item (P-61).
package enum PredictionContext: String, Sendable, Hashable, Codable, CaseIterable {
    case headphones
    case car
    case home
    case work
    case unlock
}
