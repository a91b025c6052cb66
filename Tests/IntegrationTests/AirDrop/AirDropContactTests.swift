import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Two people with accounts of their own who become contacts, and a stranger on the same network.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AirDropContactTests {
        private struct Nearby: Decodable {
            struct Peer: Decodable {
                var id: String
                var name: String
                var contact: Bool
                var ownDevice: Bool
            }
            var peers: [Peer]
        }
        private struct Contacts: Decodable {
            struct Contact: Decodable {
                var id: String
                var name: String
            }
            var contacts: [Contact]
        }
        private struct Code: Decodable { var code: String }

        private func nearby(_ device: TestDevice) async throws -> [Nearby.Peer] {
            try await device.baton("nearby", "--seconds", "3").decode(Nearby.self).peers
        }

        private func contacts(_ device: TestDevice) async throws -> [String] {
            try await device.baton("contacts").decode(Contacts.self).contacts.map(\.name)
        }

        /// As two people who compare the codes and type them.
        private func become(_ one: TestDevice, _ other: TestDevice) async throws {
            let adding = try [one, other].map { try $0.startBaton(["contacts", "add"]) }
            var codes: [String] = []
            for process in adding {
                let line = try await within(.seconds(30), "a code") {
                    try await process.output.first { $0.contains(#""event":"code""#) ? $0 : nil }
                }
                codes.append(try JSONDecoder().decode(Code.self, from: Data((line?.found ?? "").utf8)).code)
            }
            #expect(codes[0] == codes[1])
            for process in adding { process.write("yes") }
            for process in adding {
                let status = try await within(.seconds(30), "the end") { try await process.status() }
                #expect(status == 0, "\(process.errors.all)")
            }
        }

        private func receive(on device: TestDevice) async throws -> ChildProcess {
            let receiving = try device.startBaton(["receive", "--accept"])
            try await within(.seconds(20), "the receiver to be ready") {
                try await receiving.output.expect { $0.contains(#""event":"ready""#) ? $0 : nil }
            }
            return receiving
        }

        /// The certificate that a stranger sees who connects and is silent.
        private func certificate(of device: TestDevice, from other: TestDevice) async throws -> String {
            let process = try ChildProcess(
                other.prefix + ["openssl", "s_client", "-connect", "\(device.address):22868", "-noservername"])
            _ = try await within(.seconds(20), "the connection") { try await process.status() }
            try await process.output.waitForEnd()
            return process.output.all.joined(separator: "\n")
        }

        @Test("contacts see each other and send; a stranger does neither; nor do they once one was removed (A-1)")
        func send() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (anna, ben, carl) = (household[0], household[1], household[2])
                for (device, name) in [(anna, "Annas Notebook"), (ben, "Bens Workstation")] {
                    _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = name })
                }
                let capture = try await Capture.start(on: 0, of: household)
                try await become(anna, ben)
                #expect(try await contacts(anna) == ["Bens Workstation"])
                #expect(try await contacts(ben) == ["Annas Notebook"])
                for device in [anna, ben] { try await device.baton("airdrop", "contacts") }

                let seen = try await nearby(anna)
                #expect(seen.map(\.name) == ["Bens Workstation"])
                #expect(seen.allSatisfy { $0.contact && !$0.ownDevice })
                let file = household.directory + "/photo.bin"
                let content = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) })
                try content.write(to: URL(fileURLWithPath: file))
                let receiving = try await receive(on: ben)
                try await anna.baton("send", file, "--to", "Bens Workstation")
                let arrived = ben.home + "/Downloads/photo.bin"
                #expect(try Data(contentsOf: URL(fileURLWithPath: arrived)) == content)
                let asked = try await within(.seconds(20), "the question to be reported") {
                    try await receiving.output.expect { $0.contains(#""event":"asked""#) ? $0 : nil }.found
                }
                #expect(asked.contains(#""contact":true"#) && asked.contains("Annas Notebook"), "\(asked)")
                let explained = try await anna.baton("explain", "airdrop", "Bens Workstation").lines.joined()
                #expect(explained.contains("has proved its key"), "\(explained)")

                // A stranger sees no device, sends nothing, and is shown no certificate.
                #expect(try await nearby(carl).isEmpty)
                let refused = try await carl.baton(["send", file, "--to", "Bens Workstation"], expecting: nil)
                #expect(refused.status != 0)
                #expect(!(try await certificate(of: ben, from: carl)).contains("BEGIN CERTIFICATE"))
                let bytes = Data(Disguises.lowercased(try await capture.stop()))
                for name in ["Annas Notebook", "Bens Workstation"] {
                    #expect(Disguises(of: name).found(in: bytes).isEmpty)
                }

                // Off hides from contacts, too; everyone shows a contact once, as a contact.
                try await ben.baton("airdrop", "off")
                #expect(try await nearby(anna).isEmpty)
                try await ben.baton("airdrop", "everyone")
                #expect(try await nearby(anna).map(\.contact) == [true])
                #expect(try await nearby(carl).map(\.contact) == [false])
                try await ben.baton("airdrop", "contacts")

                // The kept contact counts after a restart.
                try await ben.restart()
                #expect(try await nearby(anna).map(\.name) == ["Bens Workstation"])

                try await ben.baton("contacts", "remove", "annas")
                #expect(try await nearby(anna).isEmpty)
                #expect(try await nearby(ben).isEmpty)
                let again = try await anna.baton(["send", file, "--to", "Bens Workstation"], expecting: nil)
                #expect(again.status != 0)
                #expect(!FileManager.default.fileExists(atPath: ben.home + "/Downloads/photo 2.bin"))
            }
        }

        @Test("a person who says no makes nobody a contact, and the other one hears it; no account is needed (A-1)")
        func declined() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (anna, ben) = (household[0], household[1])
                let adding = try [anna, ben].map { try $0.startBaton(["contacts", "add"]) }
                for process in adding {
                    try await within(.seconds(30), "a code") {
                        try await process.output.expect { $0.contains(#""event":"code""#) ? $0 : nil }
                    }
                }
                adding[0].write("no")
                #expect(try await within(.seconds(30), "the end") { try await adding[0].status() } != 0)
                // The one that called ends with the reason; the one that was called waits for the next attempt.
                try await within(.seconds(30), "the other person to hear it") {
                    do {
                        try await adding[1].output.expect { $0.contains("attempt_ended") ? $0 : nil }
                    } catch {
                        // Its output has ended, so it has.
                        let status = try await adding[1].status()
                        #expect(status != 0)
                    }
                }
                await adding[1].end()
                #expect(try await contacts(anna).isEmpty)
                #expect(try await contacts(ben).isEmpty)
                try await become(anna, ben)
                #expect(try await contacts(anna).count == 1)
            }
        }
    }
}
