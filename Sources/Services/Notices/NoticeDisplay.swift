/// A display of notices for the person, who may answer them there.
package protocol NoticeDisplay: Sendable {
    /// The person's actions on notices; read once, by the service. Bounded by the notices: each is answered and closed
    /// once.
    var events: AsyncStream<NoticeDisplayEvent> { get }

    /// A new notice, or in place of the one with its identifier. Does not block.
    func show(_ notice: Notice)
    /// Does not block.
    func close(_ id: UInt64)
    /// Takes what it shows away, as far as that goes within a moment.
    func shutdown() async
}

package enum NoticeDisplayEvent: Hashable, Sendable {
    /// The button, or the notice itself.
    case invoked(UInt64)
    /// One of the buttons of a question.
    case answered(UInt64, accepts: Bool)
    /// One of the buttons of an arrival.
    case arrival(UInt64, ArrivalAction)
    /// One of the buttons of a reminder.
    case reminder(UInt64, ReminderNoticeAnswer)
    /// By the person, or by the display after a while.
    case closed(UInt64)
}
