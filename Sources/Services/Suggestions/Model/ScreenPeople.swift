package import BatonCore

/// The people of what each session of an app shows: a value, kept in memory alone.
package struct ScreenPeople: Sendable {
    /// Policy: what further sessions show is not looked at.
    static let maximumScreens = PlaceMemory.maximumScreens

    private var screens: [String: (activity: String, people: [ShownPerson])] = [:]

    package init() {}

    /// Sets the people that a session shows now, in place of those before.
    package mutating func update(screen: String, activity: String, people: [ShownPerson]) {
        if people.isEmpty {
            screens[screen] = nil
        } else if screens[screen] != nil || screens.count < Self.maximumScreens {
            screens[screen] = (activity, people)
        }
    }

    package mutating func ended(screen: String) { screens[screen] = nil }

    /// Those of one activity; none for another one that the session has shown since.
    package func people(screen: String, activity: String) -> [ShownPerson] {
        guard let shown = screens[screen], shown.activity == activity else { return [] }
        return shown.people
    }
}
