/// `baton.control.v1.RemindersService`
package enum RemindersMethods {
    private static let service = "baton.control.v1.RemindersService"

    package static let listReminders = ConnectMethod<
        Baton_Control_V1_ListRemindersRequest, Baton_Control_V1_ListRemindersResponse
    >(service, "ListReminders")
    package static let addReminder = ConnectMethod<
        Baton_Control_V1_AddReminderRequest, Baton_Control_V1_AddReminderResponse
    >(service, "AddReminder")
    package static let answerReminder = ConnectMethod<
        Baton_Control_V1_AnswerReminderRequest, Baton_Control_V1_AnswerReminderResponse
    >(service, "AnswerReminder")
}
