import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import { openApi } from "./api-client.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * `sluice approve PAYOUT`: approves a payout of the sandbox's demo account as its Owner, who must not be the creator.
 * Rejects with the API's error text.
 */
export async function approvePayout(
  options: { readonly home: string; readonly payoutId: string },
  context: CommandContext,
): Promise<void> {
  const sandbox = await readSandboxFile(options.home);
  const api = await openApi(options.home, sandbox, sandbox);
  try {
    const id = encodeURIComponent(options.payoutId);
    const { data } = await api.post(`/payout/${id}/approve/`, {});
    context.print(`Payout ${data.id} approved`);
  } finally {
    await api.close();
  }
}
