const words: Readonly<Record<string, string>> = {
  status: "Status changed",
  seen: "Payment seen",
  settled: "Final",
  reversed: "Undone by a re-org",
  blocked: "Held by screening",
  test: "Test delivery",
};

/** What a callback tells of, for people; a kind that is not known here is shown as it is called. */
export function triggerInWords(trigger: string): string {
  const plain = trigger.replaceAll("_", " ");
  return words[trigger] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
