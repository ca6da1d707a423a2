import { Stack, Text } from "@mantine/core";
import type { JsonValue } from "../../../../../client/src/api-types.gen.ts";
import { t } from "../../language/t.ts";
import { parseRecipients } from "./parse-recipients.ts";

/** The recipients in a `travel_rule_info`; the service omits it for roles that may not see it. */
export function RecipientText({ info }: { readonly info: JsonValue }) {
  const recipients = parseRecipients(info);
  if (recipients.length === 0)
    return <Text c="dimmed">{t("No recipient details, or your role can't view them.")}</Text>;
  return (
    <Stack gap="xs">
      {recipients.map(({ name, kind, address }, index) => (
        <div key={index}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {t(kind)}
            {address === "" ? "" : `, ${address}`}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
