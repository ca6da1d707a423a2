import { createHash } from "node:crypto";
import { encodeSegwitAddress } from "../../src/chains/utxo/segwit-address.ts";
import { systemAccount, walletAccount } from "../../src/ledger/ledger-account.ts";
import { post } from "../../src/ledger/post.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { bitcoin } from "../support/known-chains.ts";
import { type Deployment, logIn, type Tenant } from "./deployment.ts";
import { calculationDocument, ether } from "./sample-payout.ts";

/** Ids unlike any others, so they can be found in recorded statements. */
export const firstWalletId = 7_000_000_001;
const firstPayoutId = 8_000_000_001;
const firstTransferId = 9_000_000_001;

/** Enterprise wallets of a coin that hold more than any round pays, with consecutive ids. */
export async function arrangePayingWallets(
  { site, databaseUrl, foundation }: Deployment,
  { principal: { accountId } }: Tenant,
  currency: CurrencyId,
  ids: { readonly first: number; readonly count: number },
): Promise<readonly string[]> {
  await site.sql(databaseUrl, `alter sequence payout_id_seq restart ${firstPayoutId}`);
  await site.sql(databaseUrl, `alter sequence transfer_id_seq restart ${firstTransferId}`);
  await site.sql(
    databaseUrl,
    `with made as (
       insert into wallet (account_id, id, type, currency, label, status, created_at)
       select $1, id, 2, $2, 'Paying ' || id, 3, now() from generate_series($3::bigint, $4::bigint) as id
       returning account_id, id)
     insert into wallet_balance (account_id, wallet_id) select account_id, id from made`,
    [accountId, currency, ids.first, ids.first + ids.count - 1],
  );
  const wallets = Array.from({ length: ids.count }, (_, index) => String(ids.first + index));
  const { exp } = foundation.currencies.get(currency);
  await foundation.db.transaction((tx) =>
    post(
      tx,
      wallets.map((walletId) => ({
        accountId,
        cause: "bench-float",
        postings: [
          {
            debit: systemAccount("equity", currency),
            credit: walletAccount(walletId, "available"),
            currency,
            units: 10n ** BigInt(exp + 6),
          },
        ],
      })),
      systemClock.now(),
    ),
  );
  await site.sql(databaseUrl, "vacuum analyze");
  return wallets;
}

/** External addresses, the same in every run. */
export function payeesOf(currency: CurrencyId, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const program = createHash("sha256").update(`payee ${index}`).digest().subarray(0, 20);
    if (currency === ether) return `0x${program.toString("hex")}`;
    const prefix = present(bitcoin.networks.regtest.segwitPrefix, "a segwit prefix");
    return encodeSegwitAddress(prefix, { version: 0, program });
  });
}

/** The fee calculated for such a payout over the API, as a decimal in the chain's coin. */
export async function askFee(
  deployment: Deployment,
  tenant: Tenant,
  request: Parameters<typeof calculationDocument>[0],
): Promise<string> {
  const answer = await fetch(`${deployment.config.base_url}/payout/calculate/`, {
    method: "POST",
    headers: await logIn(deployment, tenant),
    body: calculationDocument(request),
  });
  if (answer.status !== 200) throw new Error(`no fee: ${await answer.text()}`);
  const { data } = (await answer.json()) as {
    data: { attributes: { fee: { medium: string } } };
  };
  return data.attributes.fee.medium;
}
