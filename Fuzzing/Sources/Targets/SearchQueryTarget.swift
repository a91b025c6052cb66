import BatonCore
import Foundation
import SearchQuery

/// A query of `CSSearchQuery`, and an item for which it is judged.
enum SearchQueryTarget: FuzzTarget {
    static let name = "search-query"

    static func seeds() -> [[UInt8]] {
        [
            #"title == "Yank*"cdw && (keywords == 'dumpl?ng' || !(rating >= 4.5))"#,
            #"InRange(contentCreationDate, $time.today(-7), $time.now(+1h)) && ** == "*a*b*"c"#,
            #"* = "say \"hi\" \* " || custom_key != -12 && (((kind == "")))"#, "“title” == 1",
        ].map { Array($0.utf8) }
    }

    private static let attributes: [String: PropertyValue] = [
        "title": .string("Yank Sing in San Francisco"), "keywords": .array([.string("dumpling"), .string("")]),
        "rating": .real(4.5), "kind": .string(""), "custom_key": .integer(-12),
        "contentCreationDate": .date(Date(timeIntervalSince1970: 1_790_000_000)),
    ]

    static func run(_ bytes: [UInt8]) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let time = QueryTime(now: Date(timeIntervalSince1970: 1_790_000_000), calendar: calendar)
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(SearchQueryError) {
            let condition = try SearchQueryParser.condition(text, time: time)
            let isMet = condition.holds(for: attributes)
            precondition(isMet == condition.holds(for: attributes))
            // The candidates of the index have all words that a query cannot do without.
            for text in condition.requiredTexts(in: ["title"]) where isMet {
                let folded = text.folding(
                    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
                for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                    precondition("yank sing in san francisco".contains(word), "\(word) is not in the title")
                }
            }
        } catch {
            precondition(error.offset >= 0 && error.offset <= text.count, "the place of a mistake is in the text")
        }
    }
}
