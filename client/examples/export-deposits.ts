import type { Client } from "sluice-client";

/** Exports all paid deposits of a year as CSV lines, oldest first. */
export async function* exportDeposits(client: Client, year: number): AsyncGenerator<string> {
  yield "id,tracking_id,paid,wallet\n";
  for await (const { id, attributes, relationships } of client.each("/deposit/", {
    filter: { status: 3, created_at_from: `${year}-01-01`, created_at_to: `${year}-12-31` },
    sort: ["created_at"],
    include: ["wallet"],
  })) {
    const { tracking_id, target_paid } = attributes;
    const label = relationships.wallet.resource?.attributes.label ?? "";
    yield `${[id, tracking_id ?? "", target_paid, label].map(quoted).join(",")}\n`;
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
