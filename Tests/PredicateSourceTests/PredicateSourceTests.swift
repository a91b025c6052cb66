import Baton
import Foundation
import Testing

/// The lines of the source, unchanged, as another module compiles them.
@Suite("The source's query", .timeLimit(.minutes(1))) struct PredicateSourceTests {
    @Test("NSPredicate(format:) and the query's set-up compile and work as written (D-26, D-27)")
    func source() {
        let metadataQuery = NSMetadataQuery()
        let predicate = NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, "a.txt")
        metadataQuery.predicate = predicate
        metadataQuery.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        #expect(predicate.evaluate(with: [NSMetadataItemFSNameKey: "a.txt"]))
        #expect(!predicate.evaluate(with: [NSMetadataItemFSNameKey: "b.txt"]))
        #expect(metadataQuery.searchScopes.count == 1)
    }

    @Test("Other formats compile with any arguments, or none")
    func formats() {
        let date = Date()
        #expect(NSPredicate(format: "TRUEPREDICATE").evaluate(with: nil))
        #expect(NSPredicate(format: "%K LIKE %@", "name", "*.txt").evaluate(with: ["name": "a.txt"]))
        #expect(NSPredicate(format: "size > %d AND size < %ld", 1, 5).evaluate(with: ["size": 3]))
        #expect(NSPredicate(format: "date <= %@", date as NSDate).evaluate(with: ["date": date]))
        #expect(NSPredicate(format: "name IN %@", argumentArray: [["a", "b"]]).evaluate(with: ["name": "b"]))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "a == 1"), NSPredicate(block: { object, _ in object != nil }),
        ])
        #expect(both.evaluate(with: ["a": 1]))
        #expect(!both.evaluate(with: ["a": 2]))
        let copy = NSPredicate(format: "a == 1").copy() as? NSPredicate
        #expect(copy == NSPredicate(format: "a = 1"))
    }

    @Test("A format that is wrong matches nothing, and says where it is wrong to who asks")
    func wrong() {
        #expect(!NSPredicate(format: "a ==").evaluate(with: ["a": 1]))
        #expect(!NSPredicate(format: "NOT $x == 1").evaluate(with: ["a": 1]))
        #expect(!NSPredicate(format: "%K == %@", "a").evaluate(with: ["a": 1]))
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(checkedFormat: "a == 1 b") }
        #expect(error?.offset == 7)
        #expect(error?.code == "unexpected_token")
    }

    @Test("Sort descriptors have keys, as on Apple's systems")
    func sorting() {
        let descriptor = NSSortDescriptor(key: NSMetadataItemFSNameKey, ascending: false)
        #expect(descriptor.key == NSMetadataItemFSNameKey)
        #expect(
            descriptor.compare([NSMetadataItemFSNameKey: "a"], to: [NSMetadataItemFSNameKey: "b"]) == .orderedDescending
        )
        #expect(NSSortDescriptor(key: nil, ascending: true).compare(1, to: 2) == .orderedAscending)
        #expect(NSSortDescriptor(keyPath: \String.count, ascending: true).key == nil)
        let folded = NSSortDescriptor(key: "n", ascending: true) {
            (($0 as? String) ?? "").lowercased().compare((($1 as? String) ?? "").lowercased())
        }
        #expect(folded.compare(["n": "B"], to: ["n": "a"]) == .orderedDescending)
        #expect(folded.compare(["n": "B"], to: ["m": "a"]) == .orderedDescending)
    }
}
