import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Attacks of strangers on a device that everyone may see, and their knowledge of one that not everyone may.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AirDropStrangerTests {
        private static let script = Products.package + "/Tests/Support/airdrop_sender.py"

        private func start(_ attack: String, at receiver: TestDevice, from other: TestDevice) throws -> ChildProcess {
            try ChildProcess(other.prefix + ["python3", Self.script, receiver.address, "22868", attack])
        }

        private func attack(
            _ attack: String, at receiver: TestDevice, from other: TestDevice
        ) async throws -> [Int] {
            let process = try start(attack, at: receiver, from: other)
            _ = try await within(.seconds(40), attack) { try await process.status() }
            try await process.output.waitForEnd()
            let line = try #require(process.output.all.last, "\(process.errors.all)")
            return try JSONDecoder().decode([Int].self, from: Data(line.utf8))
        }

        private func receive(on device: TestDevice) async throws -> ChildProcess {
            let receiving = try device.startBaton(["receive", "--accept"])
            try await within(.seconds(20), "the receiver to be ready") {
                try await receiving.output.expect { $0.contains(#""event":"ready""#) ? $0 : nil }
            }
            return receiving
        }

        @Test("nothing is taken but from whom it was accepted, once; what breaks off leaves nothing (A-1)")
        func uploads() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (receiver, other) = (household[0], household[1])
                let receiving = try await receive(on: receiver)
                try await receiver.baton("airdrop", "everyone")
                let downloads = receiver.home + "/Downloads"
                func names() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: downloads).sorted()
                }
                #expect(try await attack("unasked", at: receiver, from: other) == [409])
                #expect(try await attack("other_client", at: receiver, from: other) == [200, 409, 200, 409])
                #expect(try names() == ["one.bin"])
                #expect(try String(contentsOfFile: downloads + "/one.bin", encoding: .utf8) == "right")

                #expect(try await attack("one_name", at: receiver, from: other) == [200, 200])
                #expect(try names() == ["A 2.txt", "A 3.TXT", "a.txt", "one.bin"])

                let before = receiving.output.count
                #expect(try await attack("killed", at: receiver, from: other) == [200])
                try await within(.seconds(20), "the end of what broke off") {
                    try await receiving.output.expect(from: before) {
                        $0.contains(#""result":"failed""#) && $0.contains("airdrop_sender_gone") ? $0 : nil
                    }
                }
                #expect(try names().count == 4)

                let large = try await attack("large_question", at: receiver, from: other)
                #expect(large.first ?? 0 > 2 << 20 && large.last == 200, "\(large)")
            }
        }

        @Test("strangers who hold connections and questions open keep a friend out of nothing (A-1)")
        func held() async throws {
            try await TestHousehold.with(2) { household in
                let (receiver, friend) = (household[0], household[1])
                try await receiver.baton("settings", "set", "airdrop-own-devices", "accept")
                try await receiver.baton("airdrop", "everyone")
                let strangers = try start("held", at: receiver, from: friend)
                let second = try start("held", at: receiver, from: friend)
                for process in [strangers, second] {
                    try await within(.seconds(20), "the strangers") {
                        try await process.output.expect { $0.contains("12") ? $0 : nil }
                    }
                }
                let file = household.directory + "/file.bin"
                try Data("from a friend".utf8).write(to: URL(fileURLWithPath: file))
                try await friend.baton("send", file, "--to", receiver.name)
                #expect(
                    try String(contentsOfFile: receiver.home + "/Downloads/file.bin", encoding: .utf8)
                        == "from a friend")
                await strangers.end()
                await second.end()
            }
        }

        @Test("strangers who ask and hang up at once, each from another address, keep no other stranger out")
        func hangingUp() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (receiver, attacker, other) = (household[0], household[1], household[2])
                // No person answers: the questions would wait for a minute.
                try await receiver.baton("airdrop", "everyone")
                #expect(try await attack("hang_up", at: receiver, from: attacker) == [3])
                let receiving = try await receive(on: receiver)
                #expect(try await attack("once", at: receiver, from: other) == [200, 200])
                await receiving.end()
            }
        }

        @Test("a hundred connections from as many addresses do not cut an upload that was accepted")
        func flooded() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (receiver, attacker, other) = (household[0], household[1], household[2])
                let receiving = try await receive(on: receiver)
                try await receiver.baton("airdrop", "everyone")
                let sending = try start("slow", at: receiver, from: other)
                try await within(.seconds(20), "the acceptance") {
                    _ = try await sending.output.expect { $0.contains("200") ? $0 : nil }
                }
                let strangers = try start("flood", at: receiver, from: attacker)
                try await within(.seconds(30), "the strangers") {
                    _ = try await strangers.output.expect { $0.contains("100") ? $0 : nil }
                }
                sending.write("go on")
                _ = try await within(.seconds(30), "the upload") { try await sending.status() }
                try await sending.output.waitForEnd()
                #expect(sending.output.all.last == "[200, 200]")
                await strangers.end()
                await receiving.end()
            }
        }

        @Test("off and in contacts, nothing of AirDrop is announced, and no port of it answers (A-1)")
        func hidden() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (device, other) = (household[0], household[1])
                let name = "Grandmothers Laptop"
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = name })
                let capture = try await Capture.start(on: 0, of: household)
                for visibility in ["contacts", "off"] {
                    try await device.baton("airdrop", visibility)
                    let nearby = try await other.baton("nearby", "--seconds", "2").lines.joined()
                    #expect(!nearby.contains(name))
                    let open = try ChildProcess(
                        other.prefix + ["bash", "-c", "echo > /dev/tcp/\(device.address)/22868"])
                    #expect(try await within(.seconds(20), "a connection") { try await open.status() } != 0)
                }
                let bytes = Data(Disguises.lowercased(try await capture.stop()))
                #expect(Disguises(of: name).found(in: bytes).isEmpty)
                let answers = try await capture.fields(
                    ["dns.ptr.domain_name"], filter: "mdns && ip.src == \(device.address) && dns.flags.response == 1")
                #expect(!answers.joined().contains { $0.contains("_airdrop") }, "\(answers)")
            }
        }
    }
}
