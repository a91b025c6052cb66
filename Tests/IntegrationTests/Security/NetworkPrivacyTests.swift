import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration.SecurityTests {
    @Suite("The network's view")
    struct NetworkPrivacyTests {
        private static let claims = AppByHand.Claims(
            bundleID: "org.example.secretnotes", name: "Secret Notes", types: ["org.example.secretnotes.editing"])
        private static let title = "Grandmother's recipe"
        private static let page = "tea-with-lemon-and-4711-roses"

        @Test("The search finds what is hidden in each of the forms that it knows")
        func search() {
            let text = Self.page
            let bytes = Array(text.utf8)
            let padding = Data("some text before it "[...].utf8)
            var samples: [(String, Data)] = [
                ("text", Data(text.uppercased().utf8)),
                ("UTF-16, little end first", text.data(using: .utf16LittleEndian) ?? Data()),
                ("UTF-16, big end first", text.data(using: .utf16BigEndian) ?? Data()),
                ("hexadecimal", Data(bytes.map { String(format: "%02X", $0) }.joined().utf8)),
            ]
            for shift in 0..<3 {
                samples.append(("base64", (padding.prefix(shift) + Data(bytes) + padding).base64EncodedData()))
            }
            for shift in 0..<5 {
                samples.append(("base32", Data(Base32.encode(padding.prefix(shift) + Data(bytes) + padding).utf8)))
            }
            for (name, sample) in samples {
                let haystack = Data(Disguises.lowercased(Data([1, 2, 3]) + sample + Data([4, 5])))
                #expect(Disguises(of: text).found(in: haystack).contains(name))
            }
            #expect(Disguises(of: text).found(in: Data(Disguises.lowercased(padding))).isEmpty)
        }

        @Test("Nothing that names anybody is sent while devices are found, pair, offer, continue and rotate (H-11)")
        func capture() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (first, second) = (household[0], household[1])
                let capture = try await Capture.start(on: 0, of: household)
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                try await household.pair(first, with: second)
                try await first.isConnected(to: second)
                try await Self.handOff(from: first, to: second)
                // New names, and a new discovery key.
                try await second.restart()
                try await second.isConnected(to: first)
                var secrets = try await Self.secrets(of: household)
                try await first.baton("device", "revoke", second.name, "--yes")
                secrets += try Self.keys(of: household)
                let bytes = Data(Disguises.lowercased(try await capture.stop()))
                // The capture holds what it should: announcements, the pairing, TLS.
                for part in ["_baton", "_baton-pair", "/baton.link.v1.PairingService/Exchange", ".baton"] {
                    #expect(bytes.range(of: Data(part.lowercased().utf8)) != nil, "\(part) was not captured")
                }
                for (name, disguises) in secrets {
                    #expect(disguises.found(in: bytes).isEmpty, "\(name) was sent")
                }
            }
        }

        /// One activity, from one device's app to the other's.
        private static func handOff(from first: TestDevice, to second: TestDevice) async throws {
            let (origin, receiver) = (
                try await AppByHand.attach(to: first, claims), try await AppByHand.attach(to: second, claims)
            )
            try await origin.makeCurrent(type: claims.types[0], title: title)
            let offer = try await second.offer(ofType: claims.types[0], title: title)
            async let saved = origin.serve(saving: page) { if case .wasContinued = $0.kind { true } else { false } }
            async let continued = receiver.serve { if case .continueActivity = $0.kind { true } else { false } }
            let steps = try await second.continue(offer.offerID)
            #expect(steps.last?.step == .acknowledged, "\(steps)")
            let payload = try await continued.continueActivity.payload
            #expect(payload.userInfo.dictionary.entries.first?.value.string == page)
            _ = try await saved
            await origin.detach()
            await receiver.detach()
        }

        private static func secrets(of household: TestHousehold) async throws -> [(String, Disguises)] {
            var texts = [
                claims.bundleID, claims.name, claims.types[0], title, page, ProcessInfo.processInfo.hostName,
            ]
            let host = ProcessInfo.processInfo.hostName
            // However short the name is: as multicast DNS would say it.
            let label = [UInt8(clamping: host.utf8.count)] + Array(host.utf8) + [5] + Array("local".utf8)
            var secrets = [("the host's name", Disguises(of: label))]
            for device in household.devices {
                let status = try await device.call(ControlMethods.getStatus)
                texts += [device.name, status.accountID, status.deviceID, device.home]
                for id in [status.accountID, status.deviceID] {
                    // The sixteen whole bytes that the text stands for.
                    secrets.append((id, Disguises(of: Array(Base32.decode(id + "AAAAAA")?.prefix(16) ?? []))))
                }
            }
            return secrets + Set(texts).map { ($0, Disguises(of: $0)) }
        }

        /// Private keys, the content key, and the discovery keys.
        private static func keys(of household: TestHousehold) throws -> [(String, Disguises)] {
            try household.devices.flatMap { device in
                try StoredKeys(of: device).all.map { ("\($0.name) of \(device.name)", Disguises(of: $0.bytes)) }
            }
        }

        @Test("Two runs of a daemon announce different instances, hosts and TXT values (H-11)")
        func unlinkable() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let device = household[0]
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                var runs: [[String: Set<String>]] = []
                for number in 0..<2 {
                    try await device.stop()
                    // Heard by another machine, which is what counts.
                    let capture = try await Capture.start(on: 1, of: household, "run-\(number)")
                    try await device.start()
                    try await device.until("\(device.name) to be announced") {
                        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: capture.path))) ?? Data()
                        // The TXT record's entry of the device.
                        return bytes.range(of: Data([28] + Array("d=".utf8))) != nil
                    }
                    _ = try await capture.stop()
                    runs.append(try await Self.announced(capture))
                }
                for kind in ["instance", "host", "text"] {
                    let (one, other) = (runs[0][kind] ?? [], runs[1][kind] ?? [])
                    #expect(!one.isEmpty && !other.isEmpty, "\(kind) was not captured: \(runs)")
                    #expect(one.isDisjoint(with: other), "\(kind) stayed the same")
                }
            }
        }

        private static func announced(_ capture: Capture) async throws -> [String: Set<String>] {
            var found: [String: Set<String>] = [:]
            let rows = try await capture.fields(
                ["dns.resp.name", "dns.srv.target", "dns.txt"], filter: "mdns && dns.flags.response == 1")
            for row in rows where row.count == 3 {
                for name in row[0].split(separator: ",") where name.hasSuffix("._baton._tcp.local") {
                    found["instance", default: []].insert(String(name))
                }
                for host in row[1].split(separator: ",") { found["host", default: []].insert(String(host)) }
                for text in row[2].split(separator: ",") where text.contains("=") {
                    found["text", default: []].insert(String(text))
                }
            }
            return found
        }
    }
}
