package import BatonCore

/// The facts that `baton setup` and `baton doctor` see of this machine, and the one thing that they start. Every function blocks.
package protocol Machine: Sendable {
    /// Runs a program to its end, for 20 seconds at most.
    /// - Returns: nil where there is no such program, or it did not end.
    func run(_ command: [String], environment: [String: String]) -> ProgramResult?
    /// The path of a program; nil where there is none.
    /// - Parameter folder: is looked into before the search path.
    func find(_ program: String, in folder: String, environment: [String: String]) -> String?
    /// The beginning of a file; nil where it cannot be read.
    func text(of path: String) -> String?
    /// Why nothing can be kept in a directory, whether it is there or is yet to be made; nil when it can.
    func obstacle(toWritingIn directory: String) -> String?
    /// Whether a program answers at a unix socket. Nil for one that cannot be asked.
    func answers(atSocket path: String) -> Bool?
    /// The owner of a TCP port.
    func owner(ofPort port: Int) -> PortOwner
    /// Network interfaces that are up.
    func interfaces() -> [NetworkInterface]
    /// Why UDP port 5353 cannot be shared with other programs that use multicast DNS; nil when it can.
    func obstacleToMulticast() -> String?
    /// The name of a running process; nil where there is none of that number.
    func processName(_ processID: Int32) -> String?
    /// Starts a program that goes on when this command and its terminal have ended.
    /// - Parameter log: takes what it prints, and is emptied first.
    /// - Returns: its process.
    func start(_ command: [String], environment: [String: String], log: String) throws(BatonError) -> Int32
    /// Ends a process that ``start(_:environment:log:)`` has started, and waits for its end.
    func end(_ processID: Int32)
}

/// How a program ended, and what it printed, errors included.
package struct ProgramResult: Sendable, Equatable {
    package var status: Int32
    package var output: String

    package init(status: Int32, output: String) {
        self.status = status
        self.output = output
    }
}

/// The owner of a port.
package enum PortOwner: Sendable, Equatable {
    case nobody
    /// - Parameters:
    ///   - process: 0 where another user has it.
    ///   - name: of its program; empty where that is not known.
    case process(Int32, name: String)
}

/// A network interface that is up.
package struct NetworkInterface: Sendable, Equatable {
    package var name: String
    package var isLoopback: Bool
    package var hasMulticast: Bool

    package init(name: String, isLoopback: Bool, hasMulticast: Bool) {
        self.name = name
        self.isLoopback = isLoopback
        self.hasMulticast = hasMulticast
    }
}
