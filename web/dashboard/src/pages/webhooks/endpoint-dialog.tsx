import { MultiSelect, Switch, TextInput } from "@mantine/core";
import type { WebhookEndpoint } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { endpointEvents } from "./endpoint-events.ts";

/** Creates an endpoint, or changes one. `onSecret` gets the secret of a new one, which is shown once. */
export function EndpointDialog({
  endpoint,
  onClose,
  onDone,
  onSecret,
}: {
  readonly endpoint: WebhookEndpoint | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const known = endpoint?.attributes;
  const { form, ...sending } = useApiForm({
    initialValues: {
      url: known?.url ?? "",
      description: known?.description ?? "",
      isSelecting: (known?.events ?? null) !== null,
      events: [...(known?.events ?? [])] as string[],
    },
    // An event that does not exist is a fault of the whole selection.
    fieldOf: (pointer) => /^\/data\/attributes\/(\w+)/.exec(pointer)?.[1] ?? null,
    send: ({ url, description, isSelecting, events }) => {
      const attributes = {
        url: url.trim(),
        description: description.trim(),
        // The service validates them.
        events: (isSelecting ? events : null) as never,
      };
      return endpoint === null
        ? api.post("/webhook-endpoint/", { attributes })
        : api.patch("/webhook-endpoint/{id}/", { id: endpoint.id, attributes });
    },
    onDone: ({ data }) => {
      onDone();
      onClose();
      const { secret } = data.attributes;
      if (secret !== undefined) onSecret(secret);
    },
  });
  const title = endpoint === null ? t("New webhook endpoint") : t("Edit webhook endpoint");
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <DialogForm
        {...sending}
        action={endpoint === null ? t("Create endpoint") : t("Save")}
        onClose={onClose}
      >
        <TextInput
          label="URL"
          description={t("Receives signed POST requests and answers with 200.")}
          type="url"
          required
          maxLength={256}
          autoComplete="off"
          {...form.getInputProps("url")}
        />
        <TextInput
          label={t("Description")}
          maxLength={128}
          {...form.getInputProps("description")}
        />
        <Switch
          label={t("Select events")}
          description={t(
            "Otherwise the endpoint receives every event, including those added later.",
          )}
          {...form.getInputProps("isSelecting", { type: "checkbox" })}
        />
        {form.values.isSelecting ? (
          <MultiSelect
            label={t("Events")}
            required
            searchable
            nothingFoundMessage={t("No matching event")}
            data={[...endpointEvents]}
            {...form.getInputProps("events")}
          />
        ) : null}
      </DialogForm>
    </Dialog>
  );
}
