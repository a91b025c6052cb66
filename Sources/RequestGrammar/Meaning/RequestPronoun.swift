import Foundation

/// Words for people that a sentence does not name.
package enum RequestPronoun {
    /// In all languages: those that mean nothing else there, as “sie” and “onu” do.
    private static let words: Set<String> = ["them", "him", "her", "ihnen", "ihm", "ona", "onlara"]

    /// Whether a text says “them”.
    package static func isIn(_ text: String) -> Bool {
        text.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
    }
}
