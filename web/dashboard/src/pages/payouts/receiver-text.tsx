import { Stack, Text } from "@mantine/core";
import type { JsonValue } from "../../../../../client/src/api-types.gen.ts";
import { receiversIn } from "./receivers-in.ts";

/** Who receives money, as far as the reader's role may see it. */
export function ReceiverText({ info }: { readonly info: JsonValue }) {
  const receivers = receiversIn(info);
  if (receivers.length === 0)
    return <Text c="dimmed">Nobody was named, or your role may not see who was.</Text>;
  return (
    <Stack gap="xs">
      {receivers.map(({ name, kind, address }, index) => (
        <div key={index}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {kind}
            {address === "" ? "" : `, ${address}`}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
