import { type Instant, instantFromSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import { parseTimestamp } from "../../platform/kernel/timestamp.ts";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readNumber } from "./answer.ts";
import type { CardanoLink } from "./cardano-node.ts";

/** An era of the chain: from which slot and time on, and how long its slots are. */
type Era = {
  readonly slot: number;
  /** Microseconds since 1970. */
  readonly start: number;
  readonly slotMicros: number;
};

/** Slots and times of a network. Every slot has one time, whichever block is in it. */
export type SlotTimes = {
  readonly timeOf: (slot: number) => Instant;
  /** The first slot that begins at that time or later. */
  readonly slotAt: (time: Instant) => number;
};

/** Reads the eras of the node's chain, as far as the next one is settled. */
export async function readSlotTimes(link: CardanoLink): Promise<SlotTimes> {
  const start = await link.ogmios("queryNetwork/startTime", {}, (result) => {
    const at = parseTimestamp(readText(result));
    if (at === null) throw new Malformed("no time");
    return at;
  });
  const eras = await link.ogmios("queryLedgerState/eraSummaries", {}, (result) =>
    readList(result).map((value) => readEra(value, start)),
  );
  const newest = eras.at(-1);
  if (newest === undefined) throw new Malformed("a chain without eras");
  // The last era's end is a forecast that the chain moves on; its slots stay as long beyond it until a hard fork.
  const eraWith = (isIn: (era: Era) => boolean): Era => eras.findLast(isIn) ?? eras[0] ?? newest;
  return {
    timeOf: (slot) => {
      const era = eraWith((one) => one.slot <= slot);
      return instantFromSeconds((era.start + (slot - era.slot) * era.slotMicros) / microsPerSecond);
    },
    slotAt: (time) => {
      const era = eraWith((one) => one.start <= time);
      return era.slot + Math.ceil((time - era.start) / era.slotMicros);
    },
  };
}

function readEra(value: unknown, networkStart: number): Era {
  const { parameters, start } = readFields(value) as Record<string, unknown>;
  const from = readFields(start);
  const seconds = readFields(from["time"])["seconds"];
  const slotMicros =
    readNumber(readFields(readFields(parameters)["slotLength"])["milliseconds"]) * 1_000;
  if (slotMicros === 0) throw new Malformed("slots without a length");
  return {
    slot: readNumber(from["slot"]),
    start: networkStart + readNumber(seconds) * microsPerSecond,
    slotMicros,
  };
}
