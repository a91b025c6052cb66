/// Something that changed around the person, which a reminder may wait for and a prediction may follow.
package enum ContextEvent: Sendable, Hashable, Codable {
    /// Headphones were plugged in or connected, or are gone.
    case headphones(connected: Bool, name: String)
    /// The device was connected to a car, or is no longer.
    case car(connected: Bool, name: String)
    /// Another device was connected, or is no longer.
    case device(connected: Bool, name: String)
    /// The person arrived at a place that they have named, such as “home” and “work”.
    case arrived(place: String)
    case left(place: String)
    /// The session was locked or unlocked.
    case locked(Bool)
    /// The machine woke from sleep.
    case woke
    /// An app came to the foreground, or was launched.
    case appOpened(AppIdentity)
    /// A message to a person, or a call, as one of the handles of their card.
    /// - Parameters:
    ///   - contact: nil where it is not known which.
    ///   - app: the name of the app that says so; empty where no app does.
    case personContacted(handle: String, by: PersonContact? = nil, app: String = "")
}

/// How a person is reached.
package enum PersonContact: String, Sendable, Hashable, Codable {
    case message
    /// Also with a picture.
    case call
}
