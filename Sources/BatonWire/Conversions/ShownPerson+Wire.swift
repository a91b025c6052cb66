package import BatonCore
import SwiftProtobuf

extension ShownPerson {
    package var message: Baton_Value_V1_ShownPerson {
        .with {
            $0.name = name
            $0.addresses = addresses
            $0.contactIdentifier = contactIdentifier ?? ""
        }
    }

    /// As another device may know them: names and addresses that are short enough, and no card of this device.
    package var messageForOtherDevice: Baton_Value_V1_ShownPerson {
        .with {
            $0.name = name.shortened(toBytes: 64)
            $0.addresses = Array(addresses.lazy.filter { $0.utf8.count <= 96 }.prefix(2))
        }
    }

    /// Those of an app or of another device, bounded. Messages that describe no person are left out.
    /// - Parameter isOwn: whether it comes from an app of this device, which may name a card.
    package static func people(_ messages: [Baton_Value_V1_ShownPerson], isOwn: Bool) -> [ShownPerson] {
        distinct(
            messages.prefix(maximumPeople).compactMap { message in
                ShownPerson(
                    name: message.name, addresses: Array(message.addresses.prefix(maximumAddresses)),
                    contactIdentifier: isOwn ? message.contactIdentifier : nil)
            })
    }
}
