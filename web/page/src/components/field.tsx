import type { ComponentChildren, VNode } from "preact";
import { CopyButton } from "./copy-button.tsx";

/** A value to enter in a wallet, with its label and a copy button. */
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
