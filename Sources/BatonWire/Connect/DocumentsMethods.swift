/// `baton.control.v1.DocumentsService`
package enum DocumentsMethods {
    private static let service = "baton.control.v1.DocumentsService"

    package static let listContainers = ConnectMethod<
        Baton_Control_V1_ListContainersRequest, Baton_Control_V1_ListContainersResponse
    >(service, "ListContainers")
    package static let listDocuments = ConnectMethod<
        Baton_Control_V1_ListDocumentsRequest, Baton_Control_V1_ListDocumentsResponse
    >(service, "ListDocuments")
    package static let changeDocument = ConnectMethod<
        Baton_App_V1_ChangeDocumentRequest, Baton_App_V1_ChangeDocumentResponse
    >(service, "ChangeDocument")
    package static let listVersions = ConnectMethod<
        Baton_App_V1_ListFileVersionsRequest, Baton_App_V1_ListFileVersionsResponse
    >(service, "ListVersions")
    package static let readVersion = ConnectMethod<
        Baton_App_V1_ReadFileVersionRequest, Baton_App_V1_FileVersionPart
    >(service, "ReadVersion")
    package static let changeVersions = ConnectMethod<
        Baton_App_V1_ChangeFileVersionsRequest, Baton_App_V1_ChangeFileVersionsResponse
    >(service, "ChangeVersions")
    package static let decideDeletions = ConnectMethod<
        Baton_Control_V1_DecideDeletionsRequest, Baton_Control_V1_DecideDeletionsResponse
    >(service, "DecideDeletions")
    package static let explainFile = ConnectMethod<
        Baton_Control_V1_ExplainFileRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainFile")
    package static let switchDocuments = ConnectMethod<
        Baton_Control_V1_SwitchDocumentsRequest, Baton_Control_V1_SwitchDocumentsResponse
    >(service, "SwitchDocuments")
    package static let addContainer = ConnectMethod<
        Baton_Control_V1_AddContainerRequest, Baton_Control_V1_AddContainerResponse
    >(service, "AddContainer")
}
