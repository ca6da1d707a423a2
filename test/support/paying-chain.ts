import type { ReceiverState } from "../../src/chains/paying-port.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import type { Clock, Instant } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { digest } from "./simulated-ledger.ts";

/*
 * A SIMULATED chain in memory that checks payments: coins exist once and are spent once, nonces are consecutive, accounts hold
 * what they pay. Its mempool replaces by fee, forgets, and mines what pays the market's fee. Nothing here was recorded from a
 * real node; the conformance suite shows what payments do there.
 */

export type PaidOutput = {
  readonly address: string;
  readonly units: bigint;
  readonly currency: CurrencyId;
};

export type PaidTransaction = {
  readonly txid: string;
  /** Outpoints `txid:vout`, or one `sender#nonce`. Empty: money from outside. */
  readonly claims: readonly string[];
  readonly account: { readonly sender: string; readonly nonce: number } | null;
  readonly outputs: readonly PaidOutput[];
  /** Highest fee; on UTXO chains exactly this. */
  readonly feeUnits: bigint;
};

/** What a token's contract does on a payment: nothing, half of it, or a payment to itself. */
export type TokenBehavior = "idle" | "halving" | "astray";

export type Applied = {
  readonly transaction: PaidTransaction;
  /** What each receiver really got. */
  readonly delivered: readonly PaidOutput[];
  readonly hasSucceeded: boolean;
  readonly burntUnits: bigint;
};

export type PaidBlock = { readonly ref: BlockRef; readonly applied: readonly Applied[] };

export type ChainState = {
  readonly coins: ReadonlyMap<string, PaidOutput>;
  /** By `address currency`. */
  readonly balances: ReadonlyMap<string, bigint>;
  readonly nonces: ReadonlyMap<string, number>;
};

export type PayingChain = {
  readonly funding: "coins" | "account";
  readonly coin: CurrencyId;
  /** Lowest fee for inclusion in a block; twice as much is ample. */
  market: bigint;
  /** Lowest fee that nodes relay. */
  readonly relayFee: bigint;
  /** The node replaces nothing in its mempool, whatever the fee. */
  isStubborn: boolean;
  /** Payments to these addresses revert, on account chains. */
  readonly reverting: Set<string>;
  /** Account chains: what an account has to keep, in units of the coin. */
  reserve: bigint;
  /** Account chains: receivers that cannot simply be paid; a payment that ignores this fails in its block. */
  readonly receivers: Map<string, ReceiverState>;
  /** What the token's contract does on payments to these addresses. */
  readonly tokenBehaviors: Map<string, TokenBehavior>;
  readonly blocks: () => readonly PaidBlock[];
  readonly tip: () => BlockRef;
  /** As of the block at that height of the best chain. */
  readonly stateAt: (height: number) => ChainState;
  readonly mempool: () => readonly PaidTransaction[];
  readonly submit: (
    transaction: PaidTransaction,
  ) => "accepted" | "alreadyKnown" | { readonly rejected: string };
  readonly forget: (txid: string) => void;
  readonly mine: (options?: { readonly empty?: boolean }) => void;
  /** Replaces the newest blocks by a longer branch; their transactions return to the mempool or are forgotten too. */
  readonly reorg: (
    depth: number,
    options: { readonly forgets: boolean; readonly mines: boolean },
  ) => void;
};

export function createPayingChain(options: {
  readonly name: string;
  readonly funding: "coins" | "account";
  readonly coin: CurrencyId;
  readonly clock: Clock;
}): PayingChain {
  const { name, funding, coin, clock } = options;
  let serial = 0;
  let blocks: PaidBlock[] = [];
  const states = new Map<string, ChainState>();
  const mempool = new Map<string, PaidTransaction>();
  const empty: ChainState = { coins: new Map(), balances: new Map(), nonces: new Map() };
  const tipState = (): ChainState => states.get(blocks.at(-1)?.ref.hash ?? "") ?? empty;

  const chain: PayingChain = {
    funding,
    coin,
    market: 10n,
    relayFee: 5n,
    isStubborn: false,
    reverting: new Set(),
    reserve: 0n,
    receivers: new Map(),
    tokenBehaviors: new Map(),
    blocks: () => blocks,
    tip: () => newest(blocks).ref,
    stateAt: (height) => states.get(blocks[height]?.ref.hash ?? "") ?? empty,
    mempool: () => [...mempool.values()],
    submit: (transaction) => {
      const { txid } = transaction;
      const isMined = blocks.some((block) =>
        block.applied.some((one) => one.transaction.txid === txid),
      );
      if (mempool.has(txid) || isMined) return "alreadyKnown";
      const refusal = refusalOf(transaction, tipState(), [...mempool.values()], chain);
      if (refusal !== null) return { rejected: refusal };
      for (const rival of rivalsOf(transaction, [...mempool.values()])) mempool.delete(rival.txid);
      mempool.set(txid, transaction);
      return "accepted";
    },
    forget: (txid) => {
      mempool.delete(txid);
    },
    mine: ({ empty: isEmpty = false } = {}) => {
      push(isEmpty ? [] : [...mempool.values()]);
    },
    reorg: (depth, { forgets, mines }) => {
      const removed = blocks.slice(-depth);
      blocks = blocks.slice(0, -depth);
      const returned = removed.flatMap(({ applied }) => applied.map((one) => one.transaction));
      // Money from outside is included again at once: only outgoing payments are simulated.
      for (const transaction of returned) {
        if (!forgets || transaction.claims.length === 0) mempool.set(transaction.txid, transaction);
      }
      for (let length = 0; length <= depth; length += 1) {
        push([...mempool.values()].filter(({ claims }) => mines || claims.length === 0));
      }
    },
  };

  const push = (candidates: readonly PaidTransaction[]): void => {
    serial += 1;
    const parent = blocks.at(-1)?.ref ?? null;
    const height = (parent?.height ?? -1) + 1;
    let state = tipState();
    const applied: Applied[] = [];
    const waiting = candidates.toSorted((a, b) => Number(b.feeUnits - a.feeUnits));
    for (let isMoving = true; isMoving; ) {
      isMoving = false;
      for (const transaction of waiting) {
        if (applied.some((one) => one.transaction.txid === transaction.txid)) continue;
        if (transaction.claims.length > 0 && feeOfPackage(transaction, waiting) < chain.market)
          continue;
        const next = apply(transaction, state, chain);
        if (next === null) continue;
        state = next.state;
        applied.push(next.applied);
        mempool.delete(transaction.txid);
        isMoving = true;
      }
    }
    const ref: BlockRef = {
      height,
      hash: digest(`${name} block ${height} ${parent?.hash ?? ""} ${serial}`),
      parentHash: parent?.hash ?? "0".repeat(64),
      time: Math.max(clock.now(), (parent?.time ?? 0) + 1) as Instant,
    };
    states.set(ref.hash, state);
    blocks = [...blocks, { ref, applied }];
    for (const other of [...mempool.values()]) {
      if (isImpossible(other, state, [...mempool.values()])) mempool.delete(other.txid);
    }
  };

  push([]);
  return chain;
}

function newest(blocks: readonly PaidBlock[]): PaidBlock {
  const last = blocks.at(-1);
  if (last === undefined) throw new Error("a chain has at least its first block");
  return last;
}

function rivalsOf(
  transaction: PaidTransaction,
  waiting: readonly PaidTransaction[],
): readonly PaidTransaction[] {
  return waiting.filter(({ claims }) => claims.some((claim) => transaction.claims.includes(claim)));
}

function refusalOf(
  transaction: PaidTransaction,
  state: ChainState,
  waiting: readonly PaidTransaction[],
  { relayFee, coin, isStubborn }: PayingChain,
): string | null {
  if (transaction.claims.length === 0) return null;
  if (transaction.feeUnits < relayFee) return "min relay fee not met";
  const rivals = rivalsOf(transaction, waiting);
  const dearest = rivals.reduce((most, { feeUnits }) => (feeUnits > most ? feeUnits : most), 0n);
  if (rivals.length > 0 && isStubborn) return "txn-mempool-conflict";
  if (rivals.length > 0 && transaction.feeUnits <= dearest) return "insufficient fee to replace";
  const { account } = transaction;
  if (account === null) {
    const unspent = new Set([...state.coins.keys(), ...waiting.flatMap(outpointsOf)]);
    return transaction.claims.every((claim) => unspent.has(claim)) ? null : "missing inputs";
  }
  if (account.nonce < (state.nonces.get(account.sender) ?? 0)) return "nonce too low";
  const balance = state.balances.get(`${account.sender} ${coin}`) ?? 0n;
  return balance < transaction.feeUnits ? "insufficient funds" : null;
}

function outpointsOf({ txid, outputs }: PaidTransaction): readonly string[] {
  return outputs.map((_, vout) => `${txid}:${vout}`);
}

/** A child may pay for its parent: half of their combined fee, if that is more. */
function feeOfPackage(parent: PaidTransaction, waiting: readonly PaidTransaction[]): bigint {
  const made = new Set(outpointsOf(parent));
  const children = waiting.filter(({ claims }) => claims.some((claim) => made.has(claim)));
  const fees = children.map(({ feeUnits }) => (feeUnits + parent.feeUnits) / 2n);
  return fees.reduce((most, fee) => (fee > most ? fee : most), parent.feeUnits);
}

/** Null: not now. */
function apply(
  transaction: PaidTransaction,
  state: ChainState,
  chain: PayingChain,
): { readonly state: ChainState; readonly applied: Applied } | null {
  if (transaction.claims.length === 0 || transaction.account === null) {
    return chain.funding === "coins"
      ? applyCoins(transaction, state)
      : deliver(transaction, state, {
          hasSucceeded: true,
          burntUnits: 0n,
          delivered: transaction.outputs,
        });
  }
  const { sender, nonce } = transaction.account;
  if (nonce !== (state.nonces.get(sender) ?? 0)) return null;
  const burntUnits = (transaction.feeUnits + 1n) / 2n;
  const held = (currency: CurrencyId): bigint => state.balances.get(`${sender} ${currency}`) ?? 0n;
  const coinPaid = sumOf(transaction.outputs.filter(({ currency }) => currency === chain.coin));
  if (held(chain.coin) < transaction.feeUnits + coinPaid + chain.reserve) return null;
  const hasSucceeded = transaction.outputs.every(
    (output) =>
      !chain.reverting.has(output.address) &&
      canReceive(output, chain) &&
      held(output.currency) >= output.units,
  );
  const balances = new Map(state.balances);
  const take = (currency: CurrencyId, units: bigint): void => {
    const key = `${sender} ${currency}`;
    balances.set(key, (balances.get(key) ?? 0n) - units);
  };
  take(chain.coin, burntUnits);
  const delivered = hasSucceeded
    ? transaction.outputs.flatMap((output) => deliveredOf(output, chain))
    : [];
  for (const { currency, units } of delivered) take(currency, units);
  const nonces = new Map(state.nonces).set(sender, nonce + 1);
  const outcome = { hasSucceeded, burntUnits, delivered };
  return deliver(transaction, { ...state, balances, nonces }, outcome);
}

function canReceive({ address, units }: PaidOutput, { receivers }: PayingChain): boolean {
  const state = receivers.get(address) ?? { kind: "ready" };
  if (state.kind === "needsActivation") return units >= state.minimumUnits;
  return state.kind === "ready";
}

function deliveredOf(
  output: PaidOutput,
  { coin, tokenBehaviors }: Pick<PayingChain, "coin" | "tokenBehaviors">,
): readonly PaidOutput[] {
  const behavior = output.currency === coin ? undefined : tokenBehaviors.get(output.address);
  if (behavior === undefined) return [output];
  if (behavior === "idle") return [];
  return [
    behavior === "astray"
      ? { ...output, address: "astray" }
      : { ...output, units: output.units / 2n },
  ];
}

function applyCoins(transaction: PaidTransaction, state: ChainState) {
  const coins = new Map(state.coins);
  for (const claim of transaction.claims) if (!coins.delete(claim)) return null;
  transaction.outputs.forEach((output, vout) => coins.set(`${transaction.txid}:${vout}`, output));
  const burntUnits = transaction.feeUnits;
  const delivered = transaction.outputs;
  const applied = { transaction, hasSucceeded: true, burntUnits, delivered };
  return { state: { ...state, coins }, applied };
}

function deliver(
  transaction: PaidTransaction,
  state: ChainState,
  outcome: Omit<Applied, "transaction">,
) {
  const balances = new Map(state.balances);
  for (const { address, currency, units } of outcome.delivered) {
    const key = `${address} ${currency}`;
    balances.set(key, (balances.get(key) ?? 0n) + units);
  }
  return { state: { ...state, balances }, applied: { transaction, ...outcome } };
}

/** Only a reorg could make it valid again, and mempools do not wait for that. */
function isImpossible(
  { claims, account }: PaidTransaction,
  state: ChainState,
  waiting: readonly PaidTransaction[],
): boolean {
  if (account !== null) return account.nonce < (state.nonces.get(account.sender) ?? 0);
  const unspent = new Set([...state.coins.keys(), ...waiting.flatMap(outpointsOf)]);
  return claims.some((claim) => !unspent.has(claim));
}

export function sumOf(outputs: readonly { readonly units: bigint }[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n);
}
