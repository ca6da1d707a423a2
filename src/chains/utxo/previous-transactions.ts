import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { absentAsNull, readFields, readInteger, readText } from "./answer.ts";
import { outpointOf } from "./draft-body.ts";
import { headerAt, headerByHash } from "./headers.ts";
import { scriptKinds } from "./output-script.ts";
import { plainTransaction } from "./parse-transaction.ts";
import type { SpendableCoin } from "./plan-spend.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * Whether a transaction's signatures together commit to the amounts of all inputs, whatever the draft says of their types: a
 * taproot signature does so for all (BIP-341), a segwit one for its own input only (BIP-143). With two segwit inputs, one
 * signature made over a false amount of the second input and a later one over a false amount of the first can be combined into a
 * valid transaction that burns an amount nobody agreed to. A coin that is only said to be taproot changes nothing about that, so
 * the signer asks for proof unless all are.
 */
function areAmountsSigned(
  { signatureHash }: Pick<UtxoChain, "signatureHash">,
  coins: readonly SpendableCoin[],
): boolean {
  const kinds = coins.map(({ addressType }) => scriptKinds[addressType]);
  if (kinds.every((kind) => kind === "p2tr")) return true;
  // The digest with a fork's id is BIP-143's.
  return kinds.length === 1 && (kinds[0] !== "p2pkh" || signatureHash === "forkid");
}

/**
 * The transactions that created the coins, by id, without witnesses, in hex: their ids prove the coins' amounts. Empty if the
 * signatures do. Throws `Unavailable` if the node no longer has one of them.
 */
export async function previousTransactions(
  rpc: JsonRpc,
  chain: Pick<UtxoChain, "findsById" | "signatureHash" | "transactionFormat">,
  coins: readonly SpendableCoin[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  // Each signature of ZIP-244 covers the amounts of all inputs.
  if (chain.signatureHash === "zip244" || areAmountsSigned(chain, coins)) return new Map();
  const claimOf = new Map(coins.map(({ claim }) => [outpointOf(claim).txid, claim]));
  const txids = [...claimOf.keys()];
  const answers = await rpc.batch(
    txids.map((txid) => ({ method: "getrawtransaction", params: [txid, false] })),
    signal,
  );
  const found = new Map<string, string>();
  for (const [index, txid] of txids.entries()) {
    const answer = answers[index];
    const hex =
      answer !== undefined && "result" in answer
        ? readText(answer.result)
        : await fromItsBlock(rpc, chain, present(claimOf.get(txid), "a coin of it"), signal);
    const plain = plainTransaction(Buffer.from(hex, "hex"), chain.transactionFormat);
    found.set(txid, plain.toString("hex"));
  }
  return found;
}

/**
 * A node without a transaction index finds the transaction when the request names its block, which the unspent output reveals.
 */
async function fromItsBlock(
  rpc: JsonRpc,
  { findsById }: Pick<UtxoChain, "findsById">,
  claim: string,
  signal: AbortSignal,
): Promise<string> {
  const { txid, vout } = outpointOf(claim);
  const lost = new Unavailable("node", `has neither ${claim} nor the transaction that created it`);
  if (findsById === true) throw lost;
  // Without the mempool, where the transaction that is to be replaced has spent it.
  const coin = await absentAsNull(rpc.call<unknown>("gettxout", [txid, vout, false], signal));
  if (coin === null) throw lost;
  const fields = readFields(coin);
  const base = await headerByHash(rpc, readText(fields["bestblock"]), signal);
  const height = (base?.height ?? 0) - readInteger(fields["confirmations"]) + 1;
  const block = base === null ? null : await headerAt(rpc, height, signal);
  if (block === null) throw lost;
  const hex = await absentAsNull(
    rpc.call<unknown>("getrawtransaction", [txid, false, block.hash], signal),
  );
  if (hex === null) throw lost;
  return readText(hex);
}
