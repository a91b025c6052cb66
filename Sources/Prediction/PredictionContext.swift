/// What happened just now around the person, which may lead to what comes next (P-61).
package enum PredictionContext: String, Sendable, Hashable, Codable, CaseIterable {
    case headphones
    case car
    case home
    case work
    case unlock
}
