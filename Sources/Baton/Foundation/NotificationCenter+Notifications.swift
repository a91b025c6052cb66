public import Foundation

extension NotificationCenter {
    /// The notifications of a name, as they are posted. Apple's; Foundation on Linux has no such sequence.
    ///
    /// ```swift
    /// for await _ in NotificationCenter.default.notifications(named: UIApplication.didBecomeActiveNotification) { … }
    /// ```
    ///
    /// It begins to listen when it is iterated, and ends with the task. One that is slow misses nothing of the newest 1,000.
    /// - Parameter object: only those of this poster, which the sequence does not hold; nil for all.
    ///
    /// Apple: <https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)>
    public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications
    {
        Notifications(center: self, name: name, object: object)
    }

    // @unchecked: constants; the center may be used by any thread.
    /// See ``notifications(named:object:)``.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// One notification.
        public typealias Element = Notification
        /// It does not throw.
        public typealias Failure = Never

        private let center: NotificationCenter
        private let name: Notification.Name
        private weak let object: (any AnyObject & Sendable)?
        private let isOfOneObject: Bool

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
            isOfOneObject = object != nil
        }

        /// Begins to listen.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Posted.self, bufferingPolicy: .bufferingNewest(1_000))
            // An object that is gone posts nothing.
            if isOfOneObject, object == nil {
                continuation.finish()
                return Iterator(stream, nil)
            }
            let token = center.addObserver(forName: name, object: object, queue: nil) {
                continuation.yield(Posted(notification: $0))
            }
            return Iterator(stream, Observation(center, token))
        }

        /// Gives one notification after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private var posted: AsyncStream<Posted>.Iterator
            private let observation: Observation?

            fileprivate init(_ stream: AsyncStream<Posted>, _ observation: Observation?) {
                posted = stream.makeAsyncIterator()
                self.observation = observation
            }

            /// The next one; nil when the task was cancelled.
            public mutating func next() async -> Notification? {
                await posted.next(isolation: #isolation)?.notification
            }

            /// The next one; nil when the task was cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await posted.next(isolation: actor)?.notification
            }
        }

        // @unchecked: a notification goes from its poster to the one iterator, as on Apple's systems.
        fileprivate struct Posted: @unchecked Sendable {
            let notification: Notification
        }

        // @unchecked: constants, which any thread may use.
        /// Listens until the iterator is let go.
        fileprivate final class Observation: @unchecked Sendable {
            private let center: NotificationCenter
            private let token: any NSObjectProtocol

            init(_ center: NotificationCenter, _ token: any NSObjectProtocol) {
                self.center = center
                self.token = token
            }

            deinit { center.removeObserver(token) }
        }
    }
}
