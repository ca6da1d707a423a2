import { readFile } from "node:fs/promises";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import { openApi } from "./api-client.ts";
import type { CommandContext } from "./command-context.ts";
import { credentialOf, type FeeMode, findWallet } from "./create-payout.ts";

/**
 * `sluice bulk-payout WALLET FILE`: creates the payouts of a CSV file from a wallet of the sandbox's demo account, or those that are
 * missing if it was interrupted. Prints the batch, its network fees and each row that was refused. Rejects with the API's error text.
 */
export async function uploadPayouts(
  options: {
    readonly home: string;
    readonly wallet: string;
    readonly file: string;
    /** Names the batch. */
    readonly reference: string;
    readonly fee: FeeMode;
    /** Alpha code of the payment currency; null for the wallet's own. */
    readonly currency: string | null;
    readonly role: string | null;
  },
  { print }: CommandContext,
): Promise<void> {
  const sandbox = await readSandboxFile(options.home);
  const wallet = findWallet(sandbox, options.wallet);
  const alpha = options.currency ?? wallet.alpha;
  const record = builtInCurrencies.find((currency) => currency.alpha === alpha);
  if (record === undefined) throw new Error(`there is no currency ${alpha}`);
  const csv = await readFile(options.file, "utf8");
  const api = await openApi(options.home, sandbox, credentialOf(sandbox, options.role));
  try {
    const attributes = { csv, reference: options.reference, fee_speed: options.fee };
    const relationships = {
      wallet: { data: { type: "wallet", id: wallet.id } },
      currency: { data: { type: "currency", id: record.id as string } },
    };
    const send = (path: string, type: string, more: JsonObject = {}) =>
      api.post(path, { data: { type, attributes: { ...attributes, ...more }, relationships } });
    const preview = (await send("/payout-batch/preview/", "payout-batch-preview")).data.attributes;
    const fees = preview["fees"] as string;
    print(`Network fees: ${fees} ${preview["fee_currency"] as string}`);
    const { data } = await send("/payout-batch/", "payout-batch", { fees_max: fees });
    const { rows, created, state } = data.attributes;
    print(
      `Batch ${data.id} "${options.reference}": ${created as number} of ${rows as number} payouts, ${state as string}`,
    );
    for (const { row, detail } of data.attributes["faults"] as readonly {
      readonly row: number;
      readonly detail: string;
    }[])
      print(`Row ${row}: ${detail}`);
  } finally {
    await api.close();
  }
}
