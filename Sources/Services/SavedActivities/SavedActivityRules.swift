package import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf

/// Pure rules about activities that an app wants saved.
package enum SavedActivityRules {
    /// Bytes of each identifier that an app gives.
    private static let maximumIdentifier = 1024
    /// Bytes of searched text, of each kind; text beyond is not found.
    static let maximumText = 16 << 10
    /// Bytes of each text, and of the keywords together, that a list shows of an activity.
    static let maximumShown = 4 << 10
    /// Bytes of a list. An answer may have 4 MiB (`ConnectLimits`).
    static let maximumAnswer = 3 << 20
    /// Words of one search; further ones are left out.
    private static let maximumWords = 16

    /// Checks what an app wants saved.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: an activity that may have expired already.
    /// - Throws: `invalid_argument` for one that is too large, for values that cannot be read, identifiers that are too
    ///   long, and for one that is for nothing.
    package static func activity(
        _ request: Baton_App_V1_SaveForSearchRequest, of app: AppIdentity, id: ActivityID, now: UInt64,
        limits: SavedActivityLimits
    ) throws(BatonError) -> SavedActivity {
        let payload = request.payload
        guard request.search || request.prediction else {
            throw invalid("not_eligible", "The activity is eligible neither for search nor for prediction.")
        }
        guard size(of: payload) <= limits.maximumSize else {
            throw invalid(
                "saved_activity_too_large",
                "The activity is \(size(of: payload)) bytes; at most \(limits.maximumSize) can be saved for search. Name "
                    + "the entries that are needed in requiredUserInfoKeys.")
        }
        let attributes = try check(payload)
        let description = payload.description_p
        let persistent = payload.hasPersistentIdentifier ? payload.persistentIdentifier : nil
        let related = attributes["relatedUniqueIdentifier"]?.text
        for identifier in [persistent, related].compactMap({ $0 })
        where identifier.utf8.count > maximumIdentifier {
            throw invalid("text_too_long", "An identifier of a saved activity may have \(maximumIdentifier) bytes.")
        }
        let latest = now &+ limits.lifetime
        let expires = description.hasExpirationTime ? description.expirationTime : latest
        return SavedActivity(
            id: id, app: app, key: key(description, persistent: persistent, related: related),
            persistentIdentifier: persistent, payload: payload, isForSearch: request.search,
            isForPrediction: request.prediction,
            isForPublicIndex: request.publicIndexing && request.search
                && (payload.hasRequiredUserInfoKeys || description.hasWebpageURL), saved: now, expires: expires)
    }

    static func size(of payload: Baton_Value_V1_ActivityPayload) -> Int {
        (try? (payload.serializedBytes() as [UInt8]).count) ?? .max
    }

    /// - Returns: the search metadata.
    private static func check(_ payload: Baton_Value_V1_ActivityPayload) throws(BatonError) -> [String: PropertyValue] {
        if payload.hasUserInfo {
            guard case .dictionary = try PropertyValue(payload.userInfo) else {
                throw invalid("invalid_property_value", "The activity's userInfo is not a dictionary.")
            }
        }
        if payload.hasMapItem { _ = try payload.mapItem.attributes() }
        return payload.hasContentAttributes ? try payload.contentAttributes.attributes() : [:]
    }

    /// The key by which two activities count as the same: the persistent identifier, with which an app deletes it; else
    /// the searchable item that it is about, which is found once; else type and title, which together identify an
    /// activity (H-20). Without any of these, only the same object is the same.
    private static func key(
        _ description: Baton_Value_V1_ActivityDescription, persistent: String?, related: String?
    ) -> String {
        if let persistent { return "persistent:" + persistent }
        if let related { return "related:" + related }
        if description.hasTitle { return "title:\(description.activityType) \(description.title)" }
        return "object:" + description.activityID
    }

    // MARK: Search

    /// The searchable text of an activity: title, keywords, description.
    struct SearchedText: Sendable {
        var title: String
        var keywords: String
        var content: String
    }

    static func searchedText(of payload: Baton_Value_V1_ActivityPayload) -> SearchedText {
        let attributes = payload.hasContentAttributes ? (try? payload.contentAttributes.attributes()) ?? [:] : [:]
        func join(_ texts: [String?]) -> String {
            bounded(texts.compactMap { $0 }.joined(separator: "\n"))
        }
        let names = attributes["alternateNames"]?.texts ?? []
        return SearchedText(
            title: join(
                [payload.description_p.title, attributes["title"]?.text, attributes["displayName"]?.text] + names),
            keywords: join(payload.keywords + (attributes["keywords"]?.texts ?? [])),
            content: join([
                attributes["contentDescription"]?.text, attributes["textContent"]?.text,
                attributes["namedLocation"]?.text,
            ]))
    }

    /// The text up to a number of bytes, without the character that the end falls into.
    static func bounded(_ text: String, bytes: Int = maximumText) -> String {
        guard text.utf8.count > bytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: bytes)
        // The next character's beginning, and from there back to the beginning of the one that the end lies in.
        return String(text[..<text.index(before: text.index(after: end))])
    }

    // MARK: Lists

    static func contentDescription(of payload: Baton_Value_V1_ActivityPayload) -> String {
        guard payload.hasContentAttributes, let attributes = try? payload.contentAttributes.attributes() else {
            return ""
        }
        return bounded(String((attributes["contentDescription"]?.text ?? "").prefix(500)), bytes: maximumShown)
    }

    /// The description without a page that is too long to be opened, which nothing else bounds.
    static func listed(_ description: Baton_Value_V1_ActivityDescription) -> Baton_Value_V1_ActivityDescription {
        var description = description
        if description.webpageURL.utf8.count > WebPage.maximumLength { description.clearWebpageURL() }
        return description
    }

    /// Those that a list has room for; one that is too long keeps no other from being shown.
    static func keywords(of payload: Baton_Value_V1_ActivityPayload) -> [String] {
        var room = maximumShown
        return payload.keywords.filter { keyword in
            // Size of a keyword with its overhead.
            let size = keyword.utf8.count + 4
            guard size <= room else { return false }
            room -= size
            return true
        }
    }

    /// As many, from the beginning, as one answer has room for: some of a long list are of more use than an error.
    static func fitting(
        _ items: some Sequence<Baton_Control_V1_SavedActivity>, bytes: Int = maximumAnswer
    ) -> [Baton_Control_V1_SavedActivity] {
        var room = bytes
        return Array(
            items.prefix { item in
                room -= (try? (item.serializedBytes() as [UInt8]).count + 8) ?? room + 1
                return room >= 0
            })
    }

    /// A person's query as an expression of FTS5: every word must occur, as a whole or as a beginning. Each word is
    /// quoted, so that nothing in the query is taken for an operator.
    ///
    /// - Returns: nil when there is no word in it.
    static func expression(for query: String) -> String? {
        let words = query.unicodeScalars.split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
            .prefix(maximumWords).map { String(String.UnicodeScalarView($0)).prefix(100) }
        return words.isEmpty ? nil : words.map { "\"\($0)\"*" }.joined(separator: " ")
    }

    private static func invalid(_ reason: String, _ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: reason, message)
    }
}

extension PropertyValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var texts: [String]? { if case .array(let values) = self { values.compactMap(\.text) } else { nil } }
}
