import { Text } from "@mantine/core";
import { t } from "../../language/t.ts";

/** Who may approve a payout that its creator cannot approve, and what to do where there is nobody; nothing for other refusals. */
export function ApproverNote({ reason }: { readonly reason: string | null }) {
  if (reason !== "own_payout") return null;
  return (
    <Text size="sm">
      {t(
        "Members whom you invited can't approve it. If there is no other, let one of them create the payout and approve it yourself.",
      )}
    </Text>
  );
}
