import { ActionIcon, CopyButton as Copying, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** Copies a text; `label` says which: "Copy the address". That it was copied is told to screen readers as well. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <Copying value={value} timeout={1_800}>
      {({ copied, copy }) => (
        <>
          <Tooltip label={copied ? "Copied" : label}>
            <ActionIcon variant="subtle" color="gray" size="md" onClick={copy} aria-label={label}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
          <span className="only-heard" role="status">
            {copied ? "Copied" : ""}
          </span>
        </>
      )}
    </Copying>
  );
}
