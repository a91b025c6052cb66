/// The bounds of notices. Together they say how often a device that changes its offers without end can disturb a person:
/// at first 10 times, then once in 3 s for all of its apps, and once in 16 s for each of them.
package struct NoticeConfiguration: Sendable {
    /// Notices of offers that are open at once; of more offers only the newest have one.
    package var maximumOffers = 8
    /// The least time between two notices of one app of one device, also between a notice and its replacement. Changes
    /// meanwhile are shown at the end, in their last state only. Doubled each time while they follow each other within
    /// `quiet`.
    package var interval = Duration.seconds(2)
    package var maximumInterval = Duration.seconds(16)
    package var quiet = Duration.seconds(60)
    /// Notices of offers in all, new ones and replacements: this many at once, one more after each `refill`. Later ones
    /// wait.
    package var burst = 10
    package var refill = Duration.seconds(3)
    /// Activities whose notice the person closed, and apps of devices that had one; the oldest are forgotten first.
    package var maximumRemembered = 256

    /// Without an answer to `willContinue` for so long, the system says that something comes: the app is being started,
    /// or busy.
    package var patience = Duration.seconds(1)
    /// An app that shows nothing itself may have the activity within this time: then no notice is needed.
    package var grace = Duration.milliseconds(250)
    /// How long an app may take to say that it hears of the failure.
    package var answerDeadline = Duration.seconds(3)
    /// Longer than any continuation takes; one that is not heard of any more is not waited for.
    package var continuationLifetime = Duration.seconds(180)
    /// After this time a failure or an arrival is no longer shown.
    package var failureLifetime = Duration.seconds(600)
    /// From the first bytes of an arrival to its notice, and between two states of that.
    package var arrivalInterval = Duration.seconds(2)
    /// Continuations that are followed; of more the oldest are not any longer.
    package var maximumContinuations = 256
    /// Notices of failures that are open at once; the oldest is closed.
    package var maximumFailures = 8
    /// Notices of continuations, in progress or failed: this many at once, one more after each `refill`. Others are not
    /// shown: only a program accepts offers that fast.
    package var continuationBurst = 16

    package init() {}
}
