import type { ComponentChildren, VNode } from "preact";
import { CopyButton } from "./copy-button.tsx";

/** Something to be carried over into a wallet: its name, itself, and a button that copies it. */
export function Field({
  label,
  copied,
  children,
}: {
  readonly label: string;
  readonly copied: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class="field">
      <dt>{label}</dt>
      <dd>
        <div class="field-value">{children}</div>
        <CopyButton text={copied} label={label} />
      </dd>
    </div>
  );
}
