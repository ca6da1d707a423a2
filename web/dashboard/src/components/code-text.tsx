import { Group } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

/**
 * An address, a transaction id or the like, with its copy button. `isShort` leaves out the middle of a long one; what is copied
 * and the title are whole. Null shows a dash.
 */
export function CodeText({
  value,
  label,
  isShort = false,
}: {
  readonly value: string | null;
  /** What it is, for the copy button: "the address". */
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
