import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type InspectedDraft, type KeyRing } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent, SweepSource } from "../intent.ts";
import { deterministicDeployer } from "./deployment.ts";
import { transferData } from "./inspect-payment.ts";
import { addressAt, depositPath, gasPath, hotPath } from "./own-accounts.ts";
import {
  assertKeyIndex,
  type DelegatingTransaction,
  readDelegating,
  readDepositTransaction,
} from "./read-delegating.ts";
import {
  assertAddress,
  gasFeeOf,
  type PlainTransaction,
  readTransaction,
} from "./read-transaction.ts";
import { signDelegating, signDeposit } from "./sign-sweep.ts";
import { claimOf, type Inspect, type IntentOf, inspectPlain, type Sign } from "./spend-kind.ts";
import { coinAsset, decodeSweepMany } from "./sweep-call.ts";
import { type DelegateAccounts, delegateAddress, deploymentData } from "./sweep-delegate.ts";

/** The most coin that one top-up sends to a deposit address: dozens of transfers on the most expensive chain at its most expensive. */
const topUpUnitsMax = 5n * 10n ** 16n;

/** Returns the inspections of the kinds sweep, top_up and undelegate, by kind, and the signers of their body types, by type. */
export function sweepInspectors(chainId: number): {
  readonly inspections: ReadonlyMap<SpendIntent["kind"], Inspect>;
  readonly signings: ReadonlyMap<string, Sign>;
} {
  return {
    inspections: new Map<SpendIntent["kind"], Inspect>([
      ["sweep", (body, intent, keys) => inspectSweep(body, intent, keys, chainId)],
      ["top_up", inspectPlain("top_up", chainId, [gasPath], inspectTopUp)],
      ["undelegate", (body, intent, keys) => inspectUndelegate(body, intent, keys, chainId)],
    ]),
    signings: new Map([
      ["eip7702", signDelegating],
      ["deposit", signDeposit],
    ]),
  };
}

/**
 * Three ways into the hot account: many addresses by the delegate, one address by itself, and, without addresses, the
 * delegate's own deployment.
 */
function inspectSweep(
  body: JsonObject,
  intent: SpendIntent,
  keys: KeyRing,
  chainId: number,
): InspectedDraft {
  if (intent.kind !== "sweep") throw new DraftRefused("no sweep");
  const hot = addressAt(keys, hotPath);
  const sources = intent.sources.map((source) => ownSource(source, keys));
  assertDistinct(sources.map(({ keyIndex }) => keyIndex));
  if (body["type"] === "deposit") return inspectSingle(body, sources, hot, chainId);
  const { call, authorizations } = readCall(body);
  assertOfGasAccount(call, keys, chainId);
  const accounts = { hot, gas: call.from };
  if (sources.length === 0) {
    if (authorizations.length > 0) throw new DraftRefused("a deployment with authorizations");
    assertDeploys(call, accounts);
  } else {
    const delegate = delegateAddress(accounts);
    assertSweeps(call, sources, delegate);
    assertAuthorizes(authorizations, delegate);
    const known = new Set(sources.map(({ keyIndex }) => keyIndex));
    if (authorizations.some(({ keyIndex }) => !known.has(keyIndex)))
      throw new DraftRefused("an authorization of an address that is not swept");
  }
  return usageOf({ call, authorizations }, keys);
}

/** A deposit address sends one asset to the hot account: its coin beyond the fee, or any amount of a token. */
function inspectSingle(
  body: JsonObject,
  sources: readonly SweepSource[],
  hot: string,
  chainId: number,
): InspectedDraft {
  const { keyIndex, call } = readDepositTransaction(body);
  const [source, ...others] = sources;
  const [asset, ...otherAssets] = source?.assets ?? [];
  if (source === undefined || asset === undefined || others.length + otherAssets.length > 0)
    throw new DraftRefused("an address that sweeps itself must move exactly one asset");
  if (keyIndex !== source.keyIndex || call.from !== source.address)
    throw new DraftRefused(`${call.from} is not the address to be swept`);
  assertChain(call, chainId);
  if (asset.kind === "coin") {
    if (call.to !== hot || call.data !== "0x")
      throw new DraftRefused(`sends coin to an address other than ${hot}`);
  } else {
    if (call.to !== assertAddress(asset.locator, "the intended contract") || call.value !== 0n)
      throw new DraftRefused(`calls ${call.to} instead of ${asset.locator}`);
    if (!/^0x[0-9a-f]{136}$/.test(call.data) || call.data !== transferData(hot, unitsIn(call.data)))
      throw new DraftRefused(`calls something other than transfer(${hot}, ...)`);
  }
  return { claims: [claimOf(call)], feeUnits: gasFeeOf(call) };
}

/** Coin to a deposit address of ours, of exactly the intended units and at most what one top-up may bring. */
function inspectTopUp(
  { to, value, data }: PlainTransaction,
  { keyIndex, units }: IntentOf<"top_up">,
  keys: KeyRing,
): void {
  const address = addressAt(keys, depositPath(assertKeyIndex(keyIndex)));
  if (to !== address) throw new DraftRefused(`tops up ${to} instead of ${address}`);
  if (data !== "0x") throw new DraftRefused("a top-up with data");
  if (value.toString() !== units) throw new DraftRefused(`tops up by ${value} instead of ${units}`);
  if (value > topUpUnitsMax) throw new DraftRefused(`tops up by ${value}, above ${topUpUnitsMax}`);
}

/** These addresses stop delegating, and nothing else happens. */
function inspectUndelegate(
  body: JsonObject,
  intent: SpendIntent,
  keys: KeyRing,
  chainId: number,
): InspectedDraft {
  if (intent.kind !== "undelegate") throw new DraftRefused("not the end of delegations");
  const { call, authorizations } = readDelegating(body);
  assertOfGasAccount(call, keys, chainId);
  if (call.to !== call.from || call.value !== 0n || call.data !== "0x")
    throw new DraftRefused("the end of delegations must call nothing");
  assertAuthorizes(authorizations, coinAsset);
  const intended = intent.keyIndexes.map(assertKeyIndex);
  if (authorizations.length !== intended.length)
    throw new DraftRefused("ends other delegations than intended");
  for (const [position, { keyIndex }] of authorizations.entries())
    if (keyIndex !== intended[position])
      throw new DraftRefused("ends other delegations than intended");
  return usageOf({ call, authorizations }, keys);
}

/** The source with lower-case addresses, after checking that its address belongs to its index. */
function ownSource(source: SweepSource, keys: KeyRing): SweepSource {
  const keyIndex = assertKeyIndex(source.keyIndex);
  const address = assertAddress(source.address, "the address to be swept");
  if (addressAt(keys, depositPath(keyIndex)) !== address)
    throw new DraftRefused(`${address} is not deposit address number ${keyIndex}`);
  return { keyIndex, address, assets: source.assets };
}

/** Has no authorizations if every address delegates already. */
function readCall(body: JsonObject): {
  readonly call: PlainTransaction;
  readonly authorizations: DelegatingTransaction["authorizations"];
} {
  if (body["type"] === "eip7702") return readDelegating(body);
  return { call: readTransaction(body), authorizations: [] };
}

function assertOfGasAccount(call: PlainTransaction, keys: KeyRing, chainId: number): void {
  assertChain(call, chainId);
  if (addressAt(keys, gasPath) !== call.from)
    throw new DraftRefused(`${call.from} is not the account that pays for sweeping`);
}

function assertChain(call: PlainTransaction, chainId: number): void {
  if (call.chainId !== BigInt(chainId))
    throw new DraftRefused(`a transaction for chain id ${call.chainId}`);
}

function assertDeploys({ to, value, data }: PlainTransaction, accounts: DelegateAccounts): void {
  if (to !== deterministicDeployer || value !== 0n || data !== deploymentData(accounts))
    throw new DraftRefused("a sweep without sources that does not deploy the delegate");
}

/** The delegate must empty exactly the intended assets of exactly the intended addresses. */
function assertSweeps(
  { to, value, data }: PlainTransaction,
  sources: readonly SweepSource[],
  delegate: string,
): void {
  if (to !== delegate) throw new DraftRefused(`calls ${to} instead of the delegate ${delegate}`);
  if (value !== 0n) throw new DraftRefused("a sweep with coin");
  const called = decodeSweepMany(data).flatMap(({ assets, deposits }) =>
    deposits.map((deposit) => pairOf(deposit, assets)),
  );
  const intended = sources.map(({ address, assets }) => pairOf(address, assets.map(assetAddress)));
  if (called.toSorted().join() !== intended.toSorted().join())
    throw new DraftRefused("sweeps something other than intended");
}

function assertAuthorizes(
  authorizations: DelegatingTransaction["authorizations"],
  delegate: string,
): void {
  assertDistinct(authorizations.map(({ keyIndex }) => keyIndex));
  const other = authorizations.find((authorization) => authorization.delegate !== delegate);
  if (other !== undefined)
    throw new DraftRefused(`delegates to ${other.delegate} instead of ${delegate}`);
}

function assertDistinct(keyIndexes: readonly number[]): void {
  if (new Set(keyIndexes).size !== keyIndexes.length)
    throw new DraftRefused("a deposit address is named twice");
}

/**
 * What it claims and burns. The sender's nonce comes first: it alone decides whether the transaction can still be mined. One whose
 * authorizations are outdated is mined as well, and burns its fee.
 */
function usageOf(
  {
    call,
    authorizations,
  }: { readonly call: PlainTransaction } & Pick<DelegatingTransaction, "authorizations">,
  keys: KeyRing,
): InspectedDraft {
  const ofAuthorities = authorizations.map(({ keyIndex, nonce }) =>
    claimOf({ from: addressAt(keys, depositPath(keyIndex)), nonce }),
  );
  return {
    claims: [claimOf(call), ...ofAuthorities],
    decisive: [claimOf(call)],
    feeUnits: gasFeeOf(call),
  };
}

function pairOf(deposit: string, assets: readonly string[]): string {
  return `${deposit}:${assets.toSorted().join("+")}`;
}

function assetAddress(asset: IntendedAsset): string {
  if (asset.kind === "coin") return coinAsset;
  const contract = assertAddress(asset.locator, "an intended contract");
  if (contract === coinAsset) throw new DraftRefused("a token without a contract");
  return contract;
}

/** The second argument of the call. */
function unitsIn(data: string): bigint {
  return BigInt(`0x${data.slice(-64)}`);
}
