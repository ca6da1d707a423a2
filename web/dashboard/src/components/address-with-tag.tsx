import { Text } from "@mantine/core";
import type { TagKind } from "../../../../src/currencies/chain-record.ts";
import { t } from "../language/t.ts";
import { CodeText } from "./code-text.tsx";
import { tagLabels } from "./tag-kinds.ts";

/** A whole address and, below it, the tag that selects its receiver; null without one. */
export function AddressWithTag({
  address,
  tag,
  kind = null,
}: {
  readonly address: string | null;
  readonly tag: string | null;
  /** What the chain's wallets call the tag; null where that is unknown. */
  readonly kind?: TagKind | null;
}) {
  return (
    <div>
      <CodeText value={address} label="address" />
      {tag === null || tag === "" ? null : (
        <Text size="sm">
          {kind === null ? t("Tag") : tagLabels[kind]} <CodeText value={tag} label="tag" />
        </Text>
      )}
    </div>
  );
}
