import { Group } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

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
  readonly label: string;
  readonly isShort?: boolean;
}) {
  if (value === null || value === "") return <span>–</span>;
  const shown = isShort && value.length > 20 ? `${value.slice(0, 10)}…${value.slice(-8)}` : value;
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span className="code-text" title={value}>
        {shown}
      </span>
      <CopyButton value={value} label={`Copy ${label}`} />
    </Group>
  );
}
