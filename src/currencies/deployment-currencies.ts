import { present } from "../platform/kernel/assert.ts";
import { parseDecimal } from "../platform/kernel/decimal.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { builtInCurrencies, publicMinimums } from "./built-in-currencies.ts";
import type { ChainRecord } from "./chain-record.ts";
import { findChain } from "./chains.ts";
import { defaultTokenSupply } from "./coin.ts";
import type { ChainToken, Currency } from "./currency.ts";
import { tokenOf } from "./token-format.ts";

/** A token that the deployment adds to the built-in currencies. */
export type TokenSettings = {
  readonly id: string;
  readonly alpha: string;
  readonly name: string;
  /** Alpha code of the chain's coin. */
  readonly chain: string;
  readonly contract: string;
  readonly exp: number;
  /** In whole tokens, as decimal text. Default: one smallest unit. */
  readonly minimalTransfer?: string;
  /** In whole tokens, as decimal text; larger amounts are treated as a node's error. Default: 10^13. */
  readonly supplyMax?: string;
  /** Default: the coin's. */
  readonly confirmationBlocks?: number;
  /** Market symbol that prices it. Default: none; the token then has no rate. */
  readonly pricedAs?: string;
  readonly isStablecoin?: boolean;
};

/** Overrides for one currency, identified by its alpha code. */
export type CurrencySettings = {
  readonly currency: string;
  readonly contract?: string;
  readonly confirmationBlocks?: number;
  readonly minimalTransfer?: string;
};

export type DeploymentCurrencySettings = {
  /**
   * Chains that this deployment reads on their main network. On other networks the built-in contracts do not apply,
   * so tokens need a configured contract, and the minimums for public networks do not apply either.
   */
  readonly mainnetChains: ReadonlySet<string>;
  readonly tokens: readonly TokenSettings[];
  readonly overrides: readonly CurrencySettings[];
};

/** A settings error; `path` leads from the settings' root to the faulty member. */
export type SettingsProblem = {
  readonly path: readonly (string | number)[];
  readonly message: string;
};

const idPattern = /^[1-9][0-9]{0,7}$/;
const alphaPattern = /^[A-Z0-9][A-Z0-9.-]{0,31}$/;
const expMax = 30;
const confirmationsMax = 10_000;

/**
 * The deployment's currencies: the built-in ones with overrides applied, then the deployment's own tokens. Reports
 * every problem at once; do not use the list if there is any.
 */
export function deploymentCurrencies(settings: DeploymentCurrencySettings): {
  readonly currencies: readonly Currency[];
  readonly problems: readonly SettingsProblem[];
} {
  const problems: SettingsProblem[] = [];
  const byAlpha = new Map<string, Currency>();
  for (const record of builtInCurrencies) {
    byAlpha.set(record.alpha, forNetwork(record, settings.mainnetChains));
  }
  settings.tokens.forEach((token, index) => {
    const at = ["tokens", index] as const;
    const found = tokenProblems(token, byAlpha).map((problem) => atPath(at, problem));
    problems.push(...found);
    if (found.length === 0) byAlpha.set(token.alpha, tokenFromSettings(token, byAlpha));
  });
  const overridden = new Set<string>();
  settings.overrides.forEach((override, index) => {
    const at = ["overrides", index] as const;
    const record = byAlpha.get(override.currency);
    if (record === undefined) {
      problems.push({
        path: [...at, "currency"],
        message: `unknown currency ${override.currency}`,
      });
      return;
    }
    const found = overrideProblems(override, record);
    if (overridden.has(override.currency))
      found.push({ path: ["currency"], message: `${override.currency} has two overrides` });
    overridden.add(override.currency);
    problems.push(...found.map((problem) => atPath(at, problem)));
    if (found.length === 0) byAlpha.set(record.alpha, applyOverride(override, record));
  });
  problems.push(...contractClashes([...byAlpha.values()]));
  return { currencies: [...byAlpha.values()], problems };
}

function forNetwork(record: Currency, mainnetChains: ReadonlySet<string>): Currency {
  const isThere = record.chain !== null && mainnetChains.has(record.chain);
  if (!isThere) return record.token === null ? record : { ...record, token: null };
  const minimalTransferUnits = publicMinimums[record.alpha];
  return minimalTransferUnits === undefined ? record : { ...record, minimalTransferUnits };
}

function tokenProblems(token: TokenSettings, known: ReadonlyMap<string, Currency>) {
  const problems: SettingsProblem[] = [];
  const fault = (member: keyof TokenSettings, message: string): void => {
    problems.push({ path: [member], message });
  };
  const usedIds = new Set([...known.values()].map((currency) => currency.id as string));
  if (!idPattern.test(token.id))
    fault("id", `must be a number of at most eight digits, not "${token.id}"`);
  else if (usedIds.has(token.id)) fault("id", `${token.id} is already the id of another currency`);
  if (!alphaPattern.test(token.alpha))
    fault("alpha", `must be 1 to 32 characters of A-Z, 0-9, "." and "-", not "${token.alpha}"`);
  else if (known.has(token.alpha))
    fault("alpha", `${token.alpha} is already the code of another currency`);
  if (token.name.trim() === "" || token.name.length > 64)
    fault("name", "must have 1 to 64 characters");
  const chain = findChain(token.chain);
  if (chain === null) fault("chain", `unknown chain ${token.chain}`);
  else if (chain.tokens === null || !known.has(token.chain))
    fault("chain", `tokens cannot be added on ${token.chain}`);
  if (!Number.isInteger(token.exp) || token.exp < 0 || token.exp > expMax)
    fault("exp", `must be an integer from 0 to ${expMax}, not ${token.exp}`);
  else
    problems.push(
      ...amountProblems("minimalTransfer", token.minimalTransfer, token.exp),
      ...amountProblems("supplyMax", token.supplyMax, token.exp),
    );
  problems.push(...contractProblems(token.contract, chain));
  problems.push(...confirmationProblems(token.confirmationBlocks));
  return problems;
}

function overrideProblems(override: CurrencySettings, record: Currency): SettingsProblem[] {
  if (record.kind === "fiat")
    return [
      {
        path: ["currency"],
        message: `${record.alpha} is a fiat currency, which can't be overridden`,
      },
    ];
  const chain = record.chain === null ? null : findChain(record.chain);
  const problems = [
    ...contractProblems(override.contract, chain),
    ...confirmationProblems(override.confirmationBlocks),
    ...amountProblems("minimalTransfer", override.minimalTransfer, record.exp),
  ];
  if (
    override.contract !== undefined &&
    (record.kind !== "token" || (chain?.tokens ?? null) === null)
  )
    problems.push({ path: ["contract"], message: `${record.alpha} has no contract` });
  return problems;
}

/** A chain without a format of its own for tokens is a problem by itself, which its caller reports. */
function contractProblems(
  contract: string | undefined,
  chain: ChainRecord | null,
): SettingsProblem[] {
  const format = chain?.tokens ?? null;
  if (contract === undefined || format === null) return [];
  const read = format.parse(contract);
  return "fault" in read ? [{ path: ["contract"], message: read.fault }] : [];
}

function confirmationProblems(blocks: number | undefined): SettingsProblem[] {
  if (blocks === undefined) return [];
  if (Number.isInteger(blocks) && blocks >= 1 && blocks <= confirmationsMax) return [];
  return [
    {
      path: ["confirmationBlocks"],
      message: `must be an integer from 1 to ${confirmationsMax}, not ${blocks}`,
    },
  ];
}

function amountProblems(
  member: "minimalTransfer" | "supplyMax",
  text: string | undefined,
  exp: number,
): SettingsProblem[] {
  if (text === undefined) return [];
  const path = [member];
  const parsed = parseDecimal(text, exp);
  if (parsed.kind === "excessDigits")
    return [{ path, message: `has more than ${exp} decimals: ${text}` }];
  if (parsed.kind === "malformed" || parsed.units <= 0n)
    return [{ path, message: `must be a decimal number above zero, not "${text}"` }];
  return [];
}

/** Two currencies with the same contract would credit each transfer twice. */
function contractClashes(currencies: readonly Currency[]): SettingsProblem[] {
  const owners = new Map<string, string>();
  const problems: SettingsProblem[] = [];
  for (const { alpha, chain, token } of currencies) {
    if (token === null || chain === null) continue;
    const key = `${chain} ${token.locator}`;
    const owner = owners.get(key);
    if (owner !== undefined)
      problems.push({
        path: [],
        message: `${owner} and ${alpha} have the same contract on ${chain}`,
      });
    owners.set(key, alpha);
  }
  return problems;
}

/** Expects settings without problems. */
function tokenFromSettings(token: TokenSettings, known: ReadonlyMap<string, Currency>): Currency {
  const coin = known.get(token.chain);
  return {
    id: token.id as CurrencyId,
    alpha: token.alpha,
    alias: null,
    name: token.name,
    pricedAs: token.pricedAs ?? null,
    exp: token.exp,
    kind: "token",
    chain: token.chain,
    parent: coin?.id ?? null,
    token: readToken(token.chain, token.contract),
    confirmationBlocks: token.confirmationBlocks ?? coin?.confirmationBlocks ?? 1,
    minimalTransferUnits: unitsOf(token.minimalTransfer, token.exp) ?? 1n,
    supplyUnits:
      unitsOf(token.supplyMax, token.exp) ?? defaultTokenSupply * 10n ** BigInt(token.exp),
    blockDelay: coin?.blockDelay ?? 0,
    tags: [...(token.isStablecoin === true ? ["stablecoin"] : []), ...standardOf(token.chain)],
    isStablecoin: token.isStablecoin ?? false,
  };
}

function applyOverride(override: CurrencySettings, record: Currency): Currency {
  return {
    ...record,
    token:
      override.contract === undefined
        ? record.token
        : readToken(present(record.chain, "a token's chain"), override.contract),
    confirmationBlocks: override.confirmationBlocks ?? record.confirmationBlocks,
    minimalTransferUnits:
      unitsOf(override.minimalTransfer, record.exp) ?? record.minimalTransferUnits,
  };
}

function readToken(chain: string, contract: string): ChainToken {
  return tokenOf(present(findChain(chain)?.tokens ?? null, `tokens on ${chain}`), contract);
}

function standardOf(chain: string): readonly string[] {
  const format = findChain(chain)?.tokens ?? null;
  return format === null ? [] : [format.standard];
}

function unitsOf(text: string | undefined, exp: number): bigint | null {
  const parsed = text === undefined ? null : parseDecimal(text, exp);
  return parsed?.kind === "units" ? parsed.units : null;
}

function atPath(prefix: readonly (string | number)[], problem: SettingsProblem): SettingsProblem {
  return { path: [...prefix, ...problem.path], message: problem.message };
}
