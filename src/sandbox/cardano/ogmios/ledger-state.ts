import type { Instant } from "../../../platform/kernel/clock.ts";
import type { JsonObject } from "../../../platform/kernel/json.ts";
import { formatTimestamp } from "../../../platform/kernel/timestamp.ts";
import { type Block, protocolVersion, slotsPerKesPeriod } from "../block.ts";
import { type Entry, isUnspentAt } from "../chain.ts";
import {
  activeSlotsCoefficient,
  epochLength,
  maxLovelaceSupply,
  networkMagic,
  securityParameter,
} from "../genesis.ts";
import type { Ledger } from "../ledger.ts";
import { printParameters } from "../parameters.ts";
import type { Printable, PrintableObject } from "../print-json.ts";
import { printLovelace, printOutput, printPoint, printReference } from "../print-values.ts";
import { code, Refusal } from "../refusal.ts";
import { blockAt } from "./chain-sync.ts";
import { readAddresses, readPoint, readReferences } from "./read-params.ts";

/** The queries of a connection, at the tip or at the point that it acquired. */
export type LedgerState = {
  readonly acquire: (params: JsonObject) => PrintableObject;
  readonly release: () => PrintableObject;
  /** Throws `Refusal`. */
  readonly query: (name: string, params: JsonObject) => Printable;
};

/** So many slots after the tip, nobody knows which time a slot has. */
const safeZone =
  (3 * securityParameter * activeSlotsCoefficient.denominator) / activeSlotsCoefficient.numerator;
/** Eras that were over before the first block. */
const formerEras = ["byron", "shelley", "allegra", "mary", "alonzo", "babbage"] as const;

const queries: Readonly<
  Record<string, (ledger: Ledger, block: Block | null, params: JsonObject) => Printable>
> = {
  tip: (_ledger, block) => printPoint(block),
  epoch: (_ledger, block) => epochOf(block?.slot ?? 0),
  eraStart: () => bound(0),
  eraSummaries: (_ledger, block) => eraSummaries(block),
  protocolParameters: () => printParameters(protocolVersion),
  rewardAccountSummaries: () => [],
  treasuryAndReserves: () => ({
    treasury: printLovelace(0n),
    reserves: printLovelace(maxLovelaceSupply),
  }),
  utxo: (ledger, block, params) =>
    [...unspent(ledger, block, params)].map(({ output, reference }) => ({
      ...printReference(reference),
      ...printOutput(output),
    })),
};

export function createLedgerState(ledger: Ledger): LedgerState {
  let acquired: { readonly block: Block | null } | null = null;
  const at = (): Block | null => {
    if (acquired === null) return ledger.tip();
    if (!ledger.isOnChain(acquired.block))
      throw new Refusal(
        code.acquiredExpired,
        "The query cannot be answered at the acquired point any more.",
        "Acquired point no longer exist.",
      );
    return acquired.block;
  };
  return {
    acquire: ({ point }) => {
      const block = blockAt(ledger, readPoint(point));
      if (block === undefined)
        throw new Refusal(
          code.acquireFailed,
          "The point cannot be acquired.",
          "Target doesn't or no longer exist.",
        );
      acquired = { block };
      return { acquired: "ledgerState", point: printPoint(block) };
    },
    release: () => {
      acquired = null;
      return { released: "ledgerState" };
    },
    query: (name, params) => {
      const query = queries[name];
      if (query === undefined)
        throw new Refusal(code.queryUnavailable, `This ledger has no query ${name}.`);
      return query(ledger, at(), params);
    },
  };
}

function* unspent(
  ledger: Ledger,
  block: Block | null,
  { addresses, outputReferences }: JsonObject,
): Iterable<Entry> {
  if (outputReferences !== undefined) {
    for (const reference of readReferences(outputReferences)) {
      const entry = ledger.entry(reference);
      if (entry !== null && isUnspentAt(entry, block)) yield entry;
    }
    return;
  }
  const lists =
    addresses === undefined
      ? [ledger.entries()]
      : readAddresses(addresses).map((address) => ledger.entriesOf(address));
  for (const list of lists) for (const entry of list) if (isUnspentAt(entry, block)) yield entry;
}

function epochOf(slot: number): number {
  return Math.floor(slot / epochLength);
}

/** A slot with its time after slot 0. */
function bound(slot: number): PrintableObject {
  return { time: { seconds: slot }, slot, epoch: epochOf(slot) };
}

function eraSummaries(block: Block | null): Printable {
  const parameters = { epochLength, slotLength: { milliseconds: 1_000 }, safeZone };
  const foreseeable = epochOf((block?.slot ?? 0) + safeZone) + 1;
  return [
    ...formerEras.map(() => ({ start: bound(0), end: bound(0), parameters })),
    { start: bound(0), end: bound(foreseeable * epochLength), parameters },
  ];
}

/** `queryNetwork/…`; throws `Refusal`. */
export function queryNetwork(ledger: Ledger, name: string, { era }: JsonObject): Printable {
  switch (name) {
    case "tip":
      return printPoint(ledger.tip());
    case "blockHeight":
      return ledger.tip()?.height ?? "origin";
    case "startTime":
      return timeText(ledger.startTime);
    case "genesisConfiguration":
      if (era !== "shelley")
        throw new Refusal(
          code.genesisUnavailable,
          "This ledger only has the genesis configuration of the Shelley era.",
        );
      return shelleyGenesis(ledger.startTime);
    default:
      throw new Refusal(code.queryUnavailable, `This ledger has no query ${name}.`);
  }
}

function shelleyGenesis(startTime: Instant): PrintableObject {
  const { denominator, numerator } = activeSlotsCoefficient;
  return {
    era: "shelley",
    startTime: timeText(startTime),
    networkMagic,
    network: "testnet",
    activeSlotsCoefficient: `${numerator}/${denominator}`,
    securityParameter,
    epochLength,
    slotsPerKesPeriod,
    maxKesEvolutions: 62,
    slotLength: { milliseconds: 1_000 },
    updateQuorum: 1,
    maxLovelaceSupply,
    initialParameters: {
      minFeeCoefficient: 44,
      minFeeConstant: printLovelace(155_381n),
      maxBlockBodySize: { bytes: 65_536 },
      maxBlockHeaderSize: { bytes: 1_100 },
      maxTransactionSize: { bytes: 16_384 },
      stakeCredentialDeposit: printLovelace(2_000_000n),
      stakePoolDeposit: printLovelace(500_000_000n),
      stakePoolRetirementEpochBound: 18,
      desiredNumberOfStakePools: 150,
      stakePoolPledgeInfluence: "3/10",
      monetaryExpansion: "3/1000",
      treasuryExpansion: "1/5",
      federatedBlockProductionRatio: "1/1",
      extraEntropy: "neutral",
      minUtxoDepositConstant: printLovelace(1_000_000n),
      minUtxoDepositCoefficient: 0,
      minStakePoolCost: printLovelace(340_000_000n),
      version: { major: 2, minor: 0 },
    },
    initialDelegates: [],
    initialFunds: {},
    initialStakePools: { stakePools: {}, delegators: {} },
  };
}

/** Without fractions of a second, as Ogmios prints times. */
export function timeText(time: Instant): string {
  return formatTimestamp(time).replace(/\.\d+Z$/, "Z");
}
