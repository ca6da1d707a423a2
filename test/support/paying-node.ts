import type {
  AccountBatching,
  AccountDraftOutcome,
  AccountLenders,
  BroadcastOutcome,
  ChainWriter,
  Coin,
  Draft,
  DraftOutcome,
  DraftRequest,
  Funds,
  SequenceRange,
  SpendStatus,
} from "../../src/chains/paying-port.ts";
import type { BlockRef, TransactionReceipt } from "../../src/chains/port.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import type { Validity } from "../../src/platform/kernel/validity.ts";
import {
  type Applied,
  type PaidBlock,
  type PaidOutput,
  type PaidTransaction,
  type PayingChain,
  sumOf,
} from "./paying-chain.ts";
import { digest } from "./simulated-ledger.ts";

/* A SIMULATED node and writer of a paying chain, with configurable faults. */

export type PayingFaults = {
  outage: boolean;
  /** The node does not know the newest blocks; it still relays what it is given. */
  lag: number;
  /** The outcome of the next broadcasts: accepted, lost although "accepted", or accepted with the response lost. */
  broadcast: "fine" | "dropped" | "unanswered";
};

export type PayingNode = {
  readonly writer: ChainWriter;
  readonly tip: () => BlockRef;
  readonly blockAt: (height: number) => PaidBlock | null;
  readonly minedAmong: (
    txids: readonly string[],
    block: BlockRef,
  ) => readonly TransactionReceipt[] | null;
};

export function createPayingNode(chain: PayingChain, faults: PayingFaults): PayingNode {
  const view = (): readonly PaidBlock[] => {
    const blocks = chain.blocks();
    return blocks.slice(0, Math.max(1, blocks.length - faults.lag));
  };
  const tip = (): BlockRef => view().at(-1)?.ref ?? chain.tip();
  const ask = <Answer>(answer: () => Answer): Promise<Answer> =>
    faults.outage
      ? Promise.reject(new Unavailable("node", "the simulated node is off"))
      : new Promise((resolve) => {
          resolve(answer());
        });
  const balance = (address: string, currency: CurrencyId, height: number): bigint =>
    chain.stateAt(height).balances.get(`${address} ${currency}`) ?? 0n;

  const draftBatches: AccountBatching["draftEach"] = (address, each, ceiling) =>
    ask(() => {
      const feeCeiling = "units" in ceiling ? ceiling.units : ceiling.timesHigh * chain.market * 3n;
      const { height } = tip();
      return each.map(({ payments, feeTarget }) => {
        const at = (range: SequenceRange): DraftOutcome => {
          const funds = { kind: "account", address, ...range } as const;
          const requested = { payments, funds, feeTarget, feeCeiling };
          return draft(chain, { ...requested, replaces: null }, height);
        };
        return withoutSequence(at);
      });
    });

  const lendersOf = (addresses: readonly string[]): AccountLenders => ({
    count: addresses.length,
    list: () =>
      ask(() => {
        const { height } = tip();
        const { nonces } = chain.stateAt(height);
        return {
          height,
          accounts: addresses.map((address) => ({
            address,
            next: BigInt(nonces.get(address) ?? 0),
          })),
        };
      }),
    canBeMade: () => Promise.resolve(false),
  });

  const writer: ChainWriter = {
    funding: chain.funding === "coins" ? "coins" : "account",
    coin: chain.coin,
    paymentsMax: chain.funding === "coins" ? 100 : (chain.batches?.paymentsMax ?? 1),
    changeOf: chain.funding === "coins" ? changeOf : null,
    quote: () =>
      ask(() => {
        const { market } = chain;
        return { low: market, medium: market * 2n, high: market * 3n, dust: 0n, warning: null };
      }),
    draft: (request) => ask(() => draft(chain, request, tip().height)),
    broadcast: (raw) =>
      ask(() => {
        if (faults.broadcast === "dropped") return { kind: "accepted" };
        const outcome = chain.submit(readRaw(raw));
        if (faults.broadcast === "unanswered") throw new Unavailable("node", "no answer");
        return outcomeOf(outcome);
      }),
    status: (txid, { claims, body }) => ask(() => statusOf(view(), chain, txid, claims, body)),
    isMissingUpTo: chain.expires
      ? (txid, _draft, block) => ask(() => isMissingIn(view(), txid, block))
      : null,
    account:
      chain.funding === "coins"
        ? null
        : {
            nextSequence:
              chain.funding === "expiring"
                ? null
                : (address) =>
                    ask(() => BigInt(chain.stateAt(tip().height).nonces.get(address) ?? 0)),
            funds: (address, currency, confirmations) =>
              ask(() => ({
                latest: balance(address, currency, tip().height),
                final: balance(address, currency, tip().height - confirmations + 1),
                reserved: currency === chain.coin ? chain.reserve : 0n,
              })),
            receiver: ({ address }) => ask(() => chain.receivers.get(address) ?? { kind: "ready" }),
            draftEach: (address, payments, ceiling, signal) =>
              draftBatches(
                address,
                payments.map(({ payment, ...rest }) => ({ payments: [payment], ...rest })),
                ceiling,
                signal,
              ),
            ...(chain.batches === null
              ? {}
              : {
                  batching: {
                    state: (address) =>
                      ask(() =>
                        chain.batches?.needsSetUp === true && !isSetUp(view(), address)
                          ? { kind: "needsSetUp" }
                          : {
                              kind: "ready",
                              pendingMax: chain.batches?.lenders === undefined ? null : 1,
                            },
                      ),
                    keysOf: (_address, payments) =>
                      Promise.resolve(payments.map(({ destination }) => destination.tag ?? "")),
                    isAtomic: chain.batches.isAtomic,
                    draftEach: draftBatches,
                  },
                }),
            ...(chain.batches?.lenders === undefined
              ? {}
              : { lenders: lendersOf(chain.batches.lenders) }),
            broadcastEach: (raws) =>
              ask(() => {
                if (faults.broadcast === "dropped")
                  return raws.map(() => ({ kind: "accepted" as const }));
                // When the response is lost, the node may have accepted only some.
                const isLost = faults.broadcast === "unanswered";
                const received = isLost ? raws.slice(0, Math.ceil(raws.length / 2)) : raws;
                const outcomes = received.map((raw) => outcomeOf(chain.submit(readRaw(raw))));
                if (isLost) throw new Unavailable("node", "no answer");
                return outcomes;
              }),
          },
  };
  return {
    writer,
    tip,
    blockAt: (height) => view()[height] ?? null,
    minedAmong: (txids, { hash }) => {
      const block = view().find(({ ref }) => ref.hash === hash);
      if (block === undefined) return null;
      return block.applied
        .filter(({ transaction }) => txids.includes(transaction.txid))
        .map((one) => ({
          txid: one.transaction.txid,
          hasSucceeded: one.hasSucceeded,
          feeUnits: chain.funding === "coins" ? null : one.burntUnits,
          ...oddDelivery(chain, one),
          ...fatesOf(chain, one),
        }));
    },
  };
}

/** What became of each payment of a transaction with several. */
function fatesOf(
  { batches }: PayingChain,
  { transaction, hasSucceeded, made }: Applied,
): Pick<TransactionReceipt, "payments"> {
  if (batches === null || transaction.outputs.length < 2 || !made.includes(false)) return {};
  const other = hasSucceeded ? "made" : "undone";
  return { payments: made.map((isMade) => (isMade ? other : "refused")) };
}

/** The transfer that a token's logs show, if it differs from the request. */
function oddDelivery(
  { coin }: PayingChain,
  { transaction, hasSucceeded, delivered }: Applied,
): Pick<TransactionReceipt, "delivery"> {
  const [requested] = transaction.outputs;
  if (!hasSucceeded || requested === undefined || requested.currency === coin) return {};
  const arrived = delivered.filter(({ address }) => address === requested.address);
  const [requestedUnits, receivedUnits, sentUnits] = [
    requested.units,
    sumOf(arrived),
    sumOf(delivered),
  ];
  if (receivedUnits === requestedUnits && sentUnits === requestedUnits) return {};
  return { delivery: { currency: requested.currency, requestedUnits, receivedUnits, sentUnits } };
}

function outcomeOf(submitted: ReturnType<PayingChain["submit"]>): BroadcastOutcome {
  return typeof submitted === "string"
    ? { kind: submitted }
    : { kind: "rejected", reason: submitted.rejected };
}

/** A draft without its sequence number. */
function withoutSequence(at: (range: SequenceRange) => DraftOutcome): AccountDraftOutcome {
  const first = at({ sequence: 0n });
  if (first.kind !== "draft") return first;
  return {
    kind: "draft",
    feeUnits: first.draft.feeUnits,
    withSequence: (sequence, through, lender) => {
      const outcome = at({
        sequence,
        ...(through === undefined ? {} : { through }),
        ...(lender === undefined ? {} : { lender }),
      });
      if (outcome.kind !== "draft") throw new Error("the chain moved on in between");
      return outcome.draft;
    },
  };
}

function draft(chain: PayingChain, request: DraftRequest, height: number): DraftOutcome {
  const { payments, funds, feeTarget, feeCeiling, replaces } = request;
  const floor = replaces === null ? chain.relayFee : replaces.feeUnits + chain.relayFee;
  const aimed = feeTarget ?? chain.market * 2n;
  const feeUnits = aimed < floor ? floor : aimed > feeCeiling ? feeCeiling : aimed;
  if (feeUnits < floor || floor > feeCeiling) return { kind: "tooExpensive", feeUnits: floor };
  const outputs = payments.map(
    ({ destination, amount }): PaidOutput => ({ address: destination.address, ...amount }),
  );
  if (funds.kind === "account") return draftAccount(chain, outputs, funds, feeUnits, height);
  return draftCoins(chain, outputs, funds, feeUnits, replaces);
}

function draftAccount(
  chain: PayingChain,
  outputs: readonly PaidOutput[],
  { address, sequence, through, lender }: Extract<Funds, { kind: "account" }>,
  feeUnits: bigint,
  height: number,
): DraftOutcome {
  const state = chain.stateAt(height);
  for (const currency of new Set(outputs.map((output) => output.currency))) {
    const units = sumOf(outputs.filter((output) => output.currency === currency));
    const held = state.balances.get(`${address} ${currency}`) ?? 0n;
    const needed = units + (currency === chain.coin ? feeUnits + chain.reserve : 0n);
    if (held < needed) return { kind: "insufficient", currency, missing: needed - held };
  }
  const nonce = chain.funding === "expiring" ? null : Number(sequence);
  const last = nonce === null ? null : Number(through ?? sequence);
  const numbers = nonce === null || last === null ? 0 : last - nonce + 1;
  const owner = lender ?? address;
  const claims = Array.from({ length: numbers }, (_, at) => `${owner}#${(nonce ?? 0) + at}`);
  const account = {
    sender: address,
    nonce,
    through: last === nonce ? null : last,
    lender: lender ?? null,
  };
  const validity = chain.nextValidity();
  const draft = describe({ claims, account, outputs, feeUnits, validity }, outputs.length);
  return { kind: "draft", draft };
}

function draftCoins(
  chain: PayingChain,
  outputs: readonly PaidOutput[],
  { coins, change, extraChange: furtherChange = [] }: Extract<Funds, { kind: "coins" }>,
  feeUnits: bigint,
  replaces: Draft | null,
): DraftOutcome {
  const kept = replaces?.claims ?? [];
  const known = new Map(coins.map((coin) => [coin.claim, coin.units]));
  const used: Pick<Coin, "claim" | "units">[] = kept.map((claim) => ({
    claim,
    units: known.get(claim) ?? unitsOfKept(replaces, claim),
  }));
  const needed = outputs.reduce((sum, { units }) => sum + units, feeUnits);
  const total = (): bigint => used.reduce((sum, { units }) => sum + units, 0n);
  for (const coin of coins) {
    if (total() >= needed && (outputs.length > 0 || replaces !== null)) break;
    if (!kept.includes(coin.claim)) used.push(coin);
  }
  if (total() < needed)
    return { kind: "insufficient", currency: chain.coin, missing: needed - total() };
  const rest = total() - needed;
  const offered = replaces === null ? [change, ...furtherChange] : [change];
  const partMin = sumOf(outputs) > feeUnits * 20n ? sumOf(outputs) : feeUnits * 20n;
  const targets = offered.filter((_, at) => at === 0 || rest / BigInt(at + 1) >= partMin);
  const part = rest / BigInt(targets.length);
  const returned = targets.map(({ address }, at) => ({
    address,
    currency: chain.coin,
    units: at === 0 ? rest - part * BigInt(targets.length - 1) : part,
  }));
  const all = rest === 0n ? outputs : [...outputs, ...returned];
  const claims = used.map(({ claim }) => claim);
  const amounts = Object.fromEntries(used.map(({ claim, units }) => [claim, units.toString()]));
  const drafted = describe(
    { claims, account: null, outputs: all, feeUnits, validity: null },
    outputs.length,
  );
  return { kind: "draft", draft: { ...drafted, body: { ...drafted.body, amounts } } };
}

function changeOf(txid: string, { body }: Draft): readonly Coin[] {
  const { outputs, paid } = readBody(body);
  return outputs.slice(paid).map(({ units }, at) => ({
    claim: `${txid}:${paid + at}`,
    units,
    addressType: "",
    branch: 1 as const,
    keyIndex: 0,
  }));
}

function unitsOfKept(replaces: Draft | null, claim: string): bigint {
  const amounts = replaces?.body["amounts"] as Readonly<Record<string, string>> | undefined;
  const units = amounts?.[claim];
  if (units === undefined) throw new Error(`${claim} is no coin of what is replaced`);
  return BigInt(units);
}

/** The first `paid` outputs are payments; the rest is change. */
function describe(transaction: Omit<PaidTransaction, "txid">, paid: number): Draft {
  const { claims, feeUnits, validity } = transaction;
  const body = { ...(JSON.parse(writeText(transaction)) as JsonObject), paid };
  return { body, claims, feeUnits, validity };
}

function readBody(body: JsonObject): Omit<PaidTransaction, "txid"> & { readonly paid: number } {
  const written = body as unknown as {
    readonly claims: readonly string[];
    readonly account: PaidTransaction["account"];
    readonly outputs: readonly (Omit<PaidOutput, "units"> & { readonly units: string })[];
    readonly feeUnits: string;
    readonly validity: Validity | null;
    readonly paid: number;
  };
  const { account } = written;
  return {
    claims: written.claims,
    account:
      account === null
        ? null
        : {
            sender: account.sender,
            nonce: account.nonce,
            through: account.through,
            lender: account.lender,
          },
    outputs: written.outputs.map(({ address, currency, units }) => ({
      address,
      currency,
      units: BigInt(units),
    })),
    feeUnits: BigInt(written.feeUnits),
    validity: written.validity === null ? null : validityOf(written.validity),
    paid: written.paid,
  };
}

/** The members in one order, whatever a database did to it. */
function validityOf(validity: Validity): Validity {
  return validity.kind === "height"
    ? { kind: "height", last: validity.last }
    : { kind: "time", until: validity.until };
}

/** The transaction that a draft and the key determine. */
export function signedBy(body: JsonObject): PaidTransaction {
  const { claims, account, outputs, feeUnits, validity } = readBody(body);
  const content = { claims, account, outputs, feeUnits, validity };
  return { ...content, txid: digest(writeText(content)) };
}

export function writeRaw(transaction: PaidTransaction): Uint8Array {
  return new TextEncoder().encode(writeText(transaction));
}

function readRaw(raw: Uint8Array): PaidTransaction {
  const body = JSON.parse(new TextDecoder().decode(raw)) as JsonObject;
  return signedBy(body);
}

function writeText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? member.toString() : member,
  );
}

/** The node must have the block, and the transaction in none up to it. */
function isMissingIn(
  blocks: readonly PaidBlock[],
  txid: string,
  { height, hash }: Pick<BlockRef, "height" | "hash">,
): boolean {
  return (
    blocks[height]?.ref.hash === hash &&
    !blocks
      .slice(0, height + 1)
      .some(({ applied }) => applied.some(({ transaction }) => transaction.txid === txid))
  );
}

function statusOf(
  blocks: readonly PaidBlock[],
  chain: PayingChain,
  txid: string,
  claims: readonly string[],
  body: JsonObject,
): SpendStatus {
  for (const { ref, applied } of blocks) {
    for (const one of applied) {
      const { transaction, hasSucceeded, burntUnits } = one;
      const isSame = transaction.txid === txid;
      // What failed used only its first claim.
      const used = hasSucceeded ? transaction.claims : transaction.claims.slice(0, 1);
      if (!isSame && !used.some((claim) => claims.includes(claim))) continue;
      if (isSame || makesSamePayments(transaction, body)) {
        const feeUnits = isSame && chain.funding === "coins" ? null : burntUnits;
        const mined = { txid: transaction.txid, hasSucceeded, feeUnits, ...fatesOf(chain, one) };
        return { kind: "mined", block: ref, ...mined, ...oddDelivery(chain, one) };
      }
      return { kind: "conflicted", by: transaction.txid, block: ref };
    }
  }
  const isWaiting = chain.mempool().some((transaction) => transaction.txid === txid);
  return { kind: isWaiting ? "pending" : "unknown" };
}

/** All payments of the draft; its change may have gone elsewhere. */
function makesSamePayments(transaction: PaidTransaction, body: JsonObject): boolean {
  const spell = ({ address, units }: PaidOutput): string => `${address} ${units}`;
  const created = transaction.outputs.map(spell);
  const { outputs, paid } = readBody(body);
  const payments = outputs.slice(0, paid);
  return payments.length > 0 && payments.every((payment) => created.includes(spell(payment)));
}

/** Whether a block contains the account's set-up, which pays nobody and uses two numbers. */
function isSetUp(blocks: readonly PaidBlock[], address: string): boolean {
  return blocks.some(({ applied }) =>
    applied.some(
      ({ hasSucceeded, transaction: { account, outputs } }) =>
        hasSucceeded &&
        outputs.length === 0 &&
        account?.sender === address &&
        account.through !== null,
    ),
  );
}
