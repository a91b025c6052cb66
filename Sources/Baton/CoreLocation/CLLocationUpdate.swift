/// Where the device is, or why that is not known. CoreLocation's.
///
/// ```swift
/// for try await update in CLLocationUpdate.liveUpdates() {
///     if let location = update.location { show(location) }
/// }
/// ```
///
/// The person is asked by ``CLLocationManager/requestWhenInUseAuthorization()``; until the app may know, updates have no location.
///
/// Apple: <https://developer.apple.com/documentation/corelocation/cllocationupdate>
public struct CLLocationUpdate: Sendable {
    /// The purpose. Makes no difference here.
    public enum LiveConfiguration: Int, Sendable {
        /// Anything.
        case `default` = 0
        /// Driving.
        case automotiveNavigation = 1
        /// Going by boat or train.
        case otherNavigation = 2
        /// Walking, running or cycling.
        case fitness = 3
        /// Flying.
        case airborne = 4
    }

    /// Where the device is; nil while that is not known.
    public let location: CLLocation?
    /// Whether the app may not know.
    public let authorizationDenied: Bool
    /// Whether it is not known: there is no daemon, or GeoClue knows nothing.
    public let locationUnavailable: Bool
    /// Whether the device rests. Never said here.
    public var stationary: Bool { false }

    /// The updates from now on, the newest where the app is slow. They end with the task; what fails is tried again after 5 s.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(client: LocationClient(runtime: .current))
    }

    /// See ``CLLocationUpdate/liveUpdates(_:)``.
    public struct Updates: AsyncSequence, Sendable {
        /// One update.
        public typealias Element = CLLocationUpdate
        let client: LocationClient

        /// Begins to follow.
        public func makeAsyncIterator() -> Iterator {
            let (updates, continuation) = AsyncStream.makeStream(
                of: CLLocationUpdate.self, bufferingPolicy: .bufferingNewest(1))
            // Unstructured: it ends with the stream, which ends when the iterator is let go or its task is cancelled.
            let following = Task { [client] in await Self.follow(client, into: continuation) }
            continuation.onTermination = { _ in following.cancel() }
            return Iterator(updates: updates.makeAsyncIterator())
        }

        private static func follow(
            _ client: LocationClient, into updates: AsyncStream<CLLocationUpdate>.Continuation
        ) async {
            while !Task.isCancelled {
                do {
                    try await client.follow {
                        updates.yield(
                            CLLocationUpdate(location: $0, authorizationDenied: false, locationUnavailable: false))
                    }
                } catch is CancellationError {
                    return
                } catch {
                    let isDenied = (error as? CLError)?.code == .denied
                    updates.yield(
                        CLLocationUpdate(location: nil, authorizationDenied: isDenied, locationUnavailable: !isDenied))
                }
                try? await Task.sleep(for: .seconds(5))
            }
        }

        /// Gives one update after the other.
        public struct Iterator: AsyncIteratorProtocol {
            var updates: AsyncStream<CLLocationUpdate>.Iterator

            /// The next one; nil when the task was cancelled.
            public mutating func next() async throws -> CLLocationUpdate? { await updates.next(isolation: #isolation) }
        }
    }
}
