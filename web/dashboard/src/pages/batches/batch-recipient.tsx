import { Text } from "@mantine/core";
import { AddressWithTag } from "../../components/address-with-tag.tsx";

/** A row's recipient: the name, where one is given, the whole address with its tag, and the label. */
export function BatchRecipient({
  recipient = null,
  address = null,
  tag = null,
  label = null,
}: {
  readonly recipient?: string | null;
  readonly address?: string | null;
  readonly tag?: string | null;
  readonly label?: string | null;
}) {
  return (
    <div>
      {recipient === null ? null : <Text size="sm">{recipient}</Text>}
      <AddressWithTag address={address} tag={tag} />
      {label === null ? null : (
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      )}
    </div>
  );
}
