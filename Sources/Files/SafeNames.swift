/// The names of one folder: makes each that is added safe, and different from those before it in more than case.
package struct SafeNames: Hashable, Sendable {
    private let mayBeHidden: Bool
    private var keys: Set<String> = []
    /// The last number tried for a name, so that many of one name cost little.
    private var numbers: [String: Int] = [:]

    package init(mayBeHidden: Bool = false) { self.mayBeHidden = mayBeHidden }

    package mutating func add(_ bytes: some Collection<UInt8>) -> String {
        let name = SafeName(bytes: bytes, mayBeHidden: mayBeHidden)
        let key = SafeName.collisionKey(name.text)
        var number = numbers[key] ?? 1
        var candidate = name.numbered(number)
        while !keys.insert(SafeName.collisionKey(candidate)).inserted {
            number += 1
            candidate = name.numbered(number)
        }
        numbers[key] = number
        return candidate
    }
}
