/// The limits and deadlines of Handoff, as docs/protocol.md lists them.
package struct HandoffConfiguration: Sendable {
    /// The largest payload, in bytes of its encoded form; a larger one is error 4611. 1 MiB.
    package var payloadLimit = 1 << 20
    /// How long the origin's app may take to bring its activity up to date (4610).
    package var saveDeadline = Duration.seconds(5)
    /// How long the receiver waits for the payload in all: longer than the origin waits for its app, so that the
    /// origin's own answer arrives.
    package var payloadDeadline = Duration.seconds(8)
    /// From launching an app until it has attached.
    package var launchDeadline = Duration.seconds(20)
    /// How long the receiving app may take over `continue`.
    package var continueDeadline = Duration.seconds(60)
    /// How long the browser's program may take to say that it has a page.
    package var browserDeadline = Duration.seconds(15)
    /// How long an acknowledgement is tried again for.
    package var acknowledgementDeadline = Duration.seconds(600)
    /// Between two tries, doubled each time up to 30 seconds.
    package var acknowledgementRetry = Duration.milliseconds(500)
    /// How long the origin remembers that it served an acceptance, and waits to hear that it was continued.
    package var servedLifetime = Duration.seconds(900)

    /// Activities alive in one app; one more is refused.
    package var maximumActivitiesPerApp = 1024
    /// Apps attached at once.
    package var maximumSessions = 1024
    /// Offers in one snapshot, sent and taken: the newest count.
    package var maximumOffers = 64
    /// Continuations in progress at once, in each direction.
    package var maximumContinuations = 256
    /// Acknowledgements and served acceptances that are remembered; the oldest are forgotten first.
    package var maximumRemembered = 4096

    /// For how long after its payload an activity may have continuation streams; those that are open stay.
    package var streamGrantLifetime = Duration.seconds(900)
    /// How long the origin's app may take to come for a pair of streams that was announced to it (4610).
    package var streamTakeDeadline = Duration.seconds(8)
    /// How long a pair may take to be open for the receiver: longer, so that the origin's own answer arrives.
    package var streamOpenDeadline = Duration.seconds(12)
    /// Pairs of streams that are open or under way at once: of one continuation, with one device, in all. Each is a
    /// connection of a device, which has ``LinkServer`` 32.
    package var maximumStreamsPerContinuation = 8
    package var maximumStreamsPerDevice = 16
    package var maximumStreams = 128

    package init() {}
}
