import { contractAmong } from "../../currencies/currency.ts";
import type { AccountBatching, BatchingState, Payment } from "../paying-port.ts";
import { nextNonceOf } from "./account-funds.ts";
import { draftBatches } from "./draft-batch.ts";
import type { EvmDrafting } from "./draft-payment.ts";
import type { EvmNode, Outcome } from "./evm-node.ts";
import { codeAt, gasFor } from "./fee-questions.ts";
import { batchUnitsMax, payoutDelegate, payoutDesignator } from "./payout-delegate.ts";
import { coinHeld } from "./probe-payment.ts";
import { transactionGas } from "./sweep-gas.ts";

/** Coin receivers whose code needs more gas are paid alone. */
const receiverGasMost = 150_000n;

/**
 * Creating an account in a batch costs 25,000 gas, more than a transaction of its own saves. But while the hot account delegates,
 * nodes keep only one transaction of it, so more newcomers than these join the others instead of waiting for a block each.
 */
const newcomersAlone = 3;

/** Accounts that exist never cease to, so they are asked about once. */
const knownMax = 100_000;

const together = "together";

/** Pays several receivers by one transaction of the hot account to itself, once it delegates to `PayoutDelegate.sol`. */
export function createEvmBatching(drafting: EvmDrafting): AccountBatching {
  const { node } = drafting;
  const existing = new Set<string>();
  return {
    state: (address, signal) => readBatchingState(node, address, signal),
    keysOf: (address, payments, signal) =>
      keysOf(drafting, existing, address.toLowerCase(), payments, signal),
    isAtomic: false,
    draftEach: (address, batches, ceiling, signal) =>
      draftBatches({ ...drafting, existing }, address, batches, ceiling, signal),
  };
}

/** Nodes keep one pending transaction of an account that delegates. */
async function readBatchingState(
  node: EvmNode,
  address: string,
  signal: AbortSignal,
): Promise<BatchingState> {
  const [own, delegate] = await node.askAll([codeAt(address), codeAt(payoutDelegate)], signal);
  return own === payoutDesignator && delegate !== "0x"
    ? { kind: "ready", pendingMax: 1 }
    : { kind: "needsSetUp" };
}

async function keysOf(
  drafting: EvmDrafting,
  existing: Set<string>,
  from: string,
  payments: readonly Payment[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const { currencies, node, coin } = drafting;
  const coinReceivers = payments
    .filter(({ amount }) => amount.currency === coin)
    .map(({ destination }) => destination.address.toLowerCase());
  const unknown = [...new Set(coinReceivers)].filter((address) => !existing.has(address));
  const kinds = await readReceivers(node, from, unknown, signal);
  if (existing.size > knownMax) existing.clear();
  for (const [address, kind] of kinds) if (kind === "exists") existing.add(address);
  const newcomers = new Set<string>();
  return payments.map((payment) => {
    const { destination, amount } = payment;
    const receiver = destination.address.toLowerCase();
    if (amount.units > batchUnitsMax || receiver === from) return null;
    if (contractAmong(currencies, amount.currency) !== null) return together;
    const kind = existing.has(receiver) ? "exists" : (kinds.get(receiver) ?? "alone");
    if (kind === "alone") return null;
    if (kind !== "newcomer") return together;
    newcomers.add(receiver);
    return newcomers.size <= newcomersAlone ? null : together;
  });
}

/** `exists`: an account without code. `code`: its code can take coin within the gas allowed. */
type ReceiverKind = "newcomer" | "exists" | "code" | "alone";

async function readReceivers(
  node: EvmNode,
  from: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReceiverKind>> {
  if (addresses.length === 0) return new Map();
  const [codes, coins, nonces] = await Promise.all([
    node.askEach(addresses.map(codeAt), signal),
    node.askEach(addresses.map(coinHeld), signal),
    node.askEach(addresses.map(nextNonceOf), signal),
  ]);
  const kinds = new Map<string, ReceiverKind>();
  for (const [place, address] of addresses.entries()) {
    const code = answerOf(codes[place]);
    const coin = answerOf(coins[place]);
    const nonce = answerOf(nonces[place]);
    if (code === null || coin === null || nonce === null) kinds.set(address, "alone");
    else if (code !== "0x") kinds.set(address, "code");
    else kinds.set(address, coin === 0n && nonce === 0 ? "newcomer" : "exists");
  }
  const contracts = addresses.filter((address) => kinds.get(address) === "code");
  const gases =
    contracts.length === 0
      ? []
      : await node.askEach(
          contracts.map((to) => gasFor(from, { to, value: 1n, data: "0x" })),
          signal,
        );
  for (const [place, address] of contracts.entries()) {
    const gas = answerOf(gases[place]);
    if (gas === null || BigInt(gas) - transactionGas > receiverGasMost) kinds.set(address, "alone");
  }
  return kinds;
}

/** Null if the node refuses. */
function answerOf<Answer>(outcome: Outcome<Answer> | undefined): Answer | null {
  return outcome !== undefined && "answer" in outcome ? outcome.answer : null;
}
