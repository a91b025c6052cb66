/// How far an index of a zone's items has come. Those of another index are none of this one.
package struct ItemPosition: Sendable {
    /// Distinguishes indices.
    final class Index: Sendable {}

    let index: Index
    /// How many changes came before.
    let number: Int
}

/// The items of a zone that changed after a position.
package struct ZoneChanges: Sendable {
    /// Nil: they are not known any more.
    package let names: [String]?
    /// As it is with these changes.
    package let position: ItemPosition
}
