/// Tables keep the room that they had at most. What ten thousand files that come at once need would stay for good.
private let fewItems = 1024

extension Dictionary {
    /// Gives the room of a large table back once nothing is in it.
    package mutating func giveBackRoom() { if isEmpty, capacity > fewItems { self = [:] } }
}

extension Set {
    /// Gives the room of a large set back once nothing is in it.
    package mutating func giveBackRoom() { if isEmpty, capacity > fewItems { self = [] } }
}
