import BatonCore
import BatonTestSupport
import BatonTrust
import Crypto
import Foundation
import Testing

@Suite struct TeamTests {
    @Test("H-3, H-4: a Team ID follows from the team's public key, as published")
    func teamIDVector() throws {
        // Independent of the product: SHA-256 of the prefix and the key, its first 10 characters in base32.
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(0..<32))
        let team = try TeamKey(name: "Example", key: key)
        let hash = SHA256.hash(data: Data("baton-team-v1\0".utf8) + key.publicKey.rawRepresentation)
        #expect(team.identity.fingerprint == Array(hash))
        #expect(team.identity.id.rawValue == "\(Base32.encode(hash).prefix(10))")
        #expect(TeamKey.identity(ofPublicKey: team.publicKey) == team.identity)
    }

    @Test func `a team survives being written and read`() throws {
        let team = try TeamKey(name: "Ünïcode & Co. 猫")
        let copy = try TeamKey(text: team.text)
        #expect(copy.identity == team.identity)
        #expect(copy.name == team.name)
        let signature = try copy.signature(of: [1, 2, 3])
        #expect(TeamKey.isSignature(signature, of: [1, 2, 3], byPublicKey: team.publicKey))
        #expect(!TeamKey.isSignature(signature, of: [1, 2, 4], byPublicKey: team.publicKey))
    }

    @Test(arguments: ["", " a", "a ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 65)])
    func `a team's name that a person could not read back is refused`(name: String) {
        #expect(throws: BatonError.self) { try TeamKey(name: name) }
    }

    @Test func `texts that are not a team's file are refused with a reason`() throws {
        let text = try TeamKey(name: "A").text
        let other = try TeamKey(name: "B")
        let hostile = [
            "", "-----BEGIN PRIVATE KEY-----", String(repeating: "A", count: 5000),
            text.replacing("-----END PRIVATE KEY-----", with: ""),
            text.replacing("MC4CAQAwBQYDK2Vw", with: "MC4CAQAwBQYDK2Vu"),
            text.replacing(#/Team: .*/#, with: "Team: \(other.identity.id)"),
            text.replacing(#/Name: .*/#, with: "Name: a\u{202E}b"),
        ]
        for text in hostile {
            let error = #expect(throws: BatonError.self) { try TeamKey(text: text) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `damaged team files never crash the reader`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let original = Array(try TeamKey(name: "A").text.utf8)
        for _ in 0..<500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            _ = try? TeamKey(text: String(decoding: bytes, as: UTF8.self))
        }
        print("seed \(seed)")
    }
}

@Suite struct TeamStoreTests {
    let temporary: TemporaryDirectory
    let store: TeamStore
    init() throws {
        temporary = try TemporaryDirectory()
        store = TeamStore(directory: temporary.file("config/teams"))
    }

    @Test func `teams are made, listed, found by name and by Team ID, exported and imported`() throws {
        #expect(try store.list().isEmpty)
        let b = try store.create(name: "B")
        let a = try store.create(name: "A")
        #expect(try store.list().map(\.name) == ["A", "B"])
        #expect(try store.load(a.identity.id).identity == a.identity)
        #expect(try store.load(named: "B").identity == b.identity)
        #expect(try store.load(named: b.identity.id.rawValue).name == "B")

        let other = TeamStore(directory: temporary.file("other"))
        let imported = try other.importTeam(try store.export(a.identity.id))
        #expect(imported.identity == a.identity)
        #expect(try other.list().map(\.name) == ["A"])
    }

    @Test func `a team's file is for its owner alone`() throws {
        let team = try store.create(name: "A")
        let path = temporary.file("config/teams/\(team.identity.id).team")
        #expect(temporary.permissions("config/teams/\(team.identity.id).team") == 0o600)
        #expect(temporary.permissions("config/teams") == 0o700)
        chmod(path, 0o644)
        let error = #expect(throws: BatonError.self) { try store.load(team.identity.id) }
        #expect(error?.reason == "team_file_exposed")
    }

    @Test func `a team that is not there, and two of one name, are told apart`() throws {
        #expect(#expect(throws: BatonError.self) { try store.load(named: "Nobody") }?.reason == "team_unknown")
        _ = try store.create(name: "Twice")
        _ = try store.create(name: "Twice")
        #expect(#expect(throws: BatonError.self) { try store.load(named: "Twice") }?.reason == "team_ambiguous")
    }

    @Test func `a team's file under another team's name is refused`() throws {
        let a = try store.create(name: "A")
        let b = try store.create(name: "B")
        let directory = temporary.file("config/teams/")
        rename(directory + "\(a.identity.id).team", directory + "\(b.identity.id).team")
        #expect(#expect(throws: BatonError.self) { try store.load(b.identity.id) }?.reason == "team_file_mismatch")
    }
}
