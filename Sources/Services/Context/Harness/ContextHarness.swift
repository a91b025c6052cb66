import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line about what happens around the person.
package struct ContextHarness: Sendable {
    private let service: ContextService

    package init(_ service: ContextService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(ContextMethods.getContext) { [service] _, _ in
            let report = service.report()
            return .with {
                $0.place = report.place ?? ""
                $0.inputs = report.inputs.map { input, state, detail in
                    .with {
                        $0.name = input.rawValue
                        $0.state = Self.state(state)
                        $0.detail = detail
                    }
                }
                $0.events = report.recent.map { occurrence in
                    .with {
                        $0.text = occurrence.event.sentence
                        $0.time = occurrence.time
                    }
                }
            }
        }
        router.unary(ContextMethods.listStayPlaces) { [service] _, _ in
            let places = service.places().map(Self.message)
            return .with { $0.places = places }
        }
        router.unary(ContextMethods.nameStayPlace) { [service] request, _ in
            try await service.name(request.placeID, request.name)
            return .init()
        }
        router.unary(ContextMethods.forgetStayPlaces) { [service] request, _ in
            let what: ContextService.Forgotten
            switch request.what {
            case .placeID(let id)?: what = .place(id)
            case .name(let name)?: what = .named(name)
            case .since(let time)?: what = .since(time)
            case .all(true)?: what = .all
            case .all(false)?, nil:
                throw BatonError(.invalidArgument, reason: "nothing_named", "Say what is to be forgotten.")
            }
            let count = try await service.forget(what)
            return .with { $0.places = UInt32(clamping: count) }
        }
    }

    private static func state(_ state: ContextInputState) -> Baton_Control_V1_ContextInput.State {
        switch state {
        case .followed: .followed
        case .absent: .absent
        case .off: .off
        case .failed: .failed
        }
    }

    private static func message(_ known: ContextService.Place) -> Baton_Control_V1_StayPlace {
        .with {
            $0.placeID = known.place.id
            $0.name = known.place.name
            $0.learned = known.learned ?? ""
            if let position = known.place.position {
                $0.latitude = position.latitude
                $0.longitude = position.longitude
            }
            $0.networks = known.place.networks
            $0.stays = UInt32(clamping: known.place.stays)
            $0.nights = UInt32(clamping: known.place.nightCount)
            $0.workdays = UInt32(clamping: known.place.workdayCount)
            $0.lastSeen = known.place.lastSeen
            $0.here = known.isHere
        }
    }
}

extension ContextEvent {
    /// For people.
    var sentence: String {
        switch self {
        case .headphones(let connected, let name): "Headphones “\(name)” \(connected ? "connected" : "gone")."
        case .car(let connected, let name): "Car “\(name)” \(connected ? "connected" : "gone")."
        case .device(let connected, let name): "“\(name)” \(connected ? "connected" : "gone")."
        case .arrived(let place): "Arrived at \(place)."
        case .left(let place): "Left \(place)."
        case .locked(let locked): locked ? "Locked." : "Unlocked."
        case .woke: "Woke from sleep."
        case .appOpened(let app): "\(app.bundleID) opened."
        case .personContacted(let handle, _, let app): "\(handle) was reached\(app.isEmpty ? "" : ", says “\(app)”")."
        }
    }
}
