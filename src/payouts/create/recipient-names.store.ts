import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Payout } from "../payout.ts";

const read = statement<{ readonly place: string; readonly name: string | null }>(
  "recipient-names.read",
  `select input.place, coalesce(nullif(k.label, ''), nullif(w.label, '')) as name
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[]) with ordinality
     as input (account_id, chain, address, tag, wallet_id, place)
   left join address_book k on k.account_id = input.account_id and k.chain = input.chain
     and k.address = input.address and k.tag is not distinct from input.tag
   left join wallet w on w.account_id = input.account_id and w.id = input.wallet_id`,
);

/** Who gets each payout: the allowlist's name of its address, or the name of the account's own wallet; null without one. */
export async function readRecipientNames(
  tx: Executor,
  payouts: readonly Pick<Payout, "accountId" | "chain" | "address" | "tag" | "targetWalletId">[],
): Promise<readonly (string | null)[]> {
  const rows = await tx.query(read, [
    payouts.map(({ accountId }) => accountId),
    payouts.map(({ chain }) => chain),
    payouts.map(({ address }) => address),
    payouts.map(({ tag }) => tag),
    payouts.map(({ targetWalletId }) => targetWalletId),
  ]);
  return answersByPlace(payouts, rows, (row) => row?.name ?? null);
}
