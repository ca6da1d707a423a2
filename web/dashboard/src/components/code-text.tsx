import { Group } from "@mantine/core";
import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";
import { CopyButton } from "./copy-button.tsx";

const copyLabels = {
  address: "Copy address",
  key: "Copy key",
  "initial password": "Copy initial password",
  login: "Copy login",
  password: "Copy password",
  "payment link": "Copy payment link",
  secret: "Copy secret",
  sender: "Copy sender",
  tag: "Copy tag",
  "transaction ID": "Copy transaction ID",
  URL: "Copy URL",
  "webhook ID": "Copy webhook ID",
} as const satisfies Readonly<Record<string, PlainText>>;

/** What the copy button copies. */
export type CodeKind = keyof typeof copyLabels;

/**
 * An address, transaction ID or similar text with a copy button; null shows a dash. `isShort` shortens the middle; the title and
 * the copied text stay complete.
 */
export function CodeText({
  value,
  label,
  isShort = false,
}: {
  readonly value: string | null;
  /** Names the text in the copy button's label: "address". */
  readonly label: CodeKind;
  readonly isShort?: boolean;
}) {
  if (value === null || value === "") return <span>–</span>;
  const shown = isShort && value.length > 20 ? `${value.slice(0, 10)}…${value.slice(-8)}` : value;
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span className="code-text" title={value}>
        {shown}
      </span>
      <CopyButton value={value} label={t(copyLabels[label])} />
    </Group>
  );
}
