import BatonCore
import Foundation

/// Which pages this device gave to the public index, and what is to be taken back: a value, kept in a file.
struct PublishedPages: Sendable, Codable, Equatable {
    struct Page: Sendable, Codable, Equatable {
        var entry: PublicEntry
        var app: String
        /// Milliseconds since 1970: when the app had it saved, and when it was given.
        var seen: UInt64
        var given: UInt64
    }

    /// Policy: the oldest go, and are taken back with everything only.
    static let maximumPages = 5000
    /// Milliseconds after which a page is given again while its activity is there: the cloud counts none for longer than 90 days.
    static let renewal: UInt64 = 30 * 86_400_000

    var pages: [Page] = []
    /// Policy: as many as there were pages.
    var takingBack: [PublicEntry] = []
    var takesBackAll = false

    struct Forgotten: Sendable, Codable, Equatable {
        var entry: PublicEntry
        var time: UInt64
    }

    /// A page that was taken back is not given again while the app has not saved it anew. Policy: as many as there were pages.
    var forgotten: [Forgotten] = []
    /// Pages that were saved until then are not given.
    var forgottenUntil: UInt64 = 0

    /// The pages to give now.
    /// - Parameter offered: what apps offer now, the newest first.
    func due(_ offered: [Page], now: UInt64) -> [Page] {
        var known: [PublicEntry: UInt64] = [:]
        for page in pages { known[page.entry] = page.given }
        var due: [Page] = []
        let forgotten = Dictionary(self.forgotten.map { ($0.entry, $0.time) }) { max($0, $1) }
        for page in offered where page.seen > forgottenUntil && page.seen > forgotten[page.entry] ?? 0 {
            if let given = known[page.entry], given <= now, now - given < Self.renewal { continue }
            known[page.entry] = now
            due.append(page)
        }
        return due
    }

    mutating func gave(_ given: [Page], now: UInt64) {
        let entries = Set(given.map(\.entry))
        pages.removeAll { entries.contains($0.entry) }
        takingBack.removeAll { entries.contains($0) }
        pages += given.map { page in
            var page = page
            page.given = now
            return page
        }
        if pages.count > Self.maximumPages { pages.removeFirst(pages.count - Self.maximumPages) }
    }

    /// - Returns: how many are to be taken back.
    mutating func takeBack(now: UInt64, _ isMeant: (Page) -> Bool) -> Int {
        let gone = pages.filter(isMeant)
        pages.removeAll(where: isMeant)
        takingBack = Array((takingBack + gone.map(\.entry)).suffix(Self.maximumPages))
        forgotten = Array(
            (forgotten + gone.map { Forgotten(entry: $0.entry, time: now) }).suffix(Self.maximumPages))
        return gone.count
    }

    /// - Returns: how many this device knows of.
    mutating func takeBackAll(now: UInt64) -> Int {
        let count = pages.count
        self = PublishedPages(takesBackAll: true, forgottenUntil: now)
        return count
    }
}
