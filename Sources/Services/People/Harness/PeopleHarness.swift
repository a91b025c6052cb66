import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line about people.
package struct PeopleHarness: Sendable {
    private let service: PeopleService

    package init(_ service: PeopleService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(PeopleMethods.listPeople) { [self] request, _ in
            let limit = request.limit == 0 ? 100 : Int(min(request.limit, 1000))
            let people = try await service.resolve(request.word).prefix(limit)
            let schemes = service.openSchemes()
            return .with { $0.people = people.map { card($0, schemes) } }
        }
        router.unary(PeopleMethods.showPerson) { [self] request, _ in
            let person = try await service.person(request.person)
            let interactions = try await service.interactions(with: person)
            return .with {
                $0.person = card(person, service.openSchemes())
                $0.interactions = interactions.map { interaction in
                    .with {
                        $0.app = .init(interaction.app)
                        $0.appName = service.name(of: interaction.app)
                        $0.intent = interaction.intent
                        $0.time = interaction.time
                        $0.incoming = interaction.isIncoming
                    }
                }
            }
        }
        router.unary(PeopleMethods.contactPerson) { [service] request, _ in
            guard let action = PersonAction(request.action) else {
                throw BatonError(.invalidArgument, reason: "unknown_action", "Say whether to message or to call.")
            }
            let outcome = try await service.act(
                action, person: request.person, text: request.text, way: request.way)
            return .with {
                $0.way = outcome.way.way.selector
                $0.wayName = outcome.way.name
                $0.personName = outcome.person.name
                $0.handled = outcome.isHandled
            }
        }
        router.unary(PeopleMethods.resetPersonDefault) { [service] request, _ in
            let count = try await service.resetDefaults(of: try await service.person(request.person))
            return .with { $0.reset = UInt32(clamping: count) }
        }
        router.unary(PeopleMethods.forgetDonations) { [service] request, _ in
            let count: Int
            switch request.what {
            case .bundleID(let id)?: count = try await service.forget(.app(try BundleID(validating: id)))
            case .since(let time)?: count = try await service.forget(.since(time))
            case .all(true)?: count = try await service.forget(.all)
            case .all(false)?, nil:
                throw BatonError(.invalidArgument, reason: "nothing_named", "Say what is to be forgotten.")
            }
            return .with { $0.interactions = UInt32(clamping: count) }
        }
    }

    private func card(_ person: PersonSummary, _ schemes: Set<String>) -> Baton_Control_V1_PersonCard {
        .with {
            $0.personID = person.id
            $0.name = person.name
            $0.contactIdentifier = person.contactIdentifier ?? ""
            $0.fromApp = person.fromApp ?? ""
            $0.addresses = person.addresses.map { address in
                .with {
                    $0.kind = .init(address.kind)
                    $0.value = address.value
                    $0.label = address.label
                    $0.service = address.service
                }
            }
            $0.ways = PersonAction.allCases.flatMap { action in
                person.ways(for: action, schemes: schemes).map { way in
                    .with {
                        $0.action = .init(action)
                        $0.way = way.way.selector
                        $0.name = way.name
                        $0.default = way.isDefault
                        $0.donated = way.isDonated
                    }
                }
            }
        }
    }
}

extension PersonAction {
    /// Nil for one that this version does not know.
    init?(_ message: Baton_Control_V1_PersonAction) {
        switch message {
        case .message: self = .message
        case .call: self = .call
        case .video: self = .video
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

extension Baton_Control_V1_PersonAction {
    init(_ action: PersonAction) {
        self =
            switch action {
            case .message: .message
            case .call: .call
            case .video: .video
            }
    }
}

extension Baton_Control_V1_PersonAddress.Kind {
    init(_ kind: PersonSummary.Address.Kind) {
        self =
            switch kind {
            case .email: .email
            case .telephone: .telephone
            case .instantMessage: .instantMessage
            case .socialProfile: .socialProfile
            }
    }
}
