import JSON
import Machines

/// The fields by which scripts see a message.
enum MessageFields {
    /// Returns the fields of a payload: its type and, as far as they apply, texts, actions, cards, tables and so on.
    static func fields(of payload: Payload) -> JSONObject {
        let content = payload.content
        var fields = JSONObject()
        fields["type"] = content.members["type"]
        fields["header"] = content.headerText.map { .string($0) }
        fields["footer"] = content.footerText.map { .string($0) }
        switch payload {
        case .text(let message):
            fields["text"] = message.words.map { .string($0) }
            if content.channelExtensions.isStarRating { fields["rating"] = true }
        case .textStream(let message):
            fields["text"] = (message.aggregateText ?? message.words).map { .string($0) }
        case .error(let message): fields["text"] = message.errorMessage.map { .string($0) }
        case .attachment(let message):
            fields["attachment"] = message.attachment.map { attachment in
                var value = JSONObject()
                value["type"] = attachment.members["type"]
                value["url"] = attachment.members["url"]
                value["title"] = attachment.members["title"]
                value["media_type"] = self.mediaType(content.channelExtensions, of: attachment.url)
                return .object(value)
            }
        case .location(let message): fields["location"] = message.location?.json
        case .card(let message):
            fields["layout"] = message.layout.map { .string($0.rawValue) }
            fields["cards"] = .array(message.cards.map { self.card($0, of: content.channelExtensions) })
        case .table(let message):
            fields = fields.merging(self.table(message.headings, message.rows, message.pagination))
            fields["title"] = message.members["tableTitle"]
        case .form(let message):
            fields["forms"] = .array(message.forms.map(self.form))
            fields["form_columns"] = message.formColumns.map { .integer($0) }
            fields["pagination"] = message.pagination.map(self.pagination)
        case .tableForm(let message):
            fields = fields.merging(self.table(message.headings, message.rows, message.pagination))
            fields["forms"] = .array(message.forms.map(self.form))
            fields["form_columns"] = message.formColumns.map { .integer($0) }
            fields["show_form_label"] = message.members["showFormButtonLabel"]
            fields["disclosed_form"] = message.members["disclosedFormIndex"]
        case .raw(let message): fields["payload"] = message.payload
        default: break
        }
        if !content.actions.isEmpty { fields["actions"] = .array(content.actions.map(self.action)) }
        if !content.globalActions.isEmpty { fields["global_actions"] = .array(content.globalActions.map(self.action)) }
        fields["footer_form"] = content.footerForm.map(self.form)
        return fields
    }

    /// Returns the fields of a message that the user has sent.
    static func fields(ofSent message: Outgoing) -> JSONObject {
        let payload = Payload(members: message.payload)
        var fields = self.fields(of: payload)
        if case .postback(let postback) = payload {
            fields["text"] = postback.words.map { .string($0) }
            fields["postback"] = postback.postback
        }
        if case .formSubmission(let submission) = payload {
            fields["values"] = .object(submission.submittedFields ?? [:])
        }
        fields["hidden"] = .bool(!message.isShown)
        return fields
    }

    /// Returns the event of a message that a button has opened.
    static func popup(_ content: Payload, number: Int64) -> ClientAction {
        var fields = self.fields(of: content)
        fields["from"] = "bot"
        fields["number"] = .integer(number)
        fields["popup"] = true
        guard case .editForm(let form) = content else {
            return .emit(.message, fields, raw: content.content.json)
        }
        fields["form"] = .object(self.editForm(form, number: number))
        return .emit(.form, fields, raw: content.content.json)
    }

    /// Returns an action as scripts see it.
    static func action(_ action: MessageAction) -> JSONValue {
        var value: JSONObject = ["type": .string(action.kind?.rawValue ?? action.text("type") ?? "")]
        value["label"] = action.label.map { .string($0) }
        value["image_url"] = action.imageURL.map { .string($0) }
        value["postback"] = action.postback
        value["url"] = action.url.map { .string($0) }
        value["phone_number"] = action.phoneNumber.map { .string($0) }
        value["style"] = action.style.map { .string($0) }
        value["display_type"] = action.displayType.map { .string($0) }
        return .object(value)
    }

    /// What kind of file lies behind a URL: as the message says, else as the URL's ending says.
    private static func mediaType(_ extensions: ChannelExtensions, of url: String?) -> JSONValue? {
        if let stated = extensions.mediaType { return .string(stated) }
        let name = url?.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last
        guard let name, name.contains(".") else { return nil }
        return .string(Upload.mimeType(of: String(name)))
    }

    private static func card(_ card: Card, of message: ChannelExtensions) -> JSONValue {
        var value = JSONObject()
        value["title"] = card.title.map { .string($0) }
        value["description"] = card.description.map { .string($0) }
        value["image_url"] = card.imageURL.map { .string($0) }
        value["url"] = card.url.map { .string($0) }
        if let image = card.imageURL {
            let own = card.channelExtensions
            value["media_type"] = self.mediaType(own.mediaType == nil ? message : own, of: image)
        }
        value["channel_extensions"] = card.members["channelExtensions"]
        if !card.actions.isEmpty { value["actions"] = .array(card.actions.map(self.action)) }
        return .object(value)
    }

    private static func table(_ headings: [Heading], _ rows: [Row], _ pagination: PaginationInfo?) -> JSONObject {
        var fields: JSONObject = [
            "headings": .array(headings.map { $0.members["label"] ?? .null }),
            "rows": .array(rows.map { row in .array(row.fields.map { $0.value ?? .null }) }),
            "columns": .array(headings.map(self.column)),
            "cells": .array(rows.map { row in .array(row.fields.map(self.field)) }),
        ]
        fields["pagination"] = pagination.map(self.pagination)
        return fields
    }

    private static func column(_ heading: Heading) -> JSONValue {
        var value: JSONObject = ["alignment": .string(heading.alignment)]
        value["label"] = heading.label.map { .string($0) }
        value["width"] = heading.width.map { .double($0) }
        value["channel_extensions"] = heading.members["channelExtensions"]
        return .object(value)
    }

    private static func pagination(_ info: PaginationInfo) -> JSONValue {
        var value: JSONObject = ["has_next": .bool(info.hasNext), "has_previous": .bool(info.hasPrevious)]
        value["total"] = info.totalCount.map { .integer($0) }
        value["start"] = info.rangeStart.map { .integer($0) }
        value["size"] = info.rangeSize.map { .integer($0) }
        value["current_size"] = info.currentRangeSize.map { .integer($0) }
        value["next_size"] = info.nextRangeSize.map { .integer($0) }
        value["status"] = info.status.map { .string($0) }
        return .object(value)
    }

    private static func form(_ form: Form) -> JSONValue {
        var value: JSONObject = ["fields": .array(form.fields.map(self.field))]
        value["title"] = form.title.map { .string($0) }
        value["channel_extensions"] = form.members["channelExtensions"]
        if !form.actions.isEmpty { value["actions"] = .array(form.actions.map(self.action)) }
        return .object(value)
    }

    private static func field(_ field: Field) -> JSONValue {
        var value: JSONObject = ["type": .string(field.text("displayType") ?? "text")]
        value["label"] = field.label.map { .string($0) }
        value["value"] = field.value
        value["link_label"] = field.linkLabel.map { .string($0) }
        value["image_url"] = field.text("imageUrl").map { .string($0) }
        value["media_type"] = field.text("mediaType").map { .string($0) }
        value["alignment"] = field.alignment.map { .string($0) }
        value["width"] = field.width.map { .double($0) }
        value["channel_extensions"] = field.members["channelExtensions"]
        value["action"] = field.action.map(self.action)
        return .object(value)
    }

    /// The members that say how a field is entered and which values it takes; scripts see them in their own spelling.
    private static let entryMembers = [
        "placeholder", "autoSubmit", "layoutStyle", "inputStyle", "multiLine", "validationRegularExpression",
        "minLength", "maxLength", "minValue", "maxValue", "minDate", "maxDate", "minTime", "maxTime", "valueOn",
        "valueOff", "labelOn", "labelOff",
    ].map { (wire: $0, script: Setting.scriptName($0)) }

    private static func option(_ option: Field.Option) -> JSONValue {
        var value = JSONObject()
        value["label"] = option.members["label"]
        value["value"] = option.value
        value["image_url"] = option.text("imageUrl").map { .string($0) }
        return .object(value)
    }

    /// Returns a form to fill in as scripts handle it: `form:fill{…}:submit()`.
    ///
    /// - Parameter number: The message that shows the form.
    static func editForm(_ message: EditFormPayload, number: Int64) -> JSONObject {
        var form: JSONObject = ["submit": "submit_form", "kind": "edit_form", "number": .integer(number)]
        form["title"] = message.title.map { .string($0) }
        form["error"] = message.errorMessage.map { .string($0) }
        form["columns"] = .integer(message.formColumns)
        form["fields"] = .array(
            message.form.fields.compactMap { field in
                guard field.kind?.isEditable ?? false, let id = field.id else { return nil }
                var value: JSONObject = ["key": .string(id), "type": .string(field.text("displayType") ?? "")]
                value["label"] = field.label.map { .string($0) }
                value["required"] = .bool(field.isRequired)
                value["default"] = field.defaultValue
                value["error"] = field.serverErrorMessage.map { .string($0) }
                if !field.options.isEmpty { value["options"] = .array(field.options.map(self.option)) }
                for (wire, script) in self.entryMembers { value[script] = field.members[wire] }
                return .object(value)
            })
        return form
    }
}
