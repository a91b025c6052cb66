package import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Handoff's methods on each plane: decodes, calls the service, encodes.
package struct HandoffHarness: Sendable {
    private let service: HandoffService

    package init(service: HandoffService) { self.service = service }

    // MARK: Apps

    package func registerApp(on router: inout ConnectRouter) {
        router.serverStream(AppMethods.attach) { [service] request, context, writer in
            let process = try context.process
            try process.checkUnchanged()
            let (session, commands) = try service.attach(request, process: process)
            defer { service.detach(session) }
            for await command in commands { try await writer.write(command) }
        }
        router.unary(AppMethods.updateActivity) { [service] request, context in
            try service.updateActivity(request, process: try context.process)
            return .init()
        }
        router.unary(AppMethods.resignActivity) { [service] request, context in
            try service.resignActivity(request, process: try context.process)
            return .init()
        }
        router.unary(AppMethods.invalidateActivity) { [service] request, context in
            try service.invalidateActivity(request, process: try context.process)
            return .init()
        }
        router.unary(AppMethods.completeCommand) { [service] request, context in
            try service.completeCommand(request, process: try context.process)
            return .init()
        }
    }

    package func registerStreams(on router: inout ConnectRouter) {
        router.pipe(AppMethods.openStream) { [service] request, context, upgrade in
            try await service.openStream(request, process: try context.process, upgrade: upgrade)
        }
        router.pipe(AppMethods.acceptStream) { [service] request, context, upgrade in
            try await service.acceptStream(request, process: try context.process, upgrade: upgrade)
        }
    }

    // MARK: Other devices

    /// - Parameter isMember: asked at each call. TLS lets in devices that may have joined elsewhere, and a connection may
    ///   outlive its device's membership.
    package func registerLink(
        on router: inout ConnectRouter, isMember: @escaping @Sendable (DeviceID) -> Bool
    ) {
        router.unary(LinkMethods.fetchPayload) { [service] request, context in
            try await service.payloadRequested(request, by: try Self.device(context, isMember))
        }
        router.unary(LinkMethods.acknowledgeContinuation) { [service] request, context in
            try service.continuedElsewhere(request, by: try Self.device(context, isMember))
            return .init()
        }
        router.unary(LinkMethods.explainActivity) { [service] request, context in
            let device = try Self.device(context, isMember)
            let offer = try Offer(request.offer)
            return .with { $0.stages = service.explain(offer, of: device) }
        }
        router.pipe(LinkMethods.openStream) { [service] request, context, upgrade in
            try await service.streamRequested(request, by: try Self.device(context, isMember), upgrade: upgrade)
        }
    }

    private static func device(
        _ context: CallContext, _ isMember: (DeviceID) -> Bool
    ) throws(BatonError) -> DeviceID {
        guard case .device(let device) = context.peer else {
            throw BatonError(.unauthenticated, reason: "not_a_device", "Only a device of the account may call this.")
        }
        guard isMember(device) else {
            throw BatonError(
                .permissionDenied, reason: "not_a_member",
                "The calling device does not belong to the account, or not any more.")
        }
        return device
    }

    // MARK: People

    package func registerControl(on router: inout ConnectRouter) {
        router.unary(ControlMethods.listActivities) { [service] _, _ in
            let published = Set(service.published.offers.map(\.activity.id))
            let connected = service.peers.devices().filter(\.value).keys.map(service.peers.name).sorted()
            return .with {
                $0.activities = service.localActivities().map { entry in
                    .with {
                        $0.activity = .init(entry.activity.description)
                        $0.app = .init(entry.app.identity)
                        $0.processID = UInt32(clamping: entry.process)
                        $0.current = entry.isCurrent
                        $0.updated = entry.activity.timestamp.milliseconds
                        $0.sentTo = published.contains(entry.activity.description.id) ? connected : []
                    }
                }
            }
        }
        router.serverStream(ControlMethods.watchOffers) { [service] request, _, writer in
            for await _ in service.offerChanges() {
                try await writer.write(.with { $0.offers = service.offers().map(item) })
                if !request.watch { break }
            }
        }
        router.serverStream(ControlMethods.continueOffer) { [service] request, _, writer in
            let (acceptance, offer, steps) = try service.accept(
                request.offerID, callerOpensPage: request.callerOpensPage)
            let report = ContinuationReport(
                acceptance: acceptance, device: service.peers.name(of: offer.origin),
                app: request.callerOpensPage ? nil : offer.app?.name)
            try await writer.write(report.accepted)
            for await (step, elapsed) in steps { try await writer.write(report.event(step, elapsed)) }
        }
    }

    private func item(_ visible: VisibleOffer) -> Baton_Control_V1_OfferItem {
        .with {
            $0.offerID = visible.offer.activity.id.rawValue
            $0.deviceID = visible.origin.rawValue
            $0.deviceName = service.peers.name(of: visible.origin)
            $0.offer = .init(visible.offer)
            if let app = visible.app {
                $0.app = .init(app.identity)
                $0.appName = app.name
            }
            $0.obstacle = visible.obstacle ?? ""
            $0.route =
                switch visible.route {
                case .activity: .activity
                case .pageInApp: .pageInApp
                case .pageInBrowser: .pageInBrowser
                }
        }
    }
}
