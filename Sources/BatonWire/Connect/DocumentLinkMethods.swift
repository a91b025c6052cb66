/// `baton.link.v1.DocumentLinkService`
package enum DocumentLinkMethods {
    private static let service = "baton.link.v1.DocumentLinkService"

    package static let findContents = ConnectMethod<
        Baton_Link_V1_FindContentsRequest, Baton_Link_V1_FindContentsResponse
    >(service, "FindContents")
    package static let readRuns = ConnectMethod<Baton_Link_V1_ReadRunsRequest, Baton_Link_V1_ReadRunsResponse>(
        service, "ReadRuns")
    package static let readContent = ConnectMethod<Baton_Link_V1_ReadContentRequest, Baton_Link_V1_ReadContentPart>(
        service, "ReadContent")
    package static let keepContents = ConnectMethod<
        Baton_Link_V1_KeepContentsRequest, Baton_Link_V1_KeepContentsResponse
    >(service, "KeepContents")
}
