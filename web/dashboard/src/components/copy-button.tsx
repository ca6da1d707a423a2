import { ActionIcon, CopyButton as Copying, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { t } from "../language/t.ts";

/** Copies a text and announces "Copied" to screen readers. `label` names the button: "Copy address". */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <Copying value={value} timeout={1_800}>
      {({ copied, copy }) => (
        <>
          <Tooltip label={copied ? t("Copied") : label}>
            <ActionIcon variant="subtle" color="gray" size="md" onClick={copy} aria-label={label}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
          <span className="visually-hidden" role="status">
            {copied ? t("Copied") : ""}
          </span>
        </>
      )}
    </Copying>
  );
}
