package import BatonCore

/// The answer to an `/Ask` that was accepted. Any status but 200 means that it was not.
package struct AskAnswer: Hashable, Sendable {
    package var computerName: String?
    package var modelName: String?

    package init(computerName: String?, modelName: String?) {
        self.computerName = computerName
        self.modelName = modelName
    }

    /// - Throws: as ``DiscoverRequest``.
    package init(_ body: [UInt8]) throws(BatonError) {
        let value = try BinaryPropertyList.decode(body, limits: .init(size: AirDropLimits.answerSize))
        let fields = try PropertyListFields(value, "/Ask")
        computerName = try fields.displayedText("ReceiverComputerName")
        modelName = try fields.displayedText("ReceiverModelName")
    }

    package var body: [UInt8] {
        var members: [String: PropertyListValue] = [:]
        members.set("ReceiverComputerName", text: computerName)
        members.set("ReceiverModelName", text: modelName)
        return BinaryPropertyList.encode(.dictionary(members))
    }
}
