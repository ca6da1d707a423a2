import { DraftRefused } from "../draft-signer.ts";
import type { Cell } from "./cell.ts";

/** Reads a cell from its first bit to its last. Every method throws `DraftRefused` if the cell holds something else. */
export type CellReader = {
  /** An unsigned number, the highest bit first. */
  readonly uint: (bits: number) => bigint;
  /** A number that must be this one; anything else is `what`, which is not signed. */
  readonly expect: (bits: number, number: bigint, what: string) => void;
  /** `VarUInteger 16`: its length in bytes, and no byte more than it needs. */
  readonly coins: () => bigint;
  /** The account id of an address in the basic workchain. */
  readonly account: (what: string) => Uint8Array;
  readonly ref: () => Cell;
  /** The bits that are left, which must be whole bytes. */
  readonly rest: () => Uint8Array;
  /** Throws if bits or cells are left. */
  readonly end: () => void;
};

/** Starts at the first bit of the cell. */
export function readCell({ bytes, bitLength, refs }: Cell): CellReader {
  let at = 0;
  let nextRef = 0;
  const uint = (bits: number): bigint => {
    if (at + bits > bitLength) throw new DraftRefused("ends too early");
    let value = 0n;
    for (let bit = 0; bit < bits; bit += 1, at += 1)
      value = (value << 1n) | BigInt(((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const expect = (bits: number, number: bigint, what: string): void => {
    if (uint(bits) !== number) throw new DraftRefused(`has ${what}`);
  };
  const take = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => Number(uint(8)));
  return {
    uint,
    expect,
    coins: () => {
      const length = Number(uint(4));
      const units = uint(8 * length);
      if (length > 0 && units < 1n << BigInt(8 * (length - 1)))
        throw new DraftRefused("has an amount with zeros before it");
      return units;
    },
    account: (what) => {
      expect(3, 0b100n, `no plain address as ${what}`);
      expect(8, 0n, `an address of another workchain as ${what}`);
      return take(32);
    },
    ref: () => {
      const ref = refs[nextRef];
      if (ref === undefined) throw new DraftRefused("lacks a cell");
      nextRef += 1;
      return ref;
    },
    rest: () => {
      const left = bitLength - at;
      if (left % 8 !== 0) throw new DraftRefused("ends inside a byte");
      return take(left / 8);
    },
    end: () => {
      if (at !== bitLength || nextRef !== refs.length)
        throw new DraftRefused("goes on after its end");
    },
  };
}
