import BatonCore
import BatonTestSupport
import BatonTrust
import Crypto
import Devices
import Foundation
import Testing

@Suite("The book of contacts")
struct ContactBookTests {
    private func contact(_ name: String) throws -> TrustedDevice {
        try TrustedDevice(
            name: name, publicKey: Array(P256.Signing.PrivateKey().publicKey.x963Representation),
            privateKey: Array(P256.Signing.PrivateKey().x963Representation),
            tokenKey: [UInt8](repeating: 7, count: 32), added: 1)
    }

    private func book(_ folder: String) -> TrustedDeviceBook {
        TrustedDeviceBook(folder: folder, recorder: NullEventRecorder())
    }

    @Test("contacts survive a restart, in a file that is the person's alone, until they are removed (A-1)")
    func kept() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("airdrop")
        let (anna, ben) = (try contact("Anna"), try contact("Ben"))
        let first = book(folder)
        try first.add(ben)
        try first.add(anna)
        #expect(book(folder).all == [anna, ben])
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/contacts.json")[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        #expect(try first.remove("ANNA") == anna)
        #expect(book(folder).all == [ben])
    }

    @Test("a name, an identifier, or the beginning of one says which; several are refused")
    func named() throws {
        let directory = try TemporaryDirectory()
        let book = book(directory.path)
        let contacts = try ["Anna", "Annabel", "Ben"].map { try contact($0) }
        for contact in contacts { try book.add(contact) }
        #expect(throws: BatonError.self) { try book.remove("Ann") }
        #expect(throws: BatonError.self) { try book.remove("") }
        #expect(throws: BatonError.self) { try book.remove("Zoe") }
        #expect(try book.remove("anna").name == "Anna")
        #expect(try book.remove("be").name == "Ben")
        #expect(try book.remove(String(contacts[1].id.rawValue.prefix(10))).name == "Annabel")
    }

    @Test("a file that was damaged is set aside, and there are so many contacts and no more")
    func bounds() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path
        try Data("[{".utf8).write(to: URL(fileURLWithPath: folder + "/contacts.json"))
        let book = book(folder)
        #expect(book.all.isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder + "/contacts.json.damaged"))
        for number in 0..<TrustedDeviceTokens.maximumContacts { try book.add(try contact("\(number)")) }
        #expect(throws: BatonError.self) { try book.add(try contact("one more")) }
        #expect(book.all.count == TrustedDeviceTokens.maximumContacts)
    }
}
