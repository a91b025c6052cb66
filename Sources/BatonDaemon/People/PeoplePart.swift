import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import Contacts
import LaunchServices
import People
import ServiceLifecycle
import VCard

/// People, and what apps say was done with them.
struct PeoplePart: DaemonPart {
    static let migrations = PeopleService.migrations

    let service: PeopleService
    /// The apps that say that they are in front. Filled by the part of suggestions, which comes later.
    let front = Hooks<@Sendable () -> Set<AppIdentity>>()
    /// The apps that have said that they left the front. Filled likewise.
    let left = Hooks<@Sendable () -> Set<AppIdentity>>()
    private let follower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let service = PeopleService(
            database: daemon.database,
            contacts: AddressBook(book: try daemon.part(ContactsPart.self).book),
            apps: PeopleAppsHere(
                launchServices: apps.launchServices, sessions: try daemon.part(SessionsPart.self).sessions,
                development: apps.developmentApps, opening: try daemon.part(OpeningPart.self).service,
                front: front, left: left),
            recorder: daemon.log)
        self.service = service
        apps.uninstalled.add(service.appsRemoved)
        try daemon.part(SpotlightPart.self).emptied.add { try await service.deleteAll(of: $0) }
        follower = EventFollower(apps.launchServices.events()) { event in
            switch event {
            case .registryChanged, .exited: service.appsChanged()
            case .launched: break
            }
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        IntentsHarness(service).register(on: &router)
        PeopleHarness(service).register(on: &router)
    }

    var services: [any Service] { [follower, service] }
}

/// The person's address books, for people.
private struct AddressBook: PeopleContacts {
    let book: ContactBook

    func cards() -> [ContactCard] { book.cards() }
    func card(identifier: String) -> ContactCard? { book.card(identifier: identifier) }
    func cards(matching word: String) -> [ContactCard] { book.cards(matching: word) }
    func cards(handle: String) -> [ContactCard] { book.cards(handle: handle) }
}
