import AppSessions
package import BatonCore
package import BatonTransport
package import BatonWire
import SwiftProtobuf

/// Handoff's methods on each plane: decodes, calls the service, encodes.
package struct HandoffHarness: Sendable {
    private let service: HandoffService

    package init(service: HandoffService) { self.service = service }

    // MARK: Apps

    /// Registers the methods for apps and the command line.
    package func registerLocal(on router: inout ConnectRouter) {
        registerApp(on: &router)
        registerStreams(on: &router)
        registerControl(on: &router)
    }

    private func registerApp(on router: inout ConnectRouter) {
        router.app(ActivityMethods.updateActivity) { [service] request, caller in
            let session = try service.sessions.session(request.sessionID, of: caller)
            let activity = try service.description(request.activity)
            try service.update(activity, of: session.id, makeCurrent: request.makeCurrent)
            return .init()
        }
        router.app(ActivityMethods.resignActivity) { [service] request, caller in
            let session = try service.sessions.session(request.sessionID, of: caller)
            try service.resign(try ActivityID(validating: request.activityID), of: session.id)
            return .init()
        }
        router.app(ActivityMethods.invalidateActivity) { [service] request, caller in
            let session = try service.sessions.session(request.sessionID, of: caller)
            try service.invalidate(try ActivityID(validating: request.activityID), of: session.id)
            return .init()
        }
    }

    private func registerStreams(on router: inout ConnectRouter) {
        router.appPipe(ContinuationStreamMethods.openStream) { [service] request, caller, upgrade in
            let session = try service.sessions.session(request.sessionID, of: caller)
            let acceptance = try AcceptanceID(validating: request.acceptanceID)
            try await service.openStream(acceptance, by: session.id, upgrade: upgrade)
        }
        router.appPipe(ContinuationStreamMethods.acceptStream) { [service] request, caller, upgrade in
            let session = try service.sessions.session(request.sessionID, of: caller)
            let stream = try StreamID(validating: request.streamID)
            try await service.acceptStream(stream, by: session.id, upgrade: upgrade)
        }
    }

    // MARK: Other devices

    /// - Parameter router: one that checks that callers are members of the account.
    package func registerLink(on router: inout ConnectRouter) {
        router.unary(HandoffMethods.fetchPayload) { [self] request, context in
            try await payload(request, by: try context.device)
        }
        router.unary(HandoffMethods.acknowledgeContinuation) { [service] request, context in
            let device = try context.device
            let acceptance = try AcceptanceID(validating: request.acceptanceID)
            try service.continuedElsewhere(acceptance, try ActivityID(validating: request.activityID), by: device)
            return .init()
        }
        router.unary(HandoffMethods.explainActivity) { [service] request, context in
            let device = try context.device
            let offer = try Offer(request.offer)
            return .with { $0.stages = service.explain(offer, of: device) }
        }
        router.pipe(HandoffMethods.openStream) { [service] request, context, upgrade in
            let device = try context.device
            let acceptance = try AcceptanceID(validating: request.acceptanceID)
            let activity = try ActivityID(validating: request.activityID)
            try await service.streamRequested(acceptance, activity, by: device, upgrade: upgrade)
        }
    }

    private func payload(
        _ request: Baton_Link_V1_FetchPayloadRequest, by device: DeviceID
    ) async throws -> Baton_Link_V1_FetchPayloadResponse {
        let acceptance = try AcceptanceID(validating: request.acceptanceID)
        let activity = try ActivityID(validating: request.activityID)
        let app = request.pageOnly ? nil : try AppIdentity(request.app)
        switch try await service.payloadRequested(acceptance, activity, by: device, for: app) {
        case .success(let payload):
            let message = await service.devices.outgoing(payload, for: app)
            return .with { $0.payload = message }
        case .failure(let failure):
            return .with { $0.error = .init(failure) }
        }
    }

    // MARK: People

    private func registerControl(on router: inout ConnectRouter) {
        router.unary(ControlMethods.listActivities) { [service] _, _ in
            let published = Set(service.published.offers.map(\.activity.id))
            let connected = service.devices.all.filter(\.value).keys.map(service.devices.name).sorted()
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
                acceptance: acceptance, device: service.devices.name(of: offer.origin),
                app: request.callerOpensPage ? nil : offer.app?.name)
            try await writer.write(report.accepted)
            for await (step, elapsed) in steps { try await writer.write(report.event(step, elapsed)) }
        }
    }

    private func item(_ visible: VisibleOffer) -> Baton_Control_V1_OfferItem {
        .with {
            $0.offerID = visible.offer.activity.id.rawValue
            $0.deviceID = visible.origin.rawValue
            $0.deviceName = service.devices.name(of: visible.origin)
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

extension HandoffService {
    /// Handles the offers of another device. A snapshot that breaks a rule is refused whole; the previous one stays.
    package func offersReceived(_ message: Baton_Link_V1_OfferSnapshot, from device: DeviceID) {
        do {
            let snapshot = try OfferSnapshot(message, limit: configuration.maximumOffers)
            offersReceived(snapshot, from: device)
        } catch {
            let name = devices.name(of: device)
            recorder.record(
                "handoff", "offers_refused", "The offers of \(name) were refused: \(error.message)",
                ["device_id": device.rawValue, "reason": error.reason])
        }
    }
}
