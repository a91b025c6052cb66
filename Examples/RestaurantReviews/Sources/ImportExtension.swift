import Baton
import Foundation

/// Says what is in a review that a person keeps as a document: the restaurant in its first line, then the text.
final class ImportExtension: CSImportExtension {
    override func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {
        let text = try String(contentsOf: contentURL, encoding: .utf8)
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        guard let restaurant = lines.first else { throw CocoaError(.fileReadCorruptFile) }
        attributes.displayName = "Review of \(restaurant)"
        attributes.namedLocation = restaurant
        attributes.textContent = lines.dropFirst().first
        attributes.keywords = ["review"]
    }
}
