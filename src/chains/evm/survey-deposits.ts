import type { Currency } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { SweepAddress, SweepAsset, SweepState } from "../paying-port.ts";
import { designatorOf } from "./deployment.ts";
import { type EvmNode, type Outcome, type Question, refused } from "./evm-node.ts";
import { codeAt, gasFor } from "./fee-questions.ts";
import { transferCall } from "./payment-call.ts";
import { balanceAt, headerByNumber, nonceAt, tokenBalanceAt } from "./questions.ts";
import { isUnrunnable } from "./revert.ts";
import { addressGas, assetGas, transactionGas } from "./sweep-gas.ts";

export type SurveyOptions = {
  readonly node: EvmNode;
  /** The chain's currencies. */
  readonly currencies: readonly Currency[];
  /** Lower case. */
  readonly hot: string;
  readonly delegate: string;
};

/** Addresses per round trip. */
const pageSize = 50;
/** The gas of a token's transfer that the node can neither estimate nor reject. */
const unestimatedTransferGas = 100_000n;

/** `latest`: null where a token's contract does not answer; then nothing of it is `final`. */
type Held = { readonly currency: Currency; readonly latest: bigint | null; readonly final: bigint };
/** Coin units per gas: what is expected to be burnt, and what suffices while fees rise. */
type GasPrices = { readonly expected: bigint; readonly safe: bigint };
type DepositBalances = Omit<SweepState, "assets" | "batchFeeUnits"> & {
  /** At the tip, whether or not it will be swept. */
  readonly coinUnits: bigint;
  readonly held: readonly Held[];
};

/** The addresses' balances, in the given order, and what moving each asset takes; top-ups are computed with the safe price. */
export async function surveyDeposits(
  options: SurveyOptions,
  addresses: readonly SweepAddress[],
  prices: GasPrices,
  signal: AbortSignal,
): Promise<readonly SweepState[]> {
  const states: SweepState[] = [];
  for (let start = 0; start < addresses.length; start += pageSize) {
    const page = addresses.slice(start, start + pageSize);
    const places = await readPlaces(options, page, signal);
    states.push(...(await estimateAssets(options, places, prices, signal)));
  }
  return states;
}

/** All balances are of one block; final balances are of the block at each currency's confirmation count. */
async function readPlaces(
  { node, currencies, delegate }: SurveyOptions,
  addresses: readonly SweepAddress[],
  signal: AbortSignal,
): Promise<readonly DepositBalances[]> {
  const latest = present(await node.ask(headerByNumber("latest"), signal), "a newest block");
  const requested = addresses.map((place) => ({
    ...place,
    lower: place.address.toLowerCase(),
    assets: place.currencies.map((id) =>
      present(
        currencies.find((currency) => currency.id === id),
        `currency ${id} on ${node.chain}`,
      ),
    ),
  }));
  const finals = await readFinalHashes(
    node,
    latest.height,
    requested.flatMap(({ assets }) => assets),
    signal,
  );
  const ask = createAnswers(node);
  const places = requested.map(({ keyIndex, lower, assets }) => ({
    keyIndex,
    address: lower,
    nonce: ask.for(nonceAt(lower, latest.hash)),
    code: ask.for(codeAt(lower)),
    coin: ask.for(balanceAt(lower, latest.hash)),
    assets: assets.map((currency) => ({
      currency,
      latest: ask.holding(holdingAt(currency, lower, latest.hash)),
      final: finals.has(currency.confirmationBlocks)
        ? ask.holding(
            holdingAt(currency, lower, present(finals.get(currency.confirmationBlocks), "hash")),
          )
        : null,
    })),
  }));
  await ask.all(signal);
  return places.map(({ keyIndex, address, nonce, code, coin, assets }) => ({
    keyIndex,
    address,
    sequence: BigInt(nonce()),
    coinUnits: coin(),
    isPrepared: code() === designatorOf(delegate),
    held: assets.map(({ currency, latest: newest, final }) => ({
      currency,
      latest: newest(),
      // Funds that have left since cannot be moved, even if more arrived later.
      final: least(newest() ?? 0n, final?.() ?? 0n),
    })),
  }));
}

/** Hashes of the blocks at the currencies' confirmation counts; a young chain has none for some. */
async function readFinalHashes(
  node: EvmNode,
  tipHeight: number,
  currencies: readonly Currency[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const counts = [...new Set(currencies.map(({ confirmationBlocks }) => confirmationBlocks))];
  const reached = counts.filter((count) => tipHeight - count + 1 >= 0);
  if (reached.length === 0) return new Map();
  const headers = await node.askAll(
    reached.map((count) => headerByNumber(tipHeight - Math.max(count, 1) + 1)),
    signal,
  );
  return new Map(
    headers.flatMap((header, position) => {
      const count = reached[position];
      return header === null || count === undefined ? [] : [[count, header.hash] as const];
    }),
  );
}

function holdingAt(currency: Currency, address: string, hash: string): Question<bigint | null> {
  if (currency.kind === "coin") return balanceAt(address, hash);
  return tokenBalanceAt(present(currency.token, "a contract").locator, address, hash);
}

/** Collects questions, sends them in one request and distributes the answers. */
function createAnswers(node: EvmNode) {
  const questions: Question<unknown>[] = [];
  let outcomes: readonly Outcome<unknown>[] | null = null;
  const outcomeOf = <Answer>(question: Question<Answer>): (() => Outcome<Answer>) => {
    const position = questions.push(question) - 1;
    return () => {
      assert(outcomes !== null, "an answer is read before it was requested");
      return present(outcomes[position], "an answer to each question") as Outcome<Answer>;
    };
  };
  return {
    for: <Answer>(question: Question<Answer>): (() => Answer) => {
      const outcome = outcomeOf(question);
      return () => answerOf(node, question.method, outcome());
    },
    /** Null if a token's contract has no answer: it must not hold up other currencies. */
    holding: (question: Question<bigint | null>): (() => bigint | null) => {
      const outcome = outcomeOf(question);
      return () => {
        const known = outcome();
        const isSilent = "refusal" in known && isUnrunnable(known.refusal);
        return isSilent ? null : answerOf(node, question.method, known);
      };
    },
    all: async (signal: AbortSignal): Promise<void> => {
      outcomes = await node.askEach<readonly unknown[]>(questions, signal);
    },
  };
}

function answerOf<Answer>(node: EvmNode, method: string, outcome: Outcome<Answer>): Answer {
  if ("refusal" in outcome) throw refused(node.chain, method, outcome.refusal);
  return outcome.answer;
}

async function estimateAssets(
  { node, hot }: SurveyOptions,
  places: readonly DepositBalances[],
  prices: GasPrices,
  signal: AbortSignal,
): Promise<readonly SweepState[]> {
  const tokens = places.flatMap(({ address, held }) =>
    held.flatMap(({ currency, final }) => {
      if (currency.token === null || final === 0n) return [];
      const call = transferCall(currency.token.locator, hot, final);
      return [{ key: keyOf(address, currency), question: gasFor(address, call) }];
    }),
  );
  const outcomes =
    tokens.length === 0
      ? []
      : await node.askEach(
          tokens.map(({ question }) => question),
          signal,
        );
  const estimates = new Map(
    outcomes.map((outcome, position) => [tokens[position]?.key, estimated(node, outcome)] as const),
  );
  return places.map(({ keyIndex, address, sequence, isPrepared, coinUnits, held }) => ({
    keyIndex,
    address,
    sequence,
    isPrepared,
    batchFeeUnits: (isPrepared ? addressGas.delegated : addressGas.authorized) * prices.expected,
    assets: held.map(({ currency, latest, final }): SweepAsset => {
      const isCoin = currency.kind === "coin";
      const transferGas = isCoin
        ? transactionGas
        : (estimates.get(keyOf(address, currency)) ?? null);
      const needed = (transferGas ?? 0n) * prices.safe;
      const isPoor = !isCoin && needed > coinUnits;
      const gas = transferGas === null ? null : assetGas(isCoin ? null : transferGas);
      const gasAlone =
        transactionGas + (isCoin ? 0n : (gas ?? 0n)) + (isPoor ? transactionGas : 0n);
      return {
        currency: currency.id,
        latest,
        final,
        work: gas,
        feeUnits: {
          inBatch: (gas ?? 0n) * prices.expected,
          alone: gasAlone * prices.expected,
        },
        preparation: isPoor ? { kind: "topUp", units: needed - coinUnits } : null,
      };
    }),
  }));
}

/** The estimate plus a fifth; null for a transfer that fails, or takes more gas or time than nodes give it. */
function estimated(node: EvmNode, outcome: Outcome<number>): bigint | null {
  if ("answer" in outcome) return (BigInt(outcome.answer) * 6n) / 5n;
  if (isUnrunnable(outcome.refusal)) return null;
  if (/fund/i.test(outcome.refusal.message)) return unestimatedTransferGas;
  throw refused(node.chain, "eth_estimateGas", outcome.refusal);
}

function keyOf(address: string, { id }: Currency): string {
  return `${address}:${id}`;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
