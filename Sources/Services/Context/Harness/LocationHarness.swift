package import BatonCore
package import BatonStore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps about where the device is, and the command line about which of them may know.
package struct LocationHarness: Sendable {
    private let context: ContextService
    private let access: AppPermissions
    /// The installed app, or the program in development, of a bundle identifier.
    private let app: @Sendable (BundleID) -> AppIdentity

    package init(
        _ context: ContextService, access: AppPermissions,
        app: @escaping @Sendable (BundleID) -> AppIdentity
    ) {
        self.context = context
        self.access = access
        self.app = app
    }

    package func register(on router: inout ConnectRouter) {
        router.app(LocationMethods.getLocationAccess) { [self] request, app in
            .with { $0.access = .init(access.permission(of: app.identity)) }
        }
        router.appStream(LocationMethods.requestLocationAccess) { [self] request, app, writer in
            let app = app.named(request.displayName)
            try await writer.write(.init())
            let permission = try await access.request(app.identity, name: app.name)
            try await writer.write(.with { $0.access = .init(permission) })
        }
        router.appStream(LocationMethods.watchLocation) { [self] request, app, writer in
            try await watch(app.identity, writer)
        }
        router.unary(LocationAccessMethods.listLocationAccess) { [access] _, _ in
            .with {
                $0.apps = access.all().map { app, isAllowed in
                    .with {
                        $0.bundleID = app.bundleID.rawValue
                        $0.teamID = app.team.isDevelopment ? "" : app.team.id.rawValue
                        $0.allowed = isAllowed
                    }
                }
            }
        }
        router.unary(LocationAccessMethods.setLocationAccess) { [self] request, _ in
            let identity = app(try BundleID(validating: request.bundleID))
            try await access.set(request.hasAllowed ? request.allowed : nil, for: identity)
            return .init()
        }
    }

    private func watch(
        _ app: AppIdentity, _ writer: ConnectWriter<Baton_App_V1_WatchLocationResponse>
    ) async throws {
        let decisions = access.changes()
        try access.check(app)
        try await writer.write(.init())
        let clock = context.clock
        try await context.followPositions { last, positions in
            if let last { try await writer.write(Self.message(last.position, last.time)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [access] in
                    for await _ in decisions { try access.check(app) }
                }
                group.addTask { [access] in
                    for await position in positions {
                        try access.check(app)
                        try await writer.write(Self.message(position, clock.milliseconds))
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        try Task.checkCancellation()
    }

    private static func message(_ position: DevicePosition, _ time: UInt64) -> Baton_App_V1_WatchLocationResponse {
        .with { answer in
            answer.position = .with {
                $0.latitude = position.latitude
                $0.longitude = position.longitude
                $0.accuracy = position.accuracy
                if let altitude = position.altitude { $0.altitude = altitude }
                if let speed = position.speed { $0.speed = speed }
                if let heading = position.heading { $0.heading = heading }
                $0.time = time
            }
        }
    }
}

extension Baton_App_V1_LocationAccess {
    init(_ permission: AppPermissions.Permission) {
        self =
            switch permission {
            case .notDetermined: .notDetermined
            case .denied: .denied
            case .authorized: .authorized
            }
    }
}
