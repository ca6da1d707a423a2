import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";

const labels: Readonly<Record<string, PlainText>> = {
  status: "Status changed",
  seen: "Payment detected",
  confirmed: "Confirmed",
  settled: "Settled",
  failed: "Failed",
  cancelled: "Canceled",
  address_activated: "Address activated",
  reversed: "Reversed by a reorg",
  blocked: "Held by screening",
  test: "Test",
};

/** The label of a callback's event; an unknown one is derived from its name. */
export function triggerLabel(trigger: string): string {
  const label = labels[trigger];
  if (label !== undefined) return t(label);
  const plain = trigger.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
