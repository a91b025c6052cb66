import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// An app's half of knowing where the device is: asks the daemon.
struct LocationClient: Sendable {
    private let runtime: AppRuntime

    init(runtime: AppRuntime) { self.runtime = runtime }

    private func checkSocket() throws {
        guard runtime.profile.socketPath != nil else {
            throw CLError(.locationUnknown, "Baton's daemon cannot be reached: its socket is not known.")
        }
    }

    func status() async throws -> CLAuthorizationStatus {
        try checkSocket()
        let answer = try await runtime.link.call(LocationMethods.getLocationAccess, .init(), timeout: .seconds(5))
        return Self.status(answer.access)
    }

    static func status(_ access: Baton_App_V1_LocationAccess) -> CLAuthorizationStatus {
        switch access {
        case .authorized: .authorizedAlways
        case .denied: .denied
        case .notDetermined, .unspecified, .UNRECOGNIZED: .notDetermined
        }
    }

    /// Waits for the person.
    func requestAccess() async throws -> CLAuthorizationStatus {
        try checkSocket()
        let profile = runtime.profile
        let answers = try await runtime.link.stream(
            LocationMethods.requestLocationAccess,
            .with {
                $0.displayName = profile.displayName
            })
        for try await answer in answers where answer.access != .unspecified { return Self.status(answer.access) }
        return .notDetermined
    }

    /// - Throws: ``CLError``; `CancellationError`.
    func location(within patience: Duration) async throws -> CLLocation {
        try await withThrowingTaskGroup(of: CLLocation.self) { group in
            group.addTask {
                let (positions, give) = AsyncStream.makeStream(
                    of: CLLocation.self, bufferingPolicy: .bufferingNewest(1))
                async let following: Void = follow(into: give)
                for await position in positions { return position }
                try await following
                throw CLError(.locationUnknown, "The location of this device cannot be determined now.")
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw CLError(.locationUnknown, "The location of this device cannot be determined now.")
            }
            defer { group.cancelAll() }
            guard let location = try await group.next() else { throw CLError(.locationUnknown) }
            return location
        }
    }

    /// The stream ends with the following, so that who waits for a position hears of its error.
    private func follow(into give: AsyncStream<CLLocation>.Continuation) async throws {
        defer { give.finish() }
        try await follow { give.yield($0) }
    }

    /// Calls the body with each position, until the daemon ends the stream.
    /// - Throws: ``CLError``; `CancellationError`.
    func follow(_ body: @escaping @Sendable (CLLocation) -> Void) async throws {
        do {
            try checkSocket()
            let answers = try await runtime.link.stream(LocationMethods.watchLocation, .init())
            for try await answer in answers where answer.hasPosition { body(Self.location(answer.position)) }
        } catch let error as BatonError {
            try Task.checkCancellation()
            throw CLError(error.code == .permissionDenied ? .denied : .locationUnknown, error.message)
        }
    }

    static func location(_ position: Baton_App_V1_DevicePosition) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude),
            altitude: position.hasAltitude ? position.altitude : 0, horizontalAccuracy: position.accuracy,
            verticalAccuracy: position.hasAltitude ? max(position.accuracy, 1) : -1,
            course: position.hasHeading ? position.heading : -1, speed: position.hasSpeed ? position.speed : -1,
            timestamp: Date(timeIntervalSince1970: Double(position.time) / 1000))
    }
}
