import BatonConcurrency
import BatonCore
package import BatonStore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import VCard

/// Answers apps about contacts.
package struct ContactsHarness: Sendable {
    /// Bytes of an answer: a message has at most 4 MiB.
    private static let pageBytes = 512 << 10
    private static let pageCards = 500
    /// A card with a larger picture is sent without it.
    private static let maximumImage = 2 << 20
    private static let maximumIdentifiers = 10_000
    private static let maximumChanges = 1000
    private static let maximumText = 1024

    private let book: ContactBook
    private let access: AppPermissions

    package init(_ book: ContactBook, access: AppPermissions) {
        (self.book, self.access) = (book, access)
    }

    package func register(on router: inout ConnectRouter) {
        router.app(ContactsMethods.getContactAccess) { [self] request, app in
            .with { $0.access = .init(access.permission(of: app.identity)) }
        }
        router.appStream(ContactsMethods.requestContactAccess) { [self] request, app, writer in
            let app = app.named(request.displayName)
            try await writer.write(.init())
            let permission = try await access.request(app.identity, name: app.name)
            try await writer.write(.with { $0.access = .init(permission) })
        }
        router.appStream(ContactsMethods.fetchContacts) { [self] request, app, writer in
            try access.check(app.identity)
            var page = Baton_App_V1_FetchContactsResponse()
            var size = 0
            for entry in try entries(request) {
                let contact = await contact(entry, withImage: request.withImages)
                page.contacts.append(contact)
                size += contact.vcard.count
                guard size >= Self.pageBytes || page.contacts.count >= Self.pageCards else { continue }
                try await writer.write(page)
                (page, size) = (.init(), 0)
                // The person may have changed their mind.
                try access.check(app.identity)
            }
            try await writer.write(page)
        }
        router.app(ContactsMethods.saveContacts) { [self] request, app in
            try access.check(app.identity)
            guard request.changes.count <= Self.maximumChanges else {
                throw BatonError(
                    .invalidArgument, reason: "too_many_changes",
                    "A request has at most \(Self.maximumChanges) changes. Save them in several.")
            }
            try await book.change(try request.changes.map { try Self.change($0) })
            return .init()
        }
        router.appStream(ContactsMethods.watchContacts) { [self] request, app, writer in
            let changed = Signal()
            let (changes, decisions) = (book.changes(), access.changes())
            try await writer.write(.init())
            try await withThrowingTaskGroup { group in
                group.addTask { for await _ in changes { changed.send() } }
                group.addTask { [access] in
                    var permission = access.permission(of: app.identity)
                    for await _ in decisions where access.permission(of: app.identity) != permission {
                        permission = access.permission(of: app.identity)
                        changed.send()
                    }
                }
                defer { group.cancelAll() }
                for await _ in changed.stream where access.permission(of: app.identity) != .notDetermined {
                    try await writer.write(.init())
                }
            }
            try Task.checkCancellation()
        }
    }

    // MARK: Reading

    private func entries(_ request: Baton_App_V1_FetchContactsRequest) throws(BatonError) -> [ContactIndex.Entry] {
        let index = book.index
        switch request.filter {
        case nil: return index.entries
        case .name(let name): return index.entries(matching: try Self.checked(name))
        case .email(let email): return index.entries(email: try Self.checked(email))
        case .telephone(let number): return index.entries(telephone: try Self.checked(number))
        case .identifiers(let list):
            guard list.identifiers.count <= Self.maximumIdentifiers else {
                throw BatonError(
                    .invalidArgument, reason: "too_many_identifiers",
                    "At most \(Self.maximumIdentifiers) identifiers are looked up at once. Ask for fewer.")
            }
            var seen: Set<String> = []
            return list.identifiers.compactMap { index.entry(identifier: $0) }
                .filter { seen.insert($0.card.identifier).inserted }
        }
    }

    private static func checked(_ text: String) throws(BatonError) -> String {
        guard text.utf8.count <= maximumText else {
            throw BatonError(
                .invalidArgument, reason: "text_too_long",
                "A search text has at most \(maximumText) bytes. Shorten it.")
        }
        return text
    }

    private func contact(_ entry: ContactIndex.Entry, withImage: Bool) async -> Baton_App_V1_Contact {
        var card = entry.card
        if withImage, entry.hasImage, let image = await book.image(of: entry), image.count <= Self.maximumImage {
            card.image = image
        }
        return .with {
            $0.identifier = card.identifier
            $0.vcard = Data(ContactVCard.bytes(card))
            $0.hasImage_p = entry.hasImage
        }
    }

    // MARK: Writing

    private static func change(_ change: Baton_App_V1_ContactChange) throws(BatonError) -> ContactBook.Change {
        switch change.change {
        case .add(let bytes)?: return .add(try ContactVCard.card(Array(bytes)))
        case .update(let update)?:
            let keys = Set(update.keys.compactMap { CardKey(rawValue: $0) })
            return .update(
                identifier: update.identifier, try ContactVCard.card(Array(update.vcard)), keys)
        case .delete(let identifier)?: return .delete(identifier: identifier)
        case nil:
            throw BatonError(.invalidArgument, reason: "no_change", "Say what is to be changed.")
        }
    }
}

extension Baton_App_V1_ContactAccess {
    init(_ permission: AppPermissions.Permission) {
        self =
            switch permission {
            case .notDetermined: .notDetermined
            case .denied: .denied
            case .authorized: .authorized
            }
    }
}
