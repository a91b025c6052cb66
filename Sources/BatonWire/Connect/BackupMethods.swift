/// `baton.control.v1.BackupService`
package enum BackupMethods {
    private static let service = "baton.control.v1.BackupService"

    package static let setBackupTarget = ConnectMethod<
        Baton_Control_V1_SetBackupTargetRequest, Baton_Control_V1_SetBackupTargetResponse
    >(service, "SetBackupTarget")
    package static let changeBackupPaths = ConnectMethod<
        Baton_Control_V1_ChangeBackupPathsRequest, Baton_Control_V1_ChangeBackupPathsResponse
    >(service, "ChangeBackupPaths")
    package static let backUp = ConnectMethod<
        Baton_Control_V1_BackUpRequest, Baton_Control_V1_BackUpResponse
    >(service, "BackUp")
    package static let listBackups = ConnectMethod<
        Baton_Control_V1_ListBackupsRequest, Baton_Control_V1_ListBackupsResponse
    >(service, "ListBackups")
    package static let getBackupStatus = ConnectMethod<
        Baton_Control_V1_GetBackupStatusRequest, Baton_Control_V1_GetBackupStatusResponse
    >(service, "GetBackupStatus")
    package static let verifyBackups = ConnectMethod<
        Baton_Control_V1_VerifyBackupsRequest, Baton_Control_V1_VerifyBackupsResponse
    >(service, "VerifyBackups")
    package static let restoreBackup = ConnectMethod<
        Baton_Control_V1_RestoreBackupRequest, Baton_Control_V1_RestoreBackupResponse
    >(service, "RestoreBackup")
    package static let forgetBackups = ConnectMethod<
        Baton_Control_V1_ForgetBackupsRequest, Baton_Control_V1_ForgetBackupsResponse
    >(service, "ForgetBackups")
    package static let explainBackupPath = ConnectMethod<
        Baton_Control_V1_ExplainBackupPathRequest, Baton_Control_V1_ExplainBackupPathResponse
    >(service, "ExplainBackupPath")
    package static let explainBackup = ConnectMethod<
        Baton_Control_V1_ExplainBackupRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainBackup")
}
