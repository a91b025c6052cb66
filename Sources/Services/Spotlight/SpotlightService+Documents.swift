import BatonConcurrency
package import BatonCore
package import Foundation
import GRDB
import SearchText

/// A page that the person saw, as search needs it.
package struct VisitedPage: Hashable, Sendable {
    package var url: URL
    package var title: String
    package var description: String
    /// For people, as in “Chromium”.
    package var browser: String
    /// Names and texts of what is described on the page.
    package var entities: [String]
    /// Milliseconds since 1970.
    package var visited: UInt64

    package init(
        url: URL, title: String, description: String = "", browser: String = "", entities: [String] = [],
        visited: UInt64
    ) {
        self.url = url
        self.title = title
        self.description = description
        self.browser = browser
        self.entities = entities
        self.visited = visited
    }
}

/// A document of a container.
package struct FoundDocument: Hashable, Sendable {
    /// Nil for one of the person's own container.
    package var app: AppIdentity?
    /// Names it for as long as it exists, whatever its name.
    package var key: String
    /// Absolute.
    package var path: String
    package var name: String
    /// Empty for one whose text is not searched.
    package var text: String
    /// Milliseconds since 1970.
    package var modified: UInt64
    /// Another one for each content, name and place.
    package var version: String
    /// The attributes that an import extension or a reader gives it.
    package var imported: [String: PropertyValue]
    /// Its content is elsewhere: what was read of the same one stays in the index.
    package var isAway: Bool

    package init(
        app: AppIdentity?, key: String, path: String, name: String, text: String, modified: UInt64,
        version: String = "", imported: [String: PropertyValue] = [:], isAway: Bool = false
    ) {
        self.isAway = isAway
        self.imported = imported
        self.app = app
        self.key = key
        self.path = path
        self.name = name
        self.text = text
        self.modified = modified
        self.version = version
    }
}

/// Pages and documents, which other parts of the daemon bring.
extension SpotlightService {
    /// A page was seen, for the first time or again. In the index when this returns.
    package func index(page: VisitedPage) async throws {
        guard let host = page.url.host(), !host.isEmpty else { return }
        let attributes: [String: PropertyValue] = [
            "title": .string(String(page.title.prefix(1000))), "url": .string(page.url.absoluteString),
            "contentDescription": .string(String(page.description.prefix(4000))),
            "keywords": .array(page.entities.prefix(100).map { .string(String($0.prefix(500))) }),
            "identifier": .string(page.url.absoluteString), "creator": .string(page.browser),
        ]
        var item = IndexedItem(
            source: .page, owner: ItemOwner(nil), key: page.url.absoluteString, attributes: attributes,
            indexed: page.visited, expires: page.visited &+ limits.lifetime,
            size: page.title.utf8.count + page.description.utf8.count)
        // “org.example.www”, so that a site's pages have a domain in common.
        item.domain = host.lowercased().split(separator: ".").reversed().joined(separator: ".")
        guard item.key.utf8.count <= 4096 else { return }
        let (visited, person) = (item, language)
        try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                try writer.put(visited, language: ItemRules.language(of: visited, person: person))
            }
        }
        changed(deleted: true)
    }

    /// Documents that are new or have changed, and those that are gone. In the index when this returns.
    package func documentsChanged(_ documents: [FoundDocument], gone: [(app: AppIdentity?, key: String)]) async throws {
        let person = language
        let now = clock.milliseconds
        try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                let owners = Dictionary(gone.map { ($0.key, ItemOwner($0.app)) }) { first, _ in first }
                var guess = LanguageGuess()
                // One may be another app's now: the old one is looked up before it is deleted.
                let items = try documents.map { document in
                    var kept: [String: PropertyValue] = [:]
                    if document.isAway {
                        let owner = owners[document.key] ?? ItemOwner(document.app)
                        let old = try writer.find(.document, owner, document.key)
                        if let old = old?.item, old.time == document.modified { kept = old.attributes }
                    }
                    return Self.item(document, keeping: kept, &guess, indexed: now)
                }
                for (app, key) in gone { try writer.delete(.document, ItemOwner(app), key) }
                for item in items { try writer.put(item, language: ItemRules.language(of: item, person: person)) }
            }
        }
        changed(deleted: true)
    }

    private static func item(
        _ document: FoundDocument, keeping kept: [String: PropertyValue], _ guess: inout LanguageGuess, indexed: UInt64
    ) -> IndexedItem {
        // No extension says which file is opened, or what it is called.
        var attributes = document.isAway ? kept : document.imported
        attributes["title"] = .string(document.name)
        attributes["path"] = .string(document.path)
        let folders = folders(of: document.path)
        if !folders.isEmpty || document.isAway { attributes["containerDisplayName"] = .string(folders) }
        var text = document.text
        if text.isEmpty, case .string(let imported) = attributes["textContent"] { text = imported }
        attributes["textContent"] = .string(text)
        // People keep texts of several languages.
        if attributes["languages"] == nil, let language = guess.language(of: text) {
            attributes["languages"] = .array([.string(language.code)])
        }
        var item = IndexedItem(
            source: .document, owner: ItemOwner(document.app), key: document.key, attributes: attributes,
            indexed: indexed, time: document.modified, expires: UInt64(Int64.max), size: text.utf8.count)
        item.version = document.version
        return item
    }

    /// The names of the folders in which a document lies, below its container or of the nearest one: a picture says nothing else.
    static func folders(of path: String) -> String {
        let folders = path.split(separator: "/").dropLast()
        if let container = folders.lastIndex(where: { $0.hasPrefix("iCloud.") }), container + 1 < folders.endIndex,
            folders[container + 1] == "Documents"
        {
            return folders[(container + 2)...].joined(separator: " ")
        }
        return folders.last.map(String.init) ?? ""
    }

    /// The documents that are in the index, one after the other.
    /// - Parameter take: is called with the key, whose it is, and which version.
    /// - Returns: what that returned, but for nil.
    package func knownDocuments<Found: Sendable>(
        _ take: @escaping @Sendable (_ key: String, _ owner: ItemOwner, _ version: String) -> Found?
    ) async throws -> [Found] {
        try await file.read { db in
            var found: [Found] = []
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT team, bundle_id, key, version FROM item JOIN owner ON owner.id = item.owner WHERE source = 3
                    """)
            while let row = try rows.next() {
                let team: Data = row["team"]
                guard let owner = ItemOwner(team: Array(team), bundleID: row["bundle_id"]) else { continue }
                if let value = take(row["key"], owner, row["version"]) { found.append(value) }
            }
            return found
        }
    }
}
