import Foundation
import WebMarkup

/// A person's request about a place that they looked at, in their words: a pure decision.
package enum PlaceRequest: String, Sendable, CaseIterable {
    case address
    case directions
    case call

    /// English, German, Turkish. Each in lower case, without diacritics.
    private static let phrases: [(words: [String], request: PlaceRequest)] = [
        (["address"], .address), (["adresse"], .address), (["anschrift"], .address), (["adres"], .address),
        (["adresi"], .address),
        (["directions", "to"], .directions), (["directions"], .directions), (["route"], .directions),
        (["wegbeschreibung"], .directions), (["weg", "zu"], .directions), (["yol", "tarifi"], .directions),
        (["call"], .call), (["anrufen"], .call), (["ara"], .call),
    ]

    /// - Returns: the request, and the words that name the place; nil where the words ask for none.
    package static func read(_ words: [String]) -> (request: PlaceRequest, name: [String])? {
        let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { fold(String($0)) }
        for (phrase, request) in phrases {
            if words.starts(with: phrase) { return (request, Array(words.dropFirst(phrase.count))) }
            // As German and Turkish have it: the name first.
            if words.count > phrase.count, words.suffix(phrase.count).elementsEqual(phrase) {
                return (request, words.dropLast(phrase.count))
            }
        }
        return nil
    }

    /// Whether a place has all words in its name, the last perhaps not whole.
    package static func fits(_ name: String, _ words: [String]) -> Bool {
        let parts = name.split { !$0.isLetter && !$0.isNumber }.map { fold(String($0)) }
        return words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
    }

    /// The place's answer; nil for one that cannot be asked so.
    package func text(of place: KnownPlace) -> String? {
        switch self {
        case .address: place.place.hasAddress ? place.place.addressLine : nil
        case .directions: place.supportsNavigation ? place.place.addressLine ?? place.place.name : nil
        case .call: place.supportsPhoneCall ? place.place.telephone : nil
        }
    }

    /// Without case and accents.
    static func fold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
