package import BatonCore

/// Something that an app is to do once, whether it runs or has to be started for it.
package struct Delivery: Sendable {
    package var id: DeliveryID
    package var app: AppIdentity
    /// The environment of a process that is started for it.
    package var environment: [String: String]
    /// In this order; the answer to the last one is the delivery's.
    package var commands: [AppCommand]
    /// The command that withdraws the delivery when the app does not answer in time, with a sentence for the person.
    /// Nil if there is nothing to withdraw.
    package var withdrawal: (@Sendable (String) -> AppCommand)?

    package init(
        id: DeliveryID, app: AppIdentity, environment: [String: String] = [:], commands: [AppCommand],
        withdrawal: (@Sendable (String) -> AppCommand)? = nil
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.commands = commands
        self.withdrawal = withdrawal
    }
}
