/// How much is kept, and for how long.
package struct SpotlightLimits: Sendable {
    /// Items of one app.
    package var maximumItems = 100_000
    /// Bytes of one app's items.
    package var maximumBytes = 256 << 20
    /// Bytes of one item in its encoded form.
    package var maximumItemSize = 256 << 10
    /// Bytes of an identifier.
    package var maximumIdentifier = 1024
    /// Bytes of a client state, and of an index's name.
    package var maximumClientState = 250
    /// Steps of one call.
    package var maximumSteps = 2000
    /// Entries of the journal of one app that wait; more are refused until they are in the index.
    package var maximumWaiting = 2000
    /// Their bytes, likewise: a call may have 4 MiB.
    package var maximumWaitingBytes = 256 << 20
    /// The lifetime of an item without an expiration date, in milliseconds.
    package var lifetime: UInt64 = 30 * 86_400_000
    /// Results of one query of an app.
    package var maximumResults = 5000
    /// Bytes of one app's items among the results of a search, and of one answer to an app: all of them are in memory.
    /// Policy: the newest count.
    package var maximumResultBytes = 32 << 20
    /// The time that an app's query may take, once it is its turn.
    package var queryTime = Duration.seconds(10)
    /// Named indexes of one app that have a client state.
    package var maximumIndexes = 100
    /// Texts that a person chose among one app's suggestions; the oldest go first.
    package var maximumChoices = 1000

    /// Items of the class `.complete`, of all apps, and their bytes: they are in memory.
    package var maximumProtectedItems = 20_000
    package var maximumProtectedBytes = 64 << 20

    package init() {}
}
