package import BatonCloud
import BatonCore
import Foundation

/// The duties of every driver of blobs.
package enum BlobStoreConformance {
    package typealias Rule = Check<any BlobStore>

    private static let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    private static func address(_ content: Data, space: String = "aa") throws -> BlobAddress {
        guard let space = BlobSpace(space) else { throw ConformanceFailure(description: "a space's name") }
        return BlobAddress(space: space, hash: BlobHash(of: content))
    }

    package static let rules: [Rule] = [
        Rule("A blob comes in parts, and is there when it is finished") { store in
            let address = try address(content)
            try requireEqual(try await store.received(address), 0, "what has come")
            try await store.append(content.prefix(1000), to: address, at: 0)
            try requireEqual(try await store.received(address), 1000, "what has come")
            try require(try await store.size(of: address) == nil, "not there before it is finished")
            try await store.append(content.dropFirst(1000), to: address, at: 1000)
            try await store.finish(address)
            try requireEqual(try await store.size(of: address), 100_000, "its size")
            try requireEqual(try await store.read(address, range: 0..<100_000), content, "its bytes")
            try requireEqual(
                try await store.read(address, range: 500..<1500), content.subdata(in: 500..<1500), "some of its bytes")
            try requireEqual(try await store.received(address), 0, "nothing of an upload is left")
            try await store.finish(address)
        },
        Rule("A part must begin where the one before ended") { store in
            let address = try address(content)
            try await store.append(content.prefix(1000), to: address, at: 0)
            for wrong: UInt64 in [0, 999, 1001, .max >> 1] {
                try await requireRefusal("wrong_offset", .failedPrecondition, "an offset of \(wrong)") {
                    try await store.append(Data([1]), to: address, at: wrong)
                }
            }
            try requireEqual(try await store.received(address), 1000, "what has come")
        },
        Rule("Bytes that are not what the name says never become the blob") { store in
            let address = try address(content)
            for wrong in [content.dropLast(), content + Data([0]), Data(content.reversed()), Data()] {
                if !wrong.isEmpty { try await store.append(wrong, to: address, at: 0) }
                try await requireRefusal("blob_mismatch", .invalidArgument, "\(wrong.count) bytes") {
                    try await store.finish(address)
                }
                try requireEqual(try await store.received(address), 0, "what came is dropped")
                try require(try await store.size(of: address) == nil, "it is not there")
            }
            try await store.append(content, to: address, at: 0)
            try await store.finish(address)
        },
        Rule("A blob that is there already stays when it comes again, right or wrong") { store in
            let address = try address(content)
            try await store.append(content, to: address, at: 0)
            try await store.finish(address)
            try await store.append(Data("other".utf8), to: address, at: 0)
            try await store.finish(address)
            try requireEqual(try await store.read(address, range: 0..<100_000), content, "its bytes")
        },
        Rule("An unfinished upload can be dropped, and a blob that is there cannot") { store in
            let address = try address(content)
            try await store.dropUpload(address)
            try await store.append(content.prefix(1000), to: address, at: 0)
            try await store.dropUpload(address)
            try requireEqual(try await store.received(address), 0, "what has come")
            try await requireRefusal("wrong_offset", .failedPrecondition, "going on") {
                try await store.append(content.dropFirst(1000), to: address, at: 1000)
            }
            try await store.append(content, to: address, at: 0)
            try await store.finish(address)
            try await store.dropUpload(address)
            try requireEqual(try await store.size(of: address), 100_000, "the blob's size")
        },
        Rule("A blob may be empty") { store in
            let address = try address(Data())
            try await store.finish(address)
            try requireEqual(try await store.size(of: address), 0, "its size")
            try requireEqual(try await store.read(address, range: 0..<0), Data(), "its bytes")
        },
        Rule("A blob belongs to one space, and is removed from there") { store in
            let (here, there) = (try address(content), try address(content, space: "bb"))
            for address in [here, there] {
                try await store.append(content, to: address, at: 0)
                try await store.finish(address)
            }
            try await store.remove(here)
            try await store.remove(here)
            try require(try await store.size(of: here) == nil, "removed")
            try await requireRefusal("unknown_blob", .notFound, "reading it") {
                try await store.read(here, range: 0..<1)
            }
            try requireEqual(try await store.size(of: there), 100_000, "the other's")
            try await store.append(content.prefix(10), to: here, at: 0)
            try await store.remove(here)
            try requireEqual(try await store.received(here), 0, "an upload is removed too")
        },
    ]
}
