package import Foundation

/// How a process of an app ended.
package struct AppExit: Sendable, Hashable {
    /// For a person.
    package let description: String
    /// It crashed, or ended by itself with a code other than 0.
    package let isFailure: Bool
    package let time: Date

    package init(description: String, isFailure: Bool, time: Date) {
        self.description = description
        self.isFailure = isFailure
        self.time = time
    }
}
