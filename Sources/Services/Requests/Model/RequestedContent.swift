package import BatonCore

/// The content that an app in front shows: the meaning of “this”, “here” and “them”. Everything in it is the app's claim.
package struct RequestedContent: Sendable, Hashable {
    package let app: AppIdentity
    package let appName: String
    package let activity: ActivityID
    package let type: ActivityType
    package let title: String?
    package let page: String?
    package let place: RequestedPlace?
    /// The people whom “them” means.
    package let people: [ShownPerson]
    /// The name of the other device that shows it; nil for this one.
    package let device: String?

    package init(
        app: AppIdentity, appName: String, activity: ActivityID, type: ActivityType, title: String? = nil,
        page: String? = nil, place: RequestedPlace? = nil, people: [ShownPerson] = [],
        device: String? = nil
    ) {
        self.app = app
        self.appName = device.map { "\(appName) on \($0)" } ?? appName
        self.device = device
        self.activity = activity
        self.type = type
        self.title = title
        self.page = page
        self.place = place
        self.people = people
    }

    /// The title of a reminder of it.
    package var subject: String {
        [title, place?.name, page].lazy.compactMap { $0 }.first { !$0.isEmpty } ?? appName
    }
}

/// A place that the person looked at.
package struct RequestedPlace: Sendable, Hashable {
    /// As the places know it; empty for one that another device shows.
    package let id: String
    package let name: String
    package let telephone: String?
    /// One line; nil where it is not needed to find it.
    package let address: String?
    /// The source that showed it, for people: an app or a page; nil where that is not known.
    package let source: String?
    /// False where its app says that it is no destination for navigation, or for a call.
    package let supportsNavigation: Bool
    package let supportsPhoneCall: Bool

    package init(
        id: String, name: String, telephone: String? = nil, address: String? = nil, source: String? = nil,
        supportsNavigation: Bool = true, supportsPhoneCall: Bool = true
    ) {
        self.address = address
        self.id = id
        self.name = name
        self.telephone = telephone
        self.source = source
        self.supportsNavigation = supportsNavigation
        self.supportsPhoneCall = supportsPhoneCall
    }
}

package struct RequestedPerson: Sendable, Hashable {
    package let id: String
    package let name: String
    /// A detail that distinguishes two people of one name, for people; may be empty.
    package let detail: String
    /// The app that alone knows them, for people; nil for those of the address book.
    package let fromApp: String?
    /// A person known only from an app that shows them now.
    package let stranger: ShownPerson?

    package init(
        id: String, name: String, detail: String = "", fromApp: String? = nil, stranger: ShownPerson? = nil
    ) {
        self.stranger = stranger
        self.id = id
        self.name = name
        self.detail = detail
        self.fromApp = fromApp
    }
}

package struct RequestedResult: Sendable, Hashable {
    package let title: String
    package let origin: String

    package init(title: String, origin: String) {
        self.title = title
        self.origin = origin
    }
}

/// Where a person of the address book lives, works or is else to be found.
package struct RequestedAddress: Sendable, Hashable {
    package let person: String
    /// As the card calls it: `home`, `work`, or a text of the person's own; may be empty.
    package let label: String
    /// One line.
    package let text: String

    package init(person: String, label: String = "", text: String) {
        self.person = person
        self.label = label
        self.text = text
    }
}

/// Where the person is led.
package enum RequestDestination: Sendable, Hashable {
    case address(RequestedAddress)
    /// One of the places, by its identifier.
    case known(RequestedPlace)
    case home
    case work
    /// An address, or the name of a place that is not known here.
    case named(String)
}
