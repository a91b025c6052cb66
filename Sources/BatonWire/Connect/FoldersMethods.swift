/// `baton.control.v1.FoldersService`
package enum FoldersMethods {
    private static let service = "baton.control.v1.FoldersService"

    package static let listFolders = ConnectMethod<
        Baton_Control_V1_ListFoldersRequest, Baton_Control_V1_ListFoldersResponse
    >(service, "ListFolders")
    package static let addFolder = ConnectMethod<
        Baton_Control_V1_AddFolderRequest, Baton_Control_V1_AddFolderResponse
    >(service, "AddFolder")
    package static let revertFolder = ConnectMethod<
        Baton_Control_V1_RevertFolderRequest, Baton_Control_V1_RevertFolderResponse
    >(service, "RevertFolder")
    package static let keepContents = ConnectMethod<
        Baton_Control_V1_KeepFolderContentsRequest, Baton_Control_V1_KeepFolderContentsResponse
    >(service, "KeepContents")
    package static let leaveFolder = ConnectMethod<
        Baton_Control_V1_LeaveFolderRequest, Baton_Control_V1_LeaveFolderResponse
    >(service, "LeaveFolder")
}
