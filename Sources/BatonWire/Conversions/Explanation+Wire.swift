extension Baton_Control_V1_Explanation {
    /// Healthy if every stage is.
    package init(_ subject: String, _ stages: [Baton_Link_V1_Stage]) {
        self.init()
        self.subject = subject
        self.stages = stages
        healthy = stages.allSatisfy { $0.verdict == .ok }
    }
}
