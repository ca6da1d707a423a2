import { addressText } from "./address.ts";
import type { Block } from "./block.ts";
import type { Printable, PrintableObject } from "./print-json.ts";
import { printScript } from "./script.ts";
import type { Output, OutputReference } from "./transaction.ts";
import type { Assets, Value } from "./value.ts";

export function printLovelace(lovelace: bigint): PrintableObject {
  return { ada: { lovelace } };
}

export function printAssets(assets: Assets): PrintableObject {
  return Object.fromEntries(
    [...assets].map(([policy, names]) => [policy, Object.fromEntries(names)]),
  );
}

export function printValue({ assets, lovelace }: Value): PrintableObject {
  return { ...printLovelace(lovelace), ...printAssets(assets) };
}

export function printReference({ index, txid }: OutputReference): PrintableObject {
  return { transaction: { id: txid }, index };
}

export function printOutput({ address, datum, datumHash, script, value }: Output): PrintableObject {
  return {
    address: addressText(address),
    value: printValue(value),
    ...(datumHash === null ? {} : { datumHash }),
    ...(datum === null ? {} : { datum }),
    ...(script === null ? {} : { script: printScript(script) }),
  };
}

/** A block by its slot and id; before the first block it is the origin. */
export function printPoint(block: Block | null): Printable {
  return block === null ? "origin" : { slot: block.slot, id: block.id };
}

/** A point with its height. */
export function printTip(block: Block | null): Printable {
  return block === null ? "origin" : { slot: block.slot, id: block.id, height: block.height };
}

export function printValidity(
  invalidBefore: bigint | null,
  invalidAfter: bigint | null,
): PrintableObject {
  return {
    ...(invalidBefore === null ? {} : { invalidBefore }),
    ...(invalidAfter === null ? {} : { invalidAfter }),
  };
}
