import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import VCard

/// An app's half of contacts: asks the daemon, and hears of changes.
final class ContactsClient: Sendable {
    /// How long a caller that waits on its thread waits.
    static let patience = Duration.seconds(30)
    private static let callLimit = Duration.seconds(20)

    /// One contact as it came.
    struct Fetched: Sendable {
        var card: ContactCard
        var hasImage: Bool
    }

    private struct Watching {
        var subscription: DaemonSubscription?
        /// Whether a connection was there before: contacts may have changed since.
        var hasFollowed = false
    }

    private let runtime: AppRuntime
    private let watching = Mutex(Watching())

    init(runtime: AppRuntime) { self.runtime = runtime }

    /// Reports changes from now on.
    func watch() {
        guard runtime.profile.socketPath != nil else { return }
        watching.withLock { watching in
            guard watching.subscription == nil else { return }
            watching.subscription = runtime.link.subscribe(ContactsMethods.watchContacts, self)
        }
    }

    private func checkSocket() throws {
        guard runtime.profile.socketPath != nil else {
            throw CNError(.communicationError, "Baton's daemon cannot be reached: its socket is not known.")
        }
    }

    // MARK: Permission

    func access() async throws -> CNAuthorizationStatus {
        try checkSocket()
        let answer = try await runtime.link.call(ContactsMethods.getContactAccess, .init(), timeout: .seconds(5))
        return Self.status(answer.access)
    }

    private static func status(_ access: Baton_App_V1_ContactAccess) -> CNAuthorizationStatus {
        switch access {
        case .authorized: .authorized
        case .denied: .denied
        case .notDetermined, .unspecified, .UNRECOGNIZED: .notDetermined
        }
    }

    /// Waits for the person.
    func requestAccess() async throws {
        do {
            try checkSocket()
            let profile = runtime.profile
            let answers = try await runtime.link.stream(
                ContactsMethods.requestContactAccess,
                .with {
                    $0.displayName = profile.displayName
                })
            for try await answer in answers where answer.access != .unspecified {
                if answer.access == .authorized { return }
                break
            }
        } catch {
            throw Self.contactError(error)
        }
        throw CNError(.authorizationDenied, "The person does not allow it to read contacts.")
    }

    // MARK: Reading

    func fetch(_ filter: ContactPredicate.Filter, withImages: Bool) async throws -> [Fetched] {
        if case .nothing = filter { return [] }
        do {
            try checkSocket()
            let answers = try await runtime.link.stream(
                ContactsMethods.fetchContacts,
                .with {
                    $0.withImages = withImages
                    switch filter {
                    case .name(let name): $0.name = name
                    case .email(let email): $0.email = email
                    case .telephone(let number): $0.telephone = number
                    case .identifiers(let list): $0.identifiers = .with { $0.identifiers = list }
                    case .nothing, .everything: break
                    }
                })
            var fetched: [Fetched] = []
            for try await answer in answers {
                for contact in answer.contacts {
                    guard var card = VCardFile(Array(contact.vcard)).documents.first?.card else { continue }
                    card.identifier = contact.identifier
                    fetched.append(Fetched(card: card, hasImage: contact.hasImage_p))
                }
            }
            return fetched
        } catch {
            throw Self.contactError(error)
        }
    }

    // MARK: Writing

    func save(_ changes: [Baton_App_V1_ContactChange]) async throws {
        do {
            try checkSocket()
            _ = try await runtime.link.call(
                ContactsMethods.saveContacts,
                .with {
                    $0.changes = changes
                }, timeout: Self.callLimit)
        } catch {
            throw Self.contactError(error)
        }
    }

    // MARK: Errors

    static func contactError(_ error: any Error) -> any Error {
        guard let error = error as? BatonError else { return error }
        let code: CNError.Code =
            switch (error.code, error.reason) {
            case (.permissionDenied, "not_authorized"): .authorizationDenied
            case (.notFound, "no_such_contact"): .recordDoesNotExist
            case (.alreadyExists, _): .insertedRecordAlreadyExists
            case (.failedPrecondition, "not_writable"): .recordNotWritable
            case (.invalidArgument, "no_card"): .recordIdentifierInvalid
            case (.invalidArgument, _): .predicateInvalid
            case (.unavailable, "no_folder"): .noAccessableWritableContainers
            case (.unavailable, _), (.deadlineExceeded, _): .communicationError
            default: .dataAccessError
            }
        return CNError(code, error.message)
    }
}

extension AppRuntime {
    /// Made at the first use.
    var contacts: ContactsClient {
        madeContacts.withLock { made in
            let client = made ?? ContactsClient(runtime: self)
            made = client
            return client
        }
    }
}

extension ContactsClient: DaemonSubscriber {
    func request() async throws -> Baton_App_V1_WatchContactsRequest { .init() }

    func follow(
        _ news: ConnectResponses<Baton_App_V1_WatchContactsResponse>, on connection: DaemonConnection
    ) async throws {
        var isFirst = true
        for try await _ in news {
            connection.answered()
            let isBeginning = watching.withLock { watching in
                defer { watching.hasFollowed = true }
                return isFirst && !watching.hasFollowed
            }
            isFirst = false
            guard !isBeginning else { continue }
            runtime.onCallbackQueue {
                NotificationCenter.default.post(name: .CNContactStoreDidChange, object: nil)
            }
        }
    }

    func ended(_ error: (any Error)?) async -> SubscriptionPause { .backoff }
}
