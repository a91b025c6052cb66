/// Where the device is and what is connected to it, at one moment.
package struct ContextWhereabouts: Sendable, Equatable {
    /// The names of the place, in lower case: `home`, `work`, and the person's name of it; none for no known place.
    package var places: Set<String>
    package var position: Position?
    package var hasHeadphones: Bool
}
