import type { MoneroSite } from "../../../src/sandbox/sandbox-file.ts";
import type { TestDatabase } from "../../support/database.ts";
import { queryMonero } from "../../support/query-monero.ts";
import { withMoneroWallet } from "./monero-wallet.ts";

type Received = { readonly transfers?: readonly { readonly amount: number }[] };

/**
 * What the deployment's account holds. Nodes know no balances. Monero's own wallet finds with the view key what the account ever received, and
 * the daemon says which key images are spent; only the signer can compute those, so the service is asked for the coins that they belong to.
 */
export async function moneroUnits(site: MoneroSite, sql: TestDatabase["sql"]): Promise<bigint> {
  const received = await receivedUnits(site);
  const coins = await sql<{ readonly image: string; readonly units: bigint }>(
    "select key_image as image, units from coin where key_image is not null order by key_image",
  );
  const states = await spentStates(
    site,
    coins.map(({ image }) => image),
  );
  return coins.reduce(
    (left, { units }, place) => (states[place] === true ? left - units : left),
    received,
  );
}

async function spentStates(
  { rpc_url }: MoneroSite,
  key_images: readonly string[],
): Promise<readonly boolean[]> {
  if (key_images.length === 0) return [];
  const body = JSON.stringify({ key_images });
  const response = await fetch(`${rpc_url}/is_key_image_spent`, { method: "POST", body });
  const { spent_status } = (await response.json()) as { readonly spent_status: readonly number[] };
  // 2: by a transaction of the pool.
  return spent_status.map((status) => status === 1);
}

/** Everything that was ever received, as a view-only wallet finds that reads the whole chain. */
async function receivedUnits(site: MoneroSite): Promise<bigint> {
  const { address } = await queryMonero<{ readonly address: string }>(
    site.view_wallet_url,
    "get_address",
  );
  const { key: viewkey } = await queryMonero<{ readonly key: string }>(
    site.view_wallet_url,
    "query_key",
    { key_type: "view_key" },
  );
  return withMoneroWallet(site, async (ask) => {
    const wallet = { filename: "books", password: "", restore_height: 0 };
    await ask("generate_from_keys", { ...wallet, address, viewkey });
    await ask("refresh", { start_height: 0 });
    const params = { transfer_type: "all", account_index: 0 };
    const { transfers = [] } = await ask<Received>("incoming_transfers", params);
    return transfers.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  });
}
