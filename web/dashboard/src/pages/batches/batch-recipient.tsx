import { Text } from "@mantine/core";
import { CodeText } from "../../components/code-text.tsx";

/** A row's recipient: the name, where one is given, the address and the label. */
export function BatchRecipient({
  recipient = null,
  address = null,
  label = null,
}: {
  readonly recipient?: string | null;
  readonly address?: string | null;
  readonly label?: string | null;
}) {
  return (
    <div>
      {recipient === null ? null : <Text size="sm">{recipient}</Text>}
      <CodeText value={address} label="address" isShort />
      {label === null ? null : (
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      )}
    </div>
  );
}
