package import BatonCore
import BatonTransport
package import BatonWire
package import VCard

/// The person's address book.
package protocol PeopleContacts: Sendable {
    func cards() -> [ContactCard]
    func card(identifier: String) -> ContactCard?
    func cards(matching word: String) -> [ContactCard]
    /// With an e-mail address or a telephone number.
    func cards(handle: String) -> [ContactCard]
}

/// An app of this device, as far as it can reach people.
package struct ReachingApp: Sendable, Hashable {
    package var identity: AppIdentity
    package var name: String
    /// Its `NSUserActivityTypes`.
    package var types: Set<String>

    package init(identity: AppIdentity, name: String, types: Set<String>) {
        self.identity = identity
        self.name = name
        self.types = types
    }
}

/// The apps of this device, as people need them.
package protocol PeopleApps: Sendable {
    /// Installed apps, and programs in development that are attached.
    func all() -> [ReachingApp]
    /// Whether what it donated is kept. Must neither wait nor use the database: it is asked within a transaction.
    func isKept(_ app: AppIdentity) -> Bool
    /// The apps that say that they are in front. Nothing here sees who is right.
    func inFront() -> Set<AppIdentity>
    /// The apps that have said that they left the front, and not since that they are there.
    func thatLeft() -> Set<AppIdentity>
    /// For people; the bundle identifier when there is no other.
    func name(of app: AppIdentity) -> String
    /// Starts the app if need be, and lets it continue the activity, with the interaction if there is one.
    /// - Returns: whether it said that it handled it.
    func deliver(
        _ payload: Baton_Value_V1_ActivityPayload, _ interaction: Baton_Value_V1_Interaction?, to app: AppIdentity
    ) async throws -> Bool
    /// Whether something here opens an address of a scheme.
    func canOpen(_ url: String) -> Bool
    /// Opens an address for the person.
    func open(_ url: String) async throws -> Bool
}
