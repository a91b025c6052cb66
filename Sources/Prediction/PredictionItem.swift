/// A possible next item: an app, something that an app plays or offers to do, or a person that an app reaches.
package struct PredictionItem: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case app
        case media
        case person
        /// Something that an app offers to do.
        case shortcut
    }

    package let kind: Kind
    /// The app's bundle identifier.
    package let app: String
    /// The app's identifier for it; empty for the app itself.
    package let id: String

    package init(kind: Kind, app: String, id: String) {
        self.kind = kind
        self.app = app
        self.id = id
    }

    package static func app(_ bundleID: String) -> PredictionItem { .init(kind: .app, app: bundleID, id: "") }
}

/// An item that is likely now.
package struct Prediction: Sendable, Equatable {
    package let item: PredictionItem
    /// The last name given to it; empty where none was given.
    package let name: String
    package let probability: Double
    /// Its place among the candidates, from 1.
    package let rank: Int
}
