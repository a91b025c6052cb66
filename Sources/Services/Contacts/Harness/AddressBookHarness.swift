package import BatonCore
package import BatonStore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import VCard

/// The names of apps, for people.
package protocol ContactApps: Sendable {
    /// An installed app by its bundle identifier or its name; else a program that is not installed.
    /// - Throws: `not_found` for what is neither.
    func app(named text: String) throws(BatonError) -> AppIdentity
    /// Nil for one that is not installed.
    func name(of app: AppIdentity) -> String?
}

/// Answers the command line about contacts.
package struct AddressBookHarness: Sendable {
    private static let pageCards = 200
    private static let pageBytes = 512 << 10

    private let book: ContactBook
    private let access: AppPermissions
    private let apps: any ContactApps

    package init(_ book: ContactBook, access: AppPermissions, apps: any ContactApps) {
        (self.book, self.access, self.apps) = (book, access, apps)
    }

    package func register(on router: inout ConnectRouter) {
        router.serverStream(AddressBookMethods.listCards) { [book] request, _, writer in
            var page = Baton_Control_V1_ListCardsResponse.with { $0.problems = book.problems }
            var size = 0
            for entry in Self.entries(request.word, book.index) {
                let card = Self.card(entry, book)
                page.cards.append(card)
                size += card.vcard.count
                guard size >= Self.pageBytes || page.cards.count >= Self.pageCards else { continue }
                try await writer.write(page)
                (page, size) = (.init(), 0)
            }
            try await writer.write(page)
        }
        router.unary(AddressBookMethods.listContactAccess) { [access, apps] _, _ in
            .with {
                $0.apps = access.all().map { app, isAllowed in
                    .with {
                        $0.bundleID = app.bundleID.rawValue
                        $0.teamID = app.team.id.rawValue
                        $0.allowed = isAllowed
                        $0.appName = apps.name(of: app) ?? ""
                    }
                }
            }
        }
        router.unary(AddressBookMethods.setContactAccess) { [access, apps] request, _ in
            let app = try apps.app(named: request.app)
            let decision: Bool?
            switch request.access {
            case .on: decision = true
            case .off: decision = false
            case .ask: decision = nil
            case .unspecified, .UNRECOGNIZED:
                throw BatonError(.invalidArgument, reason: "no_access", "Say “on”, “off” or “ask”.")
            }
            try await access.set(decision, for: app)
            return .with {
                $0.bundleID = app.bundleID.rawValue
                $0.appName = apps.name(of: app) ?? ""
            }
        }
    }

    private static func entries(_ word: String, _ index: ContactIndex) -> [ContactIndex.Entry] {
        if word.isEmpty { return index.entries }
        if let entry = index.entry(identifier: word) { return [entry] }
        let found = index.entries(handle: word)
        return found.isEmpty ? index.entries(matching: word) : found
    }

    private static func card(_ entry: ContactIndex.Entry, _ book: ContactBook) -> Baton_Control_V1_AddressBookCard {
        .with {
            $0.identifier = entry.card.identifier
            $0.vcard = Data(ContactVCard.bytes(entry.card))
            $0.displayName = entry.card.displayName
            // Those that the card prefers come first.
            $0.emails = (entry.card.emails.filter(\.isPreferred) + entry.card.emails.filter { !$0.isPreferred }).map(
                \.value)
            $0.telephones =
                (entry.card.telephones.filter(\.isPreferred) + entry.card.telephones.filter { !$0.isPreferred })
                .map(\.value)
            $0.organization = entry.card.organizationName
            var sources: [String] = []
            for member in entry.members {
                let name = book.name(ofSource: member.source)
                if !sources.contains(name) { sources.append(name) }
            }
            $0.sources = sources
        }
    }
}
