import ArgumentParser
import BatonCore
import BatonWire
import Foundation

/// What a shell offers when Tab is pressed: asked of the daemon; nothing when it does not answer at once.
enum DynamicCompletion {
    static let devices = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listDevices, .init(), timeout: patience).devices
                .filter { !$0.revoked && !$0.thisDevice }.map(\.name)
        }
    }

    static let apps = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listApps, .init(), timeout: patience).apps.map(\.identity.bundleID)
        }
    }

    static let settings = CompletionKind.custom { words, _, _ in
        await offer(words) { session in
            try await session.call(ControlMethods.listSettings, .init(), timeout: patience).settings.map(\.name)
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
                $0.properties.isAlphabetic || "0123456789.-_ ".unicodeScalars.contains($0)
            }
        }
    }
}
