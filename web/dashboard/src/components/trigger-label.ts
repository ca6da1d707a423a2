const labels: Readonly<Record<string, string>> = {
  status: "Status changed",
  seen: "Payment detected",
  settled: "Settled",
  reversed: "Reversed by a reorg",
  blocked: "Held by screening",
  test: "Test",
};

/** The label of a callback's event; an unknown one is derived from its name. */
export function triggerLabel(trigger: string): string {
  const plain = trigger.replaceAll("_", " ");
  return labels[trigger] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
