import BatonCore
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf

/// Asks a person for what stands on the paper with the recovery key, or reads it from a pipe.
struct RecoveryQuestions: Sendable {
    let session: CommandSession
    /// From options; nil for what is to be asked.
    let cloud: String?
    let fingerprint: String?

    /// How often an answer may be none.
    private static let attempts = 3

    /// - Throws: before anything is asked, for options that are malformed.
    func ask() async throws -> RecoverySheet {
        var reader = try reader()
        if isPersonThere {
            try await askForCloud(&reader)
            try await askForFingerprint(&reader)
            if !reader.isComplete { try session.prompt("Recovery code:") }
        }
        while !reader.isComplete, let line = await nextLine() {
            // An empty line ends a code that is too short.
            if line.allSatisfy(\.isWhitespace) { break }
            reader.take(line)
        }
        let sheet = try reader.sheet()
        try Self.check(sheet.cloud, sheet.fingerprint)
        return sheet
    }

    /// - Throws: a usage error for options that are malformed.
    func check() throws { _ = try reader() }

    private func reader() throws -> RecoverySheetReader {
        let bytes = try fingerprint.map { text in
            guard let bytes = RecoverySheet.fingerprint(text) else {
                throw CommandFailure.usage(
                    "--fingerprint takes the 64 hexadecimal digits that “baton-cloud serve” prints.")
            }
            return bytes
        }
        if let cloud { try Self.check(cloud, bytes ?? []) }
        return RecoverySheetReader(cloud: cloud, fingerprint: bytes)
    }

    private static func check(_ cloud: String, _ fingerprint: [UInt8]) throws {
        try CloudEndpoint(url: cloud, certificate: fingerprint.isEmpty ? nil : fingerprint, timestamp: .zero)
            .checkAddress()
    }

    private func askForCloud(_ reader: inout RecoverySheetReader) async throws {
        for _ in 0..<Self.attempts where reader.cloud == nil && !reader.isComplete {
            try session.prompt("Address of the account's cloud, as on the paper (https://…):")
            guard let line = await nextLine() else { return }
            // Written down without what every address begins with.
            let isBare = !line.contains("://") && line.contains(".") && !line.contains(" ")
            reader.take(isBare ? "https://\(line)" : line)
        }
    }

    private func askForFingerprint(_ reader: inout RecoverySheetReader) async throws {
        // Beside an address on the command line stands its fingerprint, if it has one.
        guard cloud == nil, reader.fingerprint == nil, !reader.isComplete else { return }
        try session.prompt("Digits of its certificate, if the paper has any (else press Enter):")
        while reader.fingerprint == nil, !reader.isComplete, let line = await nextLine() {
            if line.allSatisfy(\.isWhitespace) { return }
            reader.take(line)
        }
    }

    /// The input is one that is shared: ``SharedLines``.
    private func nextLine() async -> String? {
        var lines = session.context.input.lines().makeAsyncIterator()
        return await lines.next()
    }

    private var isPersonThere: Bool { session.context.terminal.isInputInteractive && !session.isJSON }

    // MARK: Entering

    /// - Parameter here: also when the account's devices say there that its cloud is another one.
    func recover(
        _ sheet: RecoverySheet, name: String, here: Bool
    ) async throws -> Baton_Control_V1_RecoverAccountResponse {
        try await session.call(
            ControlMethods.recoverAccount,
            .with {
                $0.code = sheet.code.text
                $0.cloudURL = sheet.cloud
                $0.cloudCertificate = Data(sheet.fingerprint)
                $0.deviceName = name
                $0.here = here
            }, timeout: .seconds(120))
    }

    static let next = "Revoke the devices that are lost: see “baton devices” and “baton device revoke”."
}
