import type { ReceiverState } from "../../src/chains/paying-port.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import { addSeconds, type Clock, type Instant } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { hasEndedBy, type Validity } from "../../src/platform/kernel/validity.ts";
import { digest } from "./simulated-ledger.ts";

/*
 * A SIMULATED chain in memory that checks payments: coins exist once and are spent once, nonces are consecutive or, on chains
 * without them, transactions are included once and before they expire; accounts hold what they pay. Its mempool replaces by fee,
 * forgets, and mines what pays the market's fee. Nothing here was recorded from a real node; the conformance suite shows what
 * payments do there.
 */

/** Coins, accounts with consecutive nonces, or accounts without nonces, whose transactions expire at a time or a height. */
export type Funding = "coins" | "account" | "expiring";

/** How many payments a transaction of an account makes; a refused one undoes the others, or only bounces. */
export type Batches = {
  readonly paymentsMax: number;
  readonly isAtomic: boolean;
  /** Only after a transaction without payments that uses two sequence numbers. */
  readonly needsSetUp?: boolean;
  /** Accounts without money that lend their numbers; nodes keep one transaction of each account, and one of the payer's. */
  readonly lenders?: readonly string[];
};

export type PaidOutput = {
  readonly address: string;
  readonly units: bigint;
  readonly currency: CurrencyId;
};

export type PaidTransaction = {
  readonly txid: string;
  /** Outpoints `txid:vout`, or one `sender#nonce`. Empty on chains without nonces, and for money from outside. */
  readonly claims: readonly string[];
  readonly account: {
    readonly sender: string;
    readonly nonce: number | null;
    /** The last number that it uses if it succeeds. */
    readonly through: number | null;
    /** Whose number it is, if not the sender's. */
    readonly lender: string | null;
  } | null;
  readonly validity: Validity | null;
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
  /** Of each output, whether the chain made it. */
  readonly made: readonly boolean[];
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
  readonly funding: Funding;
  readonly batches: Batches | null;
  readonly expires: boolean;
  readonly coin: CurrencyId;
  /** Lowest fee for inclusion in a block; twice as much is ample. */
  market: bigint;
  /** Lowest fee that nodes relay. */
  readonly relayFee: bigint;
  /** How long the next transaction may be included; null on chains where they do not expire. */
  readonly nextValidity: () => Validity | null;
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
  /**
   * Replaces the newest blocks by a longer branch; their transactions return to the mempool or are forgotten too. `brings`: those
   * that only the miners of the other branch have.
   */
  readonly reorg: (
    depth: number,
    options: {
      readonly forgets: boolean;
      readonly mines: boolean;
      readonly brings?: readonly PaidTransaction[];
    },
  ) => void;
};

export function createPayingChain(options: {
  readonly name: string;
  readonly funding: Funding;
  readonly coin: CurrencyId;
  readonly clock: Clock;
  /** Of transactions that expire: seconds by the clock, or blocks. */
  readonly lifetime?: { readonly seconds: number } | { readonly blocks: number };
  readonly batches?: Batches | null;
  /** Whether transactions expire: by default those without numbers. */
  readonly expires?: boolean;
}): PayingChain {
  const { name, funding, coin, clock, lifetime = { seconds: 120 }, batches = null } = options;
  const { expires = funding === "expiring" } = options;
  let serial = 0;
  let blocks: PaidBlock[] = [];
  const states = new Map<string, ChainState>();
  const mempool = new Map<string, PaidTransaction>();
  const empty: ChainState = { coins: new Map(), balances: new Map(), nonces: new Map() };
  const tipState = (): ChainState => states.get(blocks.at(-1)?.ref.hash ?? "") ?? empty;

  const chain: PayingChain = {
    funding,
    batches,
    expires,
    coin,
    market: 10n,
    relayFee: 5n,
    isStubborn: false,
    reverting: new Set(),
    reserve: 0n,
    receivers: new Map(),
    tokenBehaviors: new Map(),
    nextValidity: () => {
      if (!expires) return null;
      return "seconds" in lifetime
        ? { kind: "time", until: addSeconds(clock.now(), lifetime.seconds) }
        : { kind: "height", last: newest(blocks).ref.height + lifetime.blocks };
    },
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
      const refusal = hasExpired(transaction, blocks.at(-1)?.ref)
        ? "transaction expired"
        : refusalOf(transaction, tipState(), [...mempool.values()], chain);
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
    reorg: (depth, { forgets, mines, brings = [] }) => {
      const removed = blocks.slice(-depth);
      blocks = blocks.slice(0, -depth);
      const returned = removed.flatMap(({ applied }) => applied.map((one) => one.transaction));
      // Money from outside is included again at once: only outgoing payments are simulated.
      for (const transaction of returned) {
        if (!forgets || isFromOutside(transaction)) mempool.set(transaction.txid, transaction);
      }
      for (const transaction of brings) mempool.set(transaction.txid, transaction);
      for (let length = 0; length <= depth; length += 1) {
        push([...mempool.values()].filter((one) => mines || isFromOutside(one)));
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
        if (hasExpired(transaction, parent)) continue;
        if (!isFromOutside(transaction) && feeOfPackage(transaction, waiting) < chain.market)
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
      const isOver = hasExpired(other, ref) || isImpossible(other, state, [...mempool.values()]);
      if (isOver) mempool.delete(other.txid);
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

export function isFromOutside({ claims, account }: PaidTransaction): boolean {
  return claims.length === 0 && account === null;
}

/** Whether no block after this one may include the transaction. */
function hasExpired({ validity }: PaidTransaction, tip: BlockRef | null | undefined): boolean {
  return validity !== null && tip !== null && tip !== undefined && hasEndedBy(validity, tip);
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
  if (isFromOutside(transaction)) return null;
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
  if (isUsed(account, state)) return "nonce too low";
  const balance = state.balances.get(`${account.sender} ${coin}`) ?? 0n;
  return balance < transaction.feeUnits ? "insufficient funds" : null;
}

function outpointsOf({ txid, outputs }: PaidTransaction): readonly string[] {
  return outputs.map((_, vout) => `${txid}:${vout}`);
}

/** A child may pay for its parent: half of their combined fee, if that is more. */
function feeOfPackage(parent: PaidTransaction, waiting: readonly PaidTransaction[]): bigint {
  const created = new Set(outpointsOf(parent));
  const children = waiting.filter(({ claims }) => claims.some((claim) => created.has(claim)));
  const fees = children.map(({ feeUnits }) => (feeUnits + parent.feeUnits) / 2n);
  return fees.reduce((most, fee) => (fee > most ? fee : most), parent.feeUnits);
}

/** Null if the transaction cannot be included now. */
function apply(
  transaction: PaidTransaction,
  state: ChainState,
  chain: PayingChain,
): { readonly state: ChainState; readonly applied: Applied } | null {
  if (transaction.account === null) {
    return chain.funding === "coins"
      ? applyCoins(transaction, state)
      : deliver(transaction, state, {
          hasSucceeded: true,
          made: transaction.outputs.map(() => true),
          burntUnits: 0n,
          delivered: transaction.outputs,
        });
  }
  const { sender, nonce, through, lender } = transaction.account;
  const next = state.nonces.get(lender ?? sender) ?? 0;
  if (nonce !== null && nonce !== next) return null;
  const burntUnits = (transaction.feeUnits + 1n) / 2n;
  const held = (currency: CurrencyId): bigint => state.balances.get(`${sender} ${currency}`) ?? 0n;
  const coinPaid = sumOf(transaction.outputs.filter(({ currency }) => currency === chain.coin));
  if (held(chain.coin) < transaction.feeUnits + coinPaid + chain.reserve) return null;
  const accepted = transaction.outputs.map(
    (output) =>
      !chain.reverting.has(output.address) &&
      canReceive(output, chain) &&
      held(output.currency) >= output.units,
  );
  const isIndependent = chain.batches?.isAtomic === false;
  const hasSucceeded = isIndependent
    ? accepted.length === 0 || accepted.includes(true)
    : !accepted.includes(false);
  const paid = transaction.outputs.filter((_, at) => !isIndependent || accepted[at] === true);
  const balances = new Map(state.balances);
  const take = (currency: CurrencyId, units: bigint): void => {
    const key = `${sender} ${currency}`;
    balances.set(key, (balances.get(key) ?? 0n) - units);
  };
  take(chain.coin, burntUnits);
  const delivered = hasSucceeded ? paid.flatMap((output) => deliveredOf(output, chain)) : [];
  for (const { currency, units } of delivered) take(currency, units);
  const last = hasSucceeded ? (through ?? next) : next;
  const nonces = new Map(state.nonces).set(lender ?? sender, last + 1);
  const outcome = { hasSucceeded, made: accepted, burntUnits, delivered };
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
  const made = transaction.outputs.map(() => true);
  const applied = { transaction, hasSucceeded: true, made, burntUnits, delivered };
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
  if (account !== null) return isUsed(account, state);
  const unspent = new Set([...state.coins.keys(), ...waiting.flatMap(outpointsOf)]);
  return claims.some((claim) => !unspent.has(claim));
}

function isUsed(
  { sender, nonce, lender }: NonNullable<PaidTransaction["account"]>,
  { nonces }: ChainState,
): boolean {
  return nonce !== null && nonce < (nonces.get(lender ?? sender) ?? 0);
}

export function sumOf(outputs: readonly { readonly units: bigint }[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n);
}
