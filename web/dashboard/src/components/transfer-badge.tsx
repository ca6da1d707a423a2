import { t } from "../language/t.ts";
import { StatusBadge, statusLabel } from "./status-badge.tsx";

/** What a transfer's badge depends on. */
export type TransferState = {
  readonly attributes: { readonly status: number; readonly message: string | null };
};

/** Whether a transfer held by screening was returned to its payer. Its status stays -2. */
export function isReturned({ attributes: { status, message } }: TransferState): boolean {
  return status === -2 && /^(?:Refunded|Partially refunded)/.test(message ?? "");
}

/** A transfer's status; one that was held and then returned shows as "Refunded". */
export function TransferBadge({ transfer }: { readonly transfer: TransferState }) {
  return isReturned(transfer) ? (
    <StatusBadge tone="neutral" label={t("Refunded")} />
  ) : (
    <StatusBadge kind="transfer" value={transfer.attributes.status} />
  );
}

/** The same status as text. */
export function transferLabel(transfer: TransferState): string {
  return isReturned(transfer) ? t("Refunded") : statusLabel("transfer", transfer.attributes.status);
}
