import ArgumentParser
import BatonClient
import BatonCore
import BatonTrust
import BatonWire
import Foundation

/// Completions that come from the daemon when Tab is pressed; none when it does not answer at once.
enum DynamicCompletion {
    static let devices = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listDevices, .init(), timeout: patience).devices
                .filter { !$0.revoked && !$0.thisDevice }.map(\.name)
        }
    }

    /// Those to send to: own devices and contacts, which it lists without asking the network.
    static let peers = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            let devices = try? await session.call(ControlMethods.listDevices, .init(), timeout: patience).devices
            let own = (devices ?? []).filter { !$0.revoked && !$0.thisDevice && !$0.recoveryKey }.map(\.name)
            return own
                + (try await session.call(AirDropMethods.listContacts, .init(), timeout: patience).contacts.map(\.name))
        }
    }

    static let apps = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listApps, .init(), timeout: patience).apps.map(\.identity.bundleID)
        }
    }

    static let contacts = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(AirDropMethods.listContacts, .init(), timeout: patience).contacts.map(\.name)
        }
    }

    /// Containers, and the apps that have one.
    static let containers = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(DocumentsMethods.listContainers, .init(), timeout: patience).containers
                .flatMap { [$0.identifier] + $0.apps }
        }
    }

    /// The person's folders, here and elsewhere.
    static let folders = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(FoldersMethods.listFolders, .init(), timeout: patience).folders.map(\.name)
        }
    }

    static let settings = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listSettings, .init(), timeout: patience).settings.map(\.name)
        }
    }

    /// The values of the setting that stands before.
    static let settingValues = CompletionKind.custom { words, index, _ in
        await offer(words) { session in
            let settings = try await session.call(ControlMethods.listSettings, .init(), timeout: patience).settings
            let before = Set(words.prefix(max(0, index)))
            return settings.first { before.contains($0.name) }?.values ?? []
        }
    }

    static let offers = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            let lists = try await session.stream(ControlMethods.watchOffers, .init())
            for try await list in lists {
                let length = ShownIdentifier.length(list.offers.map(\.offerID))
                return list.offers.map { String($0.offerID.prefix(length)) }
            }
            return []
        }
    }

    /// From the files of the teams: no daemon is needed.
    static let teams = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            let store = try session.teams
            return try await blocking { try store.list() }.flatMap { [$0.identity.id.rawValue, $0.name] }
        }
    }

    private static let patience = Duration.seconds(1)

    private static func offer(
        _ words: [String], _ names: (CommandSession) async throws -> [String]
    ) async -> [String] {
        var options = GlobalOptions()
        options.json = false
        options.home = zip(words, words.dropFirst()).first { $0.0 == "--home" }?.1
        let session = CommandSession(context: .system(), options: options)
        // A name that a shell would have to quote in a way of its own is left out.
        return ((try? await names(session)) ?? []).filter { name in
            name.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789.-_ %".unicodeScalars.contains($0)
            }
        }
    }
}
