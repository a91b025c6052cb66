import SwiftProtobuf

extension Baton_Link_V1_Stage {
    /// One stage of an explanation.
    /// - Parameters:
    ///   - finding: what was found, a whole sentence.
    ///   - advice: what to do about it; empty when there is nothing to do.
    package init(_ name: String, _ verdict: Verdict, _ finding: String, _ advice: String = "") {
        self.init()
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }
}
