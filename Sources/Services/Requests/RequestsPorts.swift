package import BatonCore
package import Foundation
package import RequestGrammar

/// The current activity of the app in front, here or else on a device of the account that is in use.
package protocol RequestScreen: Sendable {
    /// Nil where no app says that it is in front with something.
    /// - Throws: `failed_precondition` (`several_in_front`) where more than one app says so.
    func current() async throws -> RequestedContent?
}

package protocol RequestReminders: Sendable {
    /// Makes a reminder.
    /// - Parameters:
    ///   - when: nil for one that does not come by itself.
    ///   - linkedActivity: what it is about, where it is about what the person looks at.
    ///   - here: what the person looks at, for a `when` that says “here” or “them”.
    /// - Returns: why what it waits for may never happen, as sentences; nil for nothing.
    func add(
        subject: String, when: RequestMeaning.When?, linkedActivity: RequestedContent?, here: RequestedContent?
    ) async throws -> String?
    /// Those that are not done, the next one first.
    /// - Parameter end: leaves out those that do not come before then; nil for all.
    func list(before end: Date?, timeZone: TimeZone) async throws -> [RequestedResult]
}

package protocol RequestPeople: Sendable {
    /// Full names and nicknames of the address book, of which sentences may have more words than one. No names that only an app
    /// gives: it could take the words of a message for one.
    func knownNames() async -> [String]
    /// Everybody that a name may mean, the likeliest first; at most ten.
    func resolve(_ word: String) async throws -> [RequestedPerson]
    /// Those whom cards name as the mother, the wife and so on, where no person is called so; each with the name of that card and
    /// the label there. At most ten.
    func kin(_ word: String) async throws -> [(person: RequestedPerson, owner: String, label: String)]
    /// The identity of a person that an app shows: by the card or an address that it names, by the name where it names neither. A
    /// person with an address that is not known here is a stranger.
    func resolve(_ shown: ShownPerson, from app: String) async throws -> [RequestedPerson]
    /// The person to call back, by what apps have donated: of the last call that came, else the last one who was called or written
    /// to. Nil where no app has donated that.
    /// - Returns: also the app that says so, for people.
    func lastContact() async throws -> (person: RequestedPerson, app: String)?
    /// The addresses of the people of the address book that a name means: empty where their cards have no address, nil where it
    /// means no card.
    func addresses(of name: String) async throws -> [RequestedAddress]?
    func call(_ person: RequestedPerson) async throws
    func video(_ person: RequestedPerson) async throws
    /// - Parameter text: nil for one that the person has yet to write.
    func message(_ person: RequestedPerson, text: String?) async throws
    /// By mail and by nothing else, whichever way was picked for messages.
    func email(_ person: RequestedPerson, text: String?) async throws
}

package protocol RequestMedia: Sendable {
    /// - Parameter media: what is to be played; nil for what was last played.
    /// - Returns: the player that does it, for people.
    func perform(_ action: RequestMeaning.MediaAction, media: String?) async throws -> String
    /// The tracks that play now, here and on other devices.
    func playing() async -> [RequestedResult]
}

package protocol RequestPlaces: Sendable {
    /// Places that sentences may name.
    func known() async -> [RequestedPlace]
    /// Leads the person there.
    /// - Returns: the app that does, for people.
    func directions(to destination: RequestDestination) async throws -> String
}

package protocol RequestTelephone: Sendable {
    /// Has a number called by the handler of `tel:`.
    /// - Returns: the app that calls, for people; empty for the desktop's.
    func call(_ number: TelephoneAddress) async throws -> String
}

package protocol RequestApps: Sendable {
    /// The installed apps: identifiers and names.
    func names() async -> [(id: String, name: String)]
    func open(_ id: String) async throws
    /// Opens a page in the app that claims its site, or in the browser.
    func open(page url: URL) async throws
}

package protocol RequestSearch: Sendable {
    /// The best first; at most ten.
    func search(_ text: String) async throws -> [RequestedResult]
}

/// Everything that requests need of others.
package struct RequestPorts: Sendable {
    package var screen: any RequestScreen
    package var reminders: any RequestReminders
    package var people: any RequestPeople
    package var media: any RequestMedia
    package var places: any RequestPlaces
    package var telephone: any RequestTelephone
    package var apps: any RequestApps
    package var search: any RequestSearch

    package init(
        screen: any RequestScreen, reminders: any RequestReminders, people: any RequestPeople, media: any RequestMedia,
        places: any RequestPlaces, telephone: any RequestTelephone, apps: any RequestApps, search: any RequestSearch
    ) {
        self.screen = screen
        self.reminders = reminders
        self.people = people
        self.media = media
        self.places = places
        self.telephone = telephone
        self.apps = apps
        self.search = search
    }
}
